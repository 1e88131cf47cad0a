"""Errors of the whole product: one root, so that the command line can print one line and no traceback.

    BetlineError
    +-- FrameError        an encoder was asked for something that the wire cannot carry
    +-- PortError         a port cannot be opened or was lost
    +-- OptionError       a driver or its options are not known

What a device does wrong is never an exception: it is an event (`ReaderFault`, `BadFrame`, `ReaderLost`).
"""


class BetlineError(Exception):
    """Something that a person can mend: the message names the file, key or case and the cure, in one line."""


class FrameError(BetlineError, ValueError):
    pass


class PortError(BetlineError, OSError):
    pass


class OptionError(BetlineError, ValueError):
    pass
