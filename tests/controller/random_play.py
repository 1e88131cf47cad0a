"""Random play at a core table: whatever people do with chips, cards, words, keys and plugs, in any order."""

from hypothesis import strategies as st

from controller import commands
from controller.core.core import Core
from controller.places import BANK, BOARD, MUCK, POT, Place, Zone
from controller.registry.registry import DECK
from controller.rulings.values import Word, WordKind
from tests.controller.core_table import HANDS, CoreTable, hole, spot, tray

SEATS = 3
WORDS: tuple[WordKind, ...] = ("call", "raise", "raise_to", "bet", "all_in", "check", "fold", "number", "tap", "pot")
seats = st.integers(1, SEATS)
amounts = st.sampled_from((None, 0, 50, 100, 300, 600, 5000, 10**13, -1))
said = st.builds(Word, st.sampled_from(WORDS), amounts)
commands_of_people = st.one_of(
    st.builds(commands.Say, st.one_of(st.none(), seats), said),
    st.sampled_from(
        (
            commands.NextHand(),
            commands.NextStreet(),
            commands.Confirm(),
            commands.Undo(),
            commands.Redo(),
            commands.Misdeal(),
            commands.OutOfTurn(),
            commands.AcceptDifferences(),
            commands.Pause(),
            commands.Resume(),
            commands.Show(None),
            commands.NotAChip("spot", 1),
            commands.Overrule(reading=1),
            commands.Answer(reading=1),
            commands.Award(0, (1,)),
        )
    ),
    st.builds(commands.SetStack, seats, st.integers(0, 20_000)),
    st.builds(commands.SeatOut, seats),
    st.builds(commands.SeatIn, seats, st.sampled_from(("", "Anna"))),
    st.builds(commands.Show, seats),
    st.builds(
        commands.SetBets,
        st.lists(st.builds(commands.BetOf, seats, amounts, st.booleans()), max_size=SEATS).map(tuple),
    ),
    st.builds(lambda total: commands.Answer(total_to=total), st.integers(0, 2000)),
)
steps = st.one_of(
    st.tuples(st.just("run"), st.sampled_from((100, 300, 700, 2000))),
    st.tuples(st.just("push"), seats, st.lists(st.sampled_from((25, 50, 100, 500, 1000)), min_size=1, max_size=3)),
    st.tuples(st.just("take"), seats),
    st.tuples(st.just("sweep"), seats),
    st.tuples(st.just("pay"), seats),
    st.tuples(st.just("splash"), seats),
    st.tuples(st.just("pass"), seats, seats),
    st.tuples(st.just("deal"), seats),
    st.tuples(st.just("muck"), seats),
    st.tuples(st.just("board"), st.integers(1, 3)),
    st.tuples(st.just("gather")),
    st.tuples(st.just("hold"), seats),
    st.tuples(st.just("lose"), seats),
    st.tuples(st.just("find"), seats),
    st.tuples(st.just("foreign"), seats),
    st.tuples(st.just("tell"), commands_of_people, st.sampled_from(("dealer", "seat"))),
)


def play(table: CoreTable, step: tuple[object, ...]) -> None:
    """One step; chips that are not there cannot be moved."""
    match step:
        case ("run", int(ms)):
            table.run(ms)
        case ("push", int(seat), list(values)):
            _carry(table, tray(seat), spot(seat), values)
        case ("take", int(seat)):
            table.move(_first(table, spot(seat)), tray(seat))
        case ("sweep", int(seat)):
            table.move(_chips(table, spot(seat)), POT)
        case ("pay", int(seat)):
            table.move(_chips(table, POT), tray(seat))
        case ("splash", int(seat)):
            table.move(_first(table, tray(seat)), POT)
        case ("pass", int(seat), int(other)):
            table.move(_first(table, tray(seat)), tray(other))
        case ("deal", int(seat)):
            table.deal(seat, *(card for card in HANDS[seat] if table.where[card] == BANK))
        case ("muck", int(seat)):
            table.move([card for card in HANDS[seat] if table.where[card] == hole(seat)], MUCK)
        case ("board", int(many)):
            table.move([card for card in DECK[:13] if table.where[card] == BANK][:many], BOARD)
        case ("gather",):
            table.move(DECK, BANK)
        case ("hold", int(seat)):
            table.move(_first(table, tray(seat)), Place(Zone.IN_HAND, seat))
        case ("lose", int(seat)):
            table.lose(seat)
        case ("find", int(seat)):
            table.find(seat)
        case ("foreign", int(seat)):
            table.where["E0049999AAAA0001"] = spot(seat)
        case ("tell", command, by):
            table.tell(command, by)  # type: ignore[arg-type]


def still(core: Core) -> bool:
    """Nothing is open, waits, or is not known."""
    return not (core.settling or core.known.unknown)


def _chips(table: CoreTable, place: Place) -> list[str]:
    return [name for name, lies in table.where.items() if lies == place and name in table.values]


def _first(table: CoreTable, place: Place) -> list[str]:
    return _chips(table, place)[:1]


def _carry(table: CoreTable, origin: Place, target: Place, values: list[int]) -> None:
    for value in values:
        found = [name for name in _chips(table, origin) if table.values[name] == value]
        table.move(found[:1], target)
