"""Errors of the screen: one line that names the file or socket and the cure. A feed's faults are shown, not raised.

BetlineError
+-- ScreenError      no display to draw on, a picture that cannot be written, a snapshot file that cannot be read
+-- FeedError        nobody answers at a socket where one frame was wanted
"""

from firmware_bridge.errors import BetlineError


class ScreenError(BetlineError):
    pass


class FeedError(BetlineError, OSError):
    pass
