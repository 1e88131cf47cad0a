"""Why a reader is lost or faulty, in a few words of every language. Pure.

What ports and drivers say of it is a whole English line with paths and a cure: for the log and `betline doctor`. A
screen has room for the kind of trouble, in the language of the club.
"""

from controller.snapshot import Text
from controller.texts.sentences import phrase

CAUSES: tuple[tuple[str, str], ...] = (  # what such a line says, the first one that fits -> key of a text
    ("no such port", "no_port"),
    ("unplugged", "unplugged"),
    ("no permission", "permission"),
    ("busy:", "busy"),
    ("no serial port", "not_a_port"),
    ("no address of a port", "not_a_port"),
    ("connection was lost", "network"),
    ("serial server", "network"),
    ("write /dev/...", "network"),
    ("has not answered", "no_answer"),
    ("no frame from the reader", "no_answer"),
    ("nothing was heard", "no_answer"),
    ("errors in turn", "many_errors"),
    ("rounds in turn failed", "many_errors"),
    ("were lost before", "frames_lost"),
    ("random", "random_tags"),
    ("version", "version"),
    ("antenna", "antenna"),
)


def cause(why: str) -> Text:
    """The kind of trouble; of a kind that no line above has, that the reader reports one."""
    key = next((key for said, key in CAUSES if said in why), "of_reader")
    return phrase(f"cause_{key}")
