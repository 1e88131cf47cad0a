"""Evenings that version 0.1.0 wrote: each opens, leads to the same table step by step, and goes on as it would have.

`tests/data/journals_v1/README.md` says what each is; `expected.json.gz` is what version 0.1.0 made of it.
"""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.config import config
from controller.config.config import Config
from controller.core import build
from controller.engine.engine import Engine
from controller.histories.write import format_hands
from controller.journal.book import Journal
from controller.journal.hands import hands
from controller.journal.rejudge import rejudge
from controller.journal.rows import Row, follow, kind_of
from controller.picture import picture
from controller.publish.public import public_fields
from controller.registry import registry
from controller.registry.registry import Registry
from controller.rulings.rules import Rules
from controller.table import inputs
from controller.table.balance import balance, front
from controller.table.events import Event, Ruled, is_public
from controller.table.phases import Phase
from controller.table.state import State
from controller.table.version_1 import as_written
from simulator.rehearsal.recording import play

DATA = Path(__file__).parents[2] / "data"
EVENINGS = sorted(path.parent for path in (DATA / "journals_v1").glob("*/expected.json.gz"))


def json_of(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


class Evening:
    """One of them, unpacked and opened by what lies beside it."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.work = scratch / folder.name
        shutil.copytree(folder, self.work)
        for packed in self.work.glob("journal*.db.gz"):
            packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        self.expected = json.loads(gzip.decompress((self.work / "expected.json.gz").read_bytes()))
        self.config: Config = config.load(self.work / "table.toml")
        table = self.config.table
        self.rules = Rules.named(str(self.work / table.profile) if table.profile.endswith(".toml") else table.profile)
        self.items: Registry = registry.load(self.work / table.chips, [self.work / name for name in table.cards])
        self.engine: Engine = build.engine(self.config, self.items, self.rules)
        self.journal = Journal.open(self.work / self.config.journal.path, boot="boot-test", create=False)
        self.rows: list[Row] = list(self.journal.events())

    def fresh(self) -> State:
        return self.engine.initial(self.config.table.seats, self.config.game)

    def replayed(self) -> State:
        return self.journal.replay(self.fresh())

    def step(self, state: State) -> dict[str, Any]:
        """The table in the columns of `steps`."""
        hand, table, values = state.hand, state.table, self.items.values
        chairs = range(1, len(table.seats) + 1)
        live = hand is not None and hand.phase is not Phase.BETWEEN_HANDS
        players = {p.seat: p for p in hand.players} if hand else {}
        options = self.engine.options(state) if live else None
        return {
            "hand": table.hand_number,
            "street": hand.row.name if hand else None,
            "phase": str(hand.phase) if hand else None,
            "current_bet": hand.current_bet if hand else 0,
            "last_full_raise": hand.last_full_raise if hand else 0,
            "pots": [[pot.amount, list(pot.seats)] for pot in hand.pots] if hand else [],
            "stacks": [players[s].stack if live and s in players else table.seats[s - 1].stack for s in chairs],
            "bets": [players[s].bet if s in players else 0 for s in chairs],
            "committed": [players[s].committed if s in players else 0 for s in chairs],
            "folded": [player.seat for player in players.values() if player.folded],
            "fronts": [front(state, s, values) for s in chairs],
            "balances": [balance(state, s, values) for s in chairs],
            "to_act": hand.to_act if hand else None,
            "min_raise_to": options.min_raise_to if options else None,
            "max_raise_to": options.max_raise_to if options else None,
            "raises": hand.raises if hand else 0,
            "min_bet": hand.min_bet if hand else 0,
            "button": hand.button if live and hand else table.button,
            "held": [[h.seat, h.act, h.total, h.facing, h.early, h.sleeper] for h in hand.held] if hand else [],
            "posts_due": [[p.seat, p.kind, p.amount] for p in hand.posts_due] if hand else [],
            "board": list(hand.board) if hand else [],
            "alarms": sorted([a.key, a.seat, a.amount] for a in state.alarms),
            "undo": len(state.past),
            "redo": len(state.future),
        }

    def snapshots(self, state: State, n: int) -> tuple[Any, Any]:
        """Public and dealer's, with readers that have said nothing yet."""
        seen = build.core(self.config, self.items, self.rules, state).seen()
        seen = replace(seen, known=replace(seen.known, counted=True))
        outside = picture.Outside(self.config.table.name, self.expected["epoch"], n)
        public, dealers = picture.pictures(seen, outside)
        return json_of(public), json_of(dealers)


@pytest.fixture(params=EVENINGS, ids=lambda folder: folder.name)
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    opened = Evening(request.param, tmp_path)
    yield opened
    opened.journal.close()


def test_it_opens_whole(evening: Evening) -> None:
    verdict, expected = evening.journal.verify(), evening.expected
    assert verdict.faults == ()
    assert (verdict.epoch, verdict.rows, verdict.public) == tuple(expected[k] for k in ("epoch", "rows", "last_n"))
    assert evening.journal.end.hash.hex() == expected["last_hash"]
    assert {row.version for row in evening.rows} == {1}


def test_every_commit_leads_to_the_table_of_then(evening: Evening) -> None:
    steps = evening.expected["steps"]
    ends = {one[0]: dict(zip(steps["columns"], one, strict=True)) for one in steps["steps"]}
    state, compared = evening.fresh(), 0
    for row in evening.rows:
        state = follow(state, row)
        if row.seq in ends:
            now = evening.step(state)
            assert now == {key: ends[row.seq][key] for key in now}, row.seq
            compared += 1
    assert compared == len(ends) > 5


def test_its_snapshots_options_and_histories_are_those_of_then(evening: Evening) -> None:
    expected, state = evening.expected, evening.replayed()
    public, dealers = evening.snapshots(state, expected["last_n"])
    assert only_known(public, expected["public"]) == expected["public"]
    then = {**expected["public"], **expected["dealer_differs"]}
    assert only_known(dealers, then) == then
    assert json_of(evening.engine.options(state)) == expected["options"]
    assert trimmed(format_hands(list(hands(evening.rows, evening.config.table.name)))) == trimmed(expected["hands"])


def trimmed(text: str) -> str:
    """Version 1 wrote of every ante that what nobody matches goes back, also of one that is paid for the table."""
    return text.replace("ante_trimming_status = false", "ante_trimming_status = true")


def only_known(now: Any, then: Any) -> Any:
    """A snapshot without what version 1 did not say yet, at any depth; of sentences the English ones."""
    if isinstance(now, dict) and isinstance(then, dict) and now.keys() == then.keys() == {"en", "ru"}:
        return {"en": now["en"], "ru": then["ru"]}  # Russian was put better since
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: only_known(value, then[key]) for key, value in now.items() if key in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [only_known(one, other) for one, other in zip(now, then, strict=True)]
    return now


LATER = ("doubts", "doubt_count", "choice", "parts")  # keys that the public did not hear of yet


def as_then(fields: dict[str, Any]) -> dict[str, Any]:
    """A public event without them; what was decided then has nothing to say there."""
    assert not any(fields.get(key) for key in LATER)
    return {key: value for key, value in fields.items() if key not in LATER}


def test_the_public_hears_of_it_what_it_heard_then(evening: Evening) -> None:
    packed = (evening.work / "public.jsonl.gz").read_bytes()
    told = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    assert told == [
        json_of(
            {
                "seq": row.seq,
                "n": row.n,
                "at_ns": row.at_ns,
                "wall_ms": row.wall_ms,
                "event_type": kind_of(row.event),
                **as_then(public_fields(row.event, row.before_n) or {}),
            }
        )
        for row in evening.rows
        if row.n is not None
    ]


def test_its_rulings_stand_today(evening: Evening) -> None:
    assert list(rejudge(evening.engine.setting, evening.fresh(), evening.rows)) == []


def test_it_goes_on_as_it_would_have(evening: Evening) -> None:
    """Further inputs give the same events, as far as version 1 wrote them, and the same table and snapshot."""
    columns, public = evening.expected["steps"]["columns"], evening.expected["public"]
    then = {**public, **evening.expected["dealer_differs"]}
    assert evening.expected["goes_on"]
    for what, branch in evening.expected["goes_on"].items():
        state, n = evening.replayed(), evening.expected["last_n"]
        for one in branch["inputs"]:
            state, events = evening.engine.step(state, given(one["input"]))
            assert [as_written(event) for event in events] == msgspec.convert(one["events"], list[Event]), what
            assert [ruling(event) for event in events if isinstance(event, Ruled)] == one["rulings"], what
            n += sum(is_public(event) for event in events)
        assert n == branch["n"]
        now, was = evening.step(state), dict(zip(columns, branch["step"], strict=True))
        assert now == {key: was[key] for key in now}, what
        after = {**then, **branch["dealer_differs"]}
        assert only_known(evening.snapshots(state, n)[1], after) == after, what


def test_what_follows_is_written_in_today_s_version_behind_it(evening: Evening) -> None:
    """The same file then holds both versions, and replays to where the table stood."""
    branch = next(iter(evening.expected["goes_on"].values()))
    state = evening.replayed()
    for one in branch["inputs"]:
        state, events = evening.engine.step(state, given(one["input"]))
        evening.journal.append([(event, 1, 1) for event in events])
    assert evening.replayed() == state
    assert evening.journal.verify().faults == ()


def given(said: dict[str, Any]) -> inputs.Input:
    fields = {key: value for key, value in said.items() if key != "kind"}
    found: inputs.Input = msgspec.convert(fields, getattr(inputs, said["kind"]))
    return found


def ruling(event: Ruled) -> list[Any]:
    reading = event.reading
    amounts = [reading.total_to, reading.change_due, reading.must_add]
    return [event.seat, reading.action, *amounts, reading.rule, event.by]


def test_every_kind_of_event_that_lacked_something_is_in_one_of_them() -> None:
    from controller.table.version_1 import LATER

    kinds = set()
    for folder in EVENINGS:
        expected = json.loads(gzip.decompress((folder / "expected.json.gz").read_bytes()))
        kinds |= {event["type"] for one in expected["goes_on"].values() for i in one["inputs"] for event in i["events"]}
        kinds |= {
            json.loads(line)["event_type"]
            for line in gzip.decompress((folder / "public.jsonl.gz").read_bytes()).splitlines()
        }
    assert {str(kind.__struct_config__.tag) for kind in LATER} <= kinds


@pytest.mark.parametrize("name", ["recording_v1", "recording_v1_spots_only"])
def test_a_recording_of_version_0_1_0_plays_exactly(name: str) -> None:
    then = json.loads((DATA / "recordings_v1" / f"{name}.verdict.json").read_text())
    now = play(DATA / "recordings_v1" / f"{name}.betrec")
    assert now.exact
    assert (now.differences, now.notices) == ((), ())
    assert {k: then[k] for k in ("inputs", "rounds", "events", "replayed")} == {
        k: getattr(now, k) for k in ("inputs", "rounds", "events", "replayed")
    }
