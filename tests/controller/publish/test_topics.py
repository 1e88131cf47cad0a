"""What goes out: flat, complete, short enough, and never a secret."""

import inspect
import json
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from controller.journal.rows import Row, kind_of
from controller.picture import picture
from controller.picture import worlds as worlds_of_picture
from controller.places import BANK, Moved, Place, Zone
from controller.publish import public, topics
from controller.rulings.values import Ruling, Word
from controller.snapshot import DealerSnapshot, NoticeView, QuestionView, RulingView, SeatView, Snapshot
from controller.table import events as e
from tests.controller.core_table import dealt
from tests.controller.publish.table import NAMES, READING, RULED, snapshot

RULING = RulingView(
    4, "call", 600, 400, ((100, 4),), 0, False, False, "TDA 2024 44", {"en": "Seat 4: call 600"}, {"en": "One chip"}
)
FULL = snapshot(
    9,
    ruling=RULING,
    question=QuestionView(1, 2, {"en": "Raise or call?", "ru": "Рейз или колл?"}, ()),
    notices=(NoticeView("k", "alarm", {"en": "x" * 999}),),
    seats=(SeatView(1), SeatView(2, "Bo", "all_in", cards=("As", "Ad"), in_hand_value=50, cards_read=2)),
)


WORLD = e.Supposed((Moved("secret", Place(Zone.IN_HAND, 4), Place(Zone.SPOT, 4)),), READING, 0.75, (100,))
NOTHING = e.Supposed((Moved("secret", Place(Zone.SPOT, 2), Place(Zone.IN_HAND, 2)),), None, 0.25, (25,))


def example(kind: type) -> e.Event:
    """Some event of a kind, every field filled; names of items are "secret"."""
    values: dict[str, object] = {}
    for name, hint in get_type_hints(kind).items():
        value = 2 if kind is e.Drew and name == "cards" else filled(name, hint)
        try:
            msgspec.convert(msgspec.to_builtins(value), hint)
        except msgspec.ValidationError:
            continue  # a value of its own kind: its default
        values[name] = value
    return kind(**values)


def filled(name: str, hint: object) -> object:
    special = {
        "reading": READING, "ruling": RULED.ruling, "word": Word("raise"), "flows": (), "chips": ("secret",), "items": ("secret",), "moves": (),
        "places": {"secret": BANK}, "differences": ("secret",), "players": (e.Player(1, 100),), "posts": (), "kind": "ante",
        "by": "dealer", "pots": (e.PotAmount(5, (1, 2)),), "shares": (e.Share(1, 5),), "stacks": (e.Share(1, 5),),
        "board": ("As",), "cards": ("As",), "street": "flop", "why": "because", "key": "alarm", "meaning": "sweep", "name": "Bo",
        "numbers": {}, "worlds": (WORLD,), "doubts": (WORLD, NOTHING),
    }  # fmt: skip
    if get_origin(hint) is Literal and special.get(name) not in get_args(hint):
        return get_args(hint)[0]
    if name in special:
        return special[name]
    if hint is bool:
        return name in {"all_in", "inferred", "playing"}
    return () if get_origin(hint) is tuple else 1


EVENTS = [example(kind) for kind in e.Event.__args__]


@pytest.mark.parametrize("event", EVENTS, ids=kind_of)
def test_every_kind_of_event_is_private_or_goes_out_without_secrets(event: e.Event) -> None:
    fields = public.public_fields(event, 1)
    assert (fields is not None) == e.is_public(event)
    if fields is not None:
        payload = topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, event, 1))
        told = json.loads(payload)
        assert b"secret" not in payload
        assert (told["n"], told["event_type"]) == (5, kind_of(event))
        assert told["event_type"] in public.TYPES
        assert fields or not type(event).__struct_fields__, "a kind of event that nobody named in public.py"


def test_where_chips_may_lie_is_told_by_value_and_seat_in_the_order_in_which_it_is_answered() -> None:
    asked = e.Asked(7, 4, Ruling(None, "worlds", {}, (READING,)), ("secret",), "worlds", worlds=(WORLD, NOTHING))
    told = json.loads(topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, asked)))
    there, back = told["readings"]
    assert (there["action"], there["total_to"], there["chance"]) == (READING.action, READING.total_to, 0.75)
    assert there["chips"] == [{"value": 100, "seat": 4, "taken_back": False}]
    assert (back["action"], back["total_to"], back["rule"]) == (None, None, None)
    assert back["chips"] == [{"value": 25, "seat": 2, "taken_back": True}]
    by_antennas = public.public_fields(e.Answered(7, None, "table"))
    assert by_antennas is not None
    assert (by_antennas["by"], by_antennas["choice"], by_antennas["action"]) == ("table", None, None)
    by_number = public.public_fields(e.Answered(7, READING, "dealer", 1))
    assert by_number is not None
    assert by_number["choice"] == 1


def crowded(worlds: int, chips: int) -> e.Asked:
    """A question with so many outcomes, each with so many chips that would lie elsewhere."""
    moves = tuple(Moved(f"secret-{n}", Place(Zone.IN_HAND, 10), Place(Zone.SPOT, 10)) for n in range(chips))
    outcomes = tuple(
        e.Supposed(moves, msgspec.structs.replace(READING, total_to=100_000 + n), 1 / (n + 2), (25_000,) * chips)
        for n in range(worlds)
    )
    return e.Asked(7, 10, Ruling(None, "worlds", {}, (READING,)), ("secret",), "worlds", worlds=outcomes)


@pytest.mark.parametrize(("worlds", "chips"), [(60, 7), (64, 40), (13, 1)])
def test_a_question_with_dozens_of_outcomes_is_told_with_the_tail_as_one_number(worlds: int, chips: int) -> None:
    event = crowded(worlds, chips)
    payload = topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, event))
    told = json.loads(payload)
    assert "withheld" not in told
    assert [one["total_to"] for one in told["readings"]] == [100_000 + n for n in range(12)]
    assert told["more"] == worlds - 12
    assert told["more_chance"] == pytest.approx(sum(one.chance for one in event.worlds[12:]), abs=1e-5)
    assert {one["chip_count"] for one in told["readings"]} == {chips}
    assert len(payload) < topics.MAX_PAYLOAD
    assert b"secret" not in payload


def test_a_question_with_few_outcomes_has_no_tail() -> None:
    told = json.loads(topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, crowded(2, 1))))
    assert (len(told["readings"]), told["more"], told["more_chance"]) == (2, 0, 0)


def test_the_dealers_view_of_such_a_question_is_not_left_out_either() -> None:
    question = worlds_of_picture.question(crowded(60, 7), {f"secret-{n}": 25_000 for n in range(7)})
    assert ([choice.number for choice in question.choices], question.more) == ([*range(1, 10)], 51)
    seats = tuple(SeatView(n, "Konstantin" * 2, last_action={"en": "x" * 60, "ru": "x" * 60}) for n in range(1, 11))
    payload = topics.dealer_message(DealerSnapshot(table="home", epoch="e", n=1, question=question, seats=seats))
    assert payload is not None
    assert json.loads(payload)["snapshot"]["question"]["more"] == 51


def test_the_colours_of_chips_are_in_the_flat_state() -> None:
    shown = snapshot(chip_colours=((1000, "yellow"), (100, "red")))
    state = json.loads(topics.state_messages(NAMES, shown)[NAMES.state])
    assert state["chip_colours"] == "1000:yellow 100:red"


def test_doubts_beside_a_ruling_are_told_and_counted_and_never_too_many_for_a_broker() -> None:
    ruled = msgspec.structs.replace(RULED, doubts=(WORLD, NOTHING) * 200)
    payload = topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, ruled))
    told = json.loads(payload)
    assert told["doubt_count"] == 400
    assert [doubt["chips"][0]["value"] for doubt in told["doubts"][:3]] == [100, 25, 100]
    assert len(told["doubts"]) < 20
    assert b"secret" not in payload


def test_a_private_event_cannot_be_told() -> None:
    with pytest.raises(AssertionError, match="private"):
        topics.event_payload("epoch", Row(9, None, "boot", 7, 8, EVENTS[0]))


def test_only_facts_by_name_and_refusals_are_private() -> None:
    assert {kind_of(event) for event in EVENTS if e.is_public(event)} == set(public.TYPES)
    assert {kind.__name__ for kind in e.PRIVATE} == {
        "ItemsMoved",
        "PlacesCounted",
        "DifferencesAccepted",
        "Refused",
    }


def test_an_event_too_long_for_brokers_keeps_its_numbers() -> None:
    crowd = e.HandEnded(1, tuple(e.Share(1, n) for n in range(2000)))
    payload = topics.event_payload("epoch", Row(9, 5, "boot", 7, 8, crowd))
    told = json.loads(payload)
    assert len(payload) < topics.MAX_PAYLOAD
    assert (told["n"], told["event_type"], told["withheld"]) == (5, "hand_ended", True)


@pytest.mark.parametrize(
    "shown", [snapshot(), FULL, Snapshot(table="home", epoch="e", n=0)], ids=["some", "full", "empty"]
)
def test_state_is_flat_with_all_keys_and_short_texts(shown: Snapshot) -> None:
    for topic, payload in topics.state_messages(NAMES, shown).items():
        state = json.loads(payload)
        usual = json.loads(topics.state_messages(NAMES, snapshot())[topic])
        assert state.keys() == usual.keys()
        assert len(payload) < topics.MAX_PAYLOAD
        for key, value in state.items():
            assert key == "pots" or not isinstance(value, list | dict), key
            assert not isinstance(value, str) or len(value) <= 255


def test_the_dealers_secrets_do_not_go_out_even_when_his_snapshot_is_given() -> None:
    dealer = DealerSnapshot(
        table="home", epoch="e", n=1, unseen=("secret",), last_refusal={"en": "secret"}, provisional=RULING
    )
    for payload in topics.state_messages(NAMES, dealer).values():
        assert b"secret" not in payload
        assert b"call 600" not in payload  # provisional: for the local feed alone


def test_a_provisional_ruling_does_not_go_out_in_the_private_view_either() -> None:
    """A broker keeps what it is told: chips that still settle would stand there as a ruling that nobody made."""
    table = dealt()
    table.push(1, 500, 100)
    table.run(1200)
    dealer = picture.pictures(table.core.seen(), picture.Outside("home", "e1", 1))[1]
    assert table.rulings() == []
    assert dealer.provisional is not None
    assert dealer.provisional.headline["en"] == "Seat 1: Raise to 600"
    payload = topics.dealer_message(dealer)
    assert payload is not None
    assert b"Raise to 600" not in payload
    told = msgspec.convert(json.loads(payload)["snapshot"], DealerSnapshot)
    assert told == msgspec.structs.replace(dealer, provisional=None), "all the rest does"


def test_texts_come_in_the_language_of_the_table() -> None:
    messages = topics.state_messages(NAMES, FULL, "ru")
    assert json.loads(messages[NAMES.state])["question"] == "Рейз или колл?"
    assert json.loads(messages[NAMES.state])["ruling"] == "Seat 4: call 600"  # where there is no Russian


def test_every_topic_of_a_snapshot_is_owned_by_the_table() -> None:
    assert set(topics.state_messages(NAMES, snapshot())) <= NAMES.owned()


def test_public_types_have_no_field_for_hole_cards_or_items() -> None:
    for name in ("unseen", "hole", "tag", "items"):
        assert name not in Snapshot.__struct_fields__
    assert inspect.isclass(Place)
    assert msgspec.json.encode(snapshot())
