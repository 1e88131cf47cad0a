"""Who may say what: one table, for every command that there is."""

import typing

import pytest

from controller import commands
from controller.authority.roles import LEAST, ROLES, Allowed, Grant, Refused, heard_as, judge, narrowed, trusted
from controller.commands import Command
from controller.rulings.values import Word

CALL = Word("call")
SAMPLES: dict[type, Command] = {
    commands.Say: commands.Say(3, CALL),
    commands.Show: commands.Show(None),
    commands.Award: commands.Award(0, (2,)),
    commands.Opens: commands.Opens(4),
    commands.UpCards: commands.UpCards(4, ("Kd",)),
    commands.SeatIn: commands.SeatIn(5),
    commands.SeatOut: commands.SeatOut(5),
    commands.SetStack: commands.SetStack(5, 2000),
    commands.SetButton: commands.SetButton(3),
    commands.SetBlinds: commands.SetBlinds(100, 200),
    commands.SetBets: commands.SetBets((commands.BetOf(1, 200),)),
    commands.Kill: commands.Kill(3),
    commands.NotAChip: commands.NotAChip("spot", 3),
}


def sample(kind: type) -> Command:
    return SAMPLES[kind] if kind in SAMPLES else kind()


def test_every_command_has_its_least_role() -> None:
    assert set(LEAST) == set(typing.get_args(Command))


@pytest.mark.parametrize("kind", LEAST)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_what_the_roles_below_it_may_and_nothing_above(kind: type, role: str) -> None:
    grant = Grant(role, 3 if role == "player" else None)  # type: ignore[arg-type]
    may = ROLES.index(role) >= ROLES.index(LEAST[kind])  # type: ignore[arg-type]
    judged = judge(sample(kind), grant)
    assert isinstance(judged, Allowed) is may
    assert may or (isinstance(judged, Refused) and LEAST[kind] in judged.why)


@pytest.mark.parametrize(("command", "least"), [
    (commands.Overrule(2), "floor"), (commands.SetStack(5, 1), "floor"), (commands.Undo(), "dealer"),
    (commands.NextStreet(), "dealer"), (commands.Pause(), "dealer"), (commands.NotAChip("pot"), "owner"),
])  # fmt: skip
def test_what_matters_most_needs_most(command: Command, least: str) -> None:
    assert LEAST[type(command)] == least


def test_a_player_speaks_for_his_seat_alone_and_his_word_is_part_of_his_act() -> None:
    grant = Grant("player", 3)
    assert judge(commands.Say(None, CALL), grant) == Allowed(commands.Say(3, CALL), grant)
    assert judge(commands.Say(3, CALL), grant) == Allowed(commands.Say(3, CALL), grant)
    assert isinstance(judge(commands.Say(4, CALL), grant), Refused)
    assert isinstance(judge(commands.OutOfTurn(3, CALL), grant), Refused)
    assert isinstance(judge(commands.Say(None, CALL), Grant("player")), Refused)
    assert heard_as(grant, "mqtt") == "seat"
    assert heard_as(Grant("dealer"), "mqtt") == "mqtt"


def test_nobody_known_may_nothing() -> None:
    assert trusted("none") is None
    assert all(isinstance(judge(sample(kind), None), Refused) for kind in LEAST)


def test_a_door_passes_on_no_more_than_its_own_role() -> None:
    assert narrowed(Grant("dealer"), "player", 3) == Grant("player", 3)
    assert narrowed(Grant("dealer"), "owner", None) == Grant("dealer")
    assert narrowed(Grant("owner"), None, None) == Grant("owner")
    assert narrowed(None, "player", 3) is None
