"""Who may say what: the one table of least roles, and what a grant makes of a command. Pure.

A role includes the ones below it: player < dealer < floor < owner. A player speaks for his own seat alone. Every door
(socket, MQTT, page, button) turns whoever speaks into a `Grant` and asks `judge`; no door has a list of its own.
"""

from typing import Literal

from msgspec.structs import replace

from controller import commands
from controller.commands import By, Command
from firmware_bridge.events import Value

Role = Literal["player", "dealer", "floor", "owner"]
Trust = Literal["none", "dealer", "floor", "owner"]  # the role of whoever reaches a door without a key
ROLES: tuple[Role, ...] = ("player", "dealer", "floor", "owner")

LEAST: dict[type[Command], Role] = {
    commands.Say: "player",  # of his own seat
    commands.Confirm: "dealer",
    commands.Undo: "dealer",
    commands.Redo: "dealer",
    commands.NextHand: "dealer",
    commands.NextStreet: "dealer",
    commands.Answer: "dealer",
    commands.OutOfTurn: "dealer",
    commands.Show: "dealer",
    commands.Award: "dealer",
    commands.Opens: "dealer",
    commands.UpCards: "dealer",
    commands.Kill: "dealer",
    commands.AcceptDifferences: "dealer",
    commands.Pause: "dealer",
    commands.Resume: "dealer",
    commands.Overrule: "floor",
    commands.SetBets: "floor",
    commands.SetStack: "floor",
    commands.SetButton: "floor",
    commands.SetBlinds: "floor",
    commands.SeatIn: "floor",
    commands.SeatOut: "floor",
    commands.Misdeal: "floor",
    commands.NotAChip: "owner",  # that tag is ignored for good
}


class Grant(Value, frozen=True):
    """As whom somebody speaks."""

    role: Role
    seat: int | None = None  # of a player
    name: str = ""  # of his key; "": he needed none


class Allowed(Value, frozen=True):
    """The command as it may go to the table: a player's word names his seat."""

    command: Command
    grant: Grant


class Refused(Value, frozen=True):
    why: str  # one line, for whoever asked


Judged = Allowed | Refused


def judge(command: Command, grant: Grant | None) -> Judged:
    """Whether whoever has this grant may say this; None: nobody known."""
    if grant is None:
        return Refused("without authority: nothing is obeyed here without a key (betline key --help)")
    least = LEAST[type(command)]
    if ROLES.index(grant.role) < ROLES.index(least):
        return Refused(f"without authority: this needs the role {least}, and you are {_called(grant)}")
    if grant.role != "player":
        return Allowed(command, grant)
    assert isinstance(command, commands.Say), "a player has words only"
    if grant.seat is None or command.seat not in {None, grant.seat}:
        return Refused(f"without authority: you are {_called(grant)}, and may speak for no other seat")
    return Allowed(replace(command, seat=grant.seat), grant)


def trusted(trust: Trust) -> Grant | None:
    """The grant of whoever comes through a door that trusts him so far."""
    return None if trust == "none" else Grant(trust)


def narrowed(grant: Grant | None, role: Role | None, seat: int | None) -> Grant | None:
    """What a door passes on for somebody else: his own role, and never more than its own."""
    if grant is None or role is None:
        return grant
    own = ROLES.index(grant.role)
    return Grant(role, seat, grant.name) if ROLES.index(role) < own else grant


def heard_as(grant: Grant, door: By) -> By:
    """A player's word is like that of his seat's button: it is part of his act, and corrects no ruling."""
    return "seat" if grant.role == "player" else door


def _called(grant: Grant) -> str:
    return f"player of seat {grant.seat}" if grant.role == "player" else grant.role
