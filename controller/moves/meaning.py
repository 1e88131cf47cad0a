"""What a move of chips means: a table, its rows in order. The first row that knows a move names it.

`s` is the seat of the zone. "In turn": s is to act and betting is open (also where everybody before s owes nothing and
the house infers checks). A seat without a tray antenna is trusted by value alone: whatever comes to its spot, and not
straight from another spot, comes from its player. What goes the other way in the same motion is judged behind what was
brought, so that its change is due.

    from -> to                          when                                     meaning
    any two places, both ways           equal value                              swap: nothing
    tray, held, bank -> spot(s)         s owes a post, no action yet             post
    same                                exactly a straddle, no card dealt yet    post, where the house has straddles
    same                                s is missing chips, these pay them       paid
    same                                in turn                                  push
    same                                not in turn, betting open                out of turn: held back (TDA 2024 53)
    same                                betting closed                           early: waits for the next street
    spot(s) -> tray(s), held(s)         front more than bet, by as much          change taken
    same                                in turn, chips of this round             pulled back (TDA 2024 46)
    same                                otherwise                                chips missing from his bet: alarm
    spot, pot, bank -> spot(t), tray(t) t has change due, or it stays a bet      change
    spot -> pot, or nowhere without pot round closed, or before the deal         sweep
    same                                round open                               early sweep: the bet stays; all bets
                                                                                 swept and nobody owes: checks
    tray(s), held(s) -> pot             s is missing chips                       paid
    same                                in turn                                  splashed: as pushed
    same                                otherwise                                chips of s in the pot: alarm
    middle -> tray(s), spot(s)          pot awarded, s is owed                   payout
    tray(s) -> tray(t)                  the same, and s is missing chips         payout, from hand to hand
    middle -> tray(s)                   otherwise, with a pot antenna            pot taken: alarm
    tray(s) -> tray(t)                  between hands                            change between players
    same                                in a hand                                chips passed: alarm
    bank -> tray(s)                     between hands                            buy-in
    same                                in a hand                                counted from the next hand on
    tray(s) -> bank                     between hands                            cash-out or colour-up
    same                                in a hand                                chips left the table: alarm
    tray(s) <-> held(s)                 any                                      kept
    anything else                                                                passing: a fact, nothing more
"""

from collections.abc import Callable, Collection

from controller.hand.posts import owed_by
from controller.moves.meanings import Transfer
from controller.places import Place, Zone
from controller.table.balance import Values, account, balance_of, given, unpaid
from controller.table.meanings import Meaning
from controller.table.phases import BEFORE_ACTION, BETTING, BETWEEN_HANDS, OPEN, PAYING, SWEEPING
from controller.table.setup import Sensors
from controller.table.state import Hand, InHand, State

TRAY, SPOT, IN_HAND, POT, BANK = Zone.TRAY, Zone.SPOT, Zone.IN_HAND, Zone.POT, Zone.BANK
OWN, MIDDLE, TO_A_SEAT = (TRAY, IN_HAND), (SPOT, POT, BANK), (TRAY, IN_HAND, SPOT)
CHIPS_COME_BACK = (SWEEPING, PAYING)


class Scene:
    """What a row may look at: the state before the move, and who may act."""

    def __init__(
        self,
        state: State,
        values: Values,
        sensors: Sensors,
        in_turn: Callable[[int], bool],
        straddles: Callable[[int, int], bool] = lambda _seat, _value: False,
    ) -> None:
        self.state = state
        self.values = values
        self.sensors = sensors
        self.in_turn = in_turn
        self.straddles = straddles  # whether so much from this seat is a straddle now
        self.hand: Hand | None = state.hand
        self.phase = BETWEEN_HANDS if state.hand is None else state.hand.phase

    @property
    def running(self) -> bool:
        return self.phase is not BETWEEN_HANDS

    def player(self, seat: int | None) -> InHand | None:
        return None if self.hand is None else self.hand.player(seat)

    def account(self, seat: int | None) -> int:
        player = self.player(seat)
        return 0 if player is None else account(self.state, player)

    def missing(self, seat: int) -> int:
        """What he has still to bring, whatever of his winnings is still to come."""
        if self.hand is None or (player := self.hand.player(seat)) is None:
            return 0
        to_come = sum([share.amount for share in self.hand.owed if share.seat == seat])
        return max(0, to_come - balance_of(self.state, self.hand, player, self.values))

    def unpaid(self, seat: int) -> int:
        """Part of his bet of this round that lies not before him, where change of an earlier one makes up for it."""
        player = self.player(seat)
        return unpaid(self.state, player, self.values) if player is not None else 0

    def is_stale(self, move: Transfer) -> bool:
        """Whether these are chips of an earlier round, which the dealer still sweeps while the next one is open."""
        player = self.player(move.origin.seat)
        return player is not None and set(move.items) <= set(player.stale)

    def is_left_over(self, move: Transfer) -> bool:
        """Whether these are bets that lie there still."""
        player = self.player(move.origin.seat)
        return player is not None and set(move.items) <= {*player.counted, *player.stale}

    def is_short_of_a_call(self, seat: int, missing: int, value: int) -> bool:
        """Whether these chips pay what is missing and leave less than a call, though he has more behind."""
        player = self.player(seat)
        if self.hand is None or player is None or player.start_stack <= given(self.state, player) + value:
            return False
        return value < missing + self.hand.current_bet - player.bet

    def has_won(self, seat: int | None) -> bool:
        player = self.player(seat)
        return player is not None and (player.won > 0 or player.carry > 0)


Row = Callable[[Scene, Transfer], Meaning | None]


# ---------------------------------------------------------------- own chips -> own spot
def is_offered(scene: Scene, move: Transfer) -> bool:
    """Chips that a player brings before himself."""
    seat = move.target.seat
    if move.target.zone is not SPOT or move.origin.zone is SPOT or seat is None:
        return False
    if seat not in scene.sensors.trays:
        return not (scene.phase in CHIPS_COME_BACK and scene.account(seat) >= move.value)
    if move.origin.zone in OWN:
        return move.origin.seat == seat
    return move.origin.zone is BANK and not restores(scene, move)


def restores(scene: Scene, move: Transfer) -> bool:
    """Chips from the dealer that make a spot no more than what was given there."""
    seat = move.target.seat
    player = scene.player(seat)
    if player is None or seat is None:
        return False
    lying = sum(scene.values.get(chip, 0) for chip in scene.state.spots[seat - 1])
    return lying + move.value <= player.bet + max(0, account(scene.state, player))


def post(scene: Scene, move: Transfer) -> Meaning | None:
    owed = scene.phase in BEFORE_ACTION and scene.hand is not None and owed_by(scene.hand, move.target.seat or 0)
    return Meaning.POST if owed and is_offered(scene, move) else None


def straddle(scene: Scene, move: Transfer) -> Meaning | None:
    offered = scene.phase in BEFORE_ACTION and is_offered(scene, move)
    return Meaning.POST if offered and scene.straddles(move.target.seat or 0, move.value) else None


def pays_missing(scene: Scene, move: Transfer) -> Meaning | None:
    """In turn a larger push is judged whole, where it makes a call: the missing part of the bet lies in it.

    One that does not even call is the chip that was still to come, perhaps seen late, and change is due: nobody is held
    to an undercall by chips that he owed before. Last chips are judged whole.
    """
    seat = move.target.seat
    missing = (scene.missing(seat) or scene.unpaid(seat)) if seat is not None and is_offered(scene, move) else 0
    if seat is None or not missing:
        return None
    whole = move.value > missing and scene.in_turn(seat) and not scene.is_short_of_a_call(seat, missing, move.value)
    return None if whole else Meaning.PAID


def push(scene: Scene, move: Transfer) -> Meaning | None:
    seat = move.target.seat
    return Meaning.PUSH if seat is not None and is_offered(scene, move) and scene.in_turn(seat) else None


def out_of_turn(scene: Scene, move: Transfer) -> Meaning | None:
    return Meaning.OUT_OF_TURN if is_offered(scene, move) and scene.phase in OPEN else None


def early(scene: Scene, move: Transfer) -> Meaning | None:
    return Meaning.EARLY if is_offered(scene, move) else None


# ---------------------------------------------------------------- own spot -> own tray or hand
def is_taken_back(scene: Scene, move: Transfer) -> bool:
    own = move.origin.zone is SPOT and move.target.zone in OWN and move.origin.seat == move.target.seat
    return own and not is_swept_away(scene, move) and not scene.has_won(move.target.seat)


def change_taken(scene: Scene, move: Transfer) -> Meaning | None:
    due = scene.player(move.origin.seat) is None or scene.account(move.origin.seat) >= move.value
    return Meaning.CHANGE_TAKEN if is_taken_back(scene, move) and due else None


def pulled_back(scene: Scene, move: Transfer) -> Meaning | None:
    own = is_taken_back(scene, move) and not scene.is_stale(move)
    return Meaning.PULLED_BACK if own and scene.in_turn(move.origin.seat or 0) else None


def chips_missing(scene: Scene, move: Transfer) -> Meaning | None:
    return Meaning.CHIPS_MISSING if is_taken_back(scene, move) else None


# ---------------------------------------------------------------- the dealer's moves
def change(scene: Scene, move: Transfer) -> Meaning | None:
    if move.origin.zone not in MIDDLE or scene.has_won(move.target.seat):
        return None
    if move.target.zone is SPOT:
        return Meaning.CHANGE
    due = scene.account(move.target.seat)
    return Meaning.CHANGE if move.target.zone is TRAY and due and due >= move.value else None


def is_swept(scene: Scene, move: Transfer) -> bool:
    return move.origin.zone is SPOT and (move.target.zone in (POT, BANK) or is_swept_away(scene, move))


def is_swept_away(scene: Scene, move: Transfer) -> bool:
    """Without a pot antenna chips swept in are on no antenna; a player's own change is exactly what is due to him."""
    if scene.sensors.pot or move.target.zone is not IN_HAND or scene.hand is None:
        return False
    if scene.phase in OPEN:
        return scene.is_stale(move)
    if not scene.running:
        return scene.is_left_over(move)
    return move.value != scene.account(move.origin.seat)


def sweep(scene: Scene, move: Transfer) -> Meaning | None:
    late = scene.phase is not BETTING or scene.is_stale(move)
    return Meaning.SWEEP if late and is_swept(scene, move) else None


def early_sweep(scene: Scene, move: Transfer) -> Meaning | None:
    return Meaning.EARLY_SWEEP if is_swept(scene, move) else None


# ---------------------------------------------------------------- own chips -> pot
def pays_pot(scene: Scene, move: Transfer) -> Meaning | None:
    into = move.target.zone is POT and move.origin.zone in OWN and move.origin.seat is not None
    return Meaning.PAID if into and 0 < move.value <= scene.missing(move.origin.seat or 0) else None


def splashed(scene: Scene, move: Transfer) -> Meaning | None:
    into = move.target.zone is POT and move.origin.zone in OWN
    return Meaning.SPLASHED if into and move.origin.seat is not None and scene.in_turn(move.origin.seat) else None


def chips_in_pot(_scene: Scene, move: Transfer) -> Meaning | None:
    into = move.target.zone is POT and move.origin.zone in OWN
    return Meaning.CHIPS_IN_POT if into else None


# ---------------------------------------------------------------- the pot is paid
def payout(scene: Scene, move: Transfer) -> Meaning | None:
    middle = move.origin.zone in MIDDLE
    owed = scene.has_won(move.target.seat) and scene.account(move.target.seat) > 0
    return Meaning.PAYOUT if middle and owed and move.target.zone in TO_A_SEAT else None


def payout_by_hand(scene: Scene, move: Transfer) -> Meaning | None:
    """A loser who is missing chips gives them straight to the winner."""
    passed = move.origin.zone in OWN and move.target.zone in OWN and move.origin.seat != move.target.seat
    owed = passed and scene.has_won(move.target.seat) and scene.account(move.target.seat) > 0
    return Meaning.PAYOUT if owed and scene.missing(move.origin.seat or 0) else None


def pot_taken(scene: Scene, move: Transfer) -> Meaning | None:
    taken = move.origin.zone in (SPOT, POT) and move.target.zone in OWN
    return Meaning.POT_TAKEN if taken and scene.hand is not None and scene.sensors.pot else None


# ---------------------------------------------------------------- trays and the bank
def between_players(scene: Scene, move: Transfer) -> Meaning | None:
    passed = move.origin.zone in OWN and move.target.zone in OWN and move.origin.seat != move.target.seat
    return Meaning.BETWEEN_PLAYERS if passed and not scene.running else None


def chips_passed(_scene: Scene, move: Transfer) -> Meaning | None:
    passed = move.origin.zone in OWN and move.target.zone in TO_A_SEAT
    return Meaning.CHIPS_PASSED if passed and move.origin.seat != move.target.seat else None


def buy_in(scene: Scene, move: Transfer) -> Meaning | None:
    bought = move.origin.zone is BANK and move.target.zone is TRAY
    return Meaning.BUY_IN if bought and not scene.running else None


def bought_in_hand(_scene: Scene, move: Transfer) -> Meaning | None:
    bought = move.origin.zone is BANK and move.target.zone is TRAY
    return Meaning.BOUGHT_IN_HAND if bought else None


def cash_out(scene: Scene, move: Transfer) -> Meaning | None:
    left = move.origin.zone in OWN and move.target.zone is BANK
    return Meaning.CASH_OUT if left and not scene.running else None


def chips_left(_scene: Scene, move: Transfer) -> Meaning | None:
    return Meaning.CHIPS_LEFT if move.origin.zone in OWN and move.target.zone is BANK else None


def kept(_scene: Scene, move: Transfer) -> Meaning | None:
    own = move.origin.zone in OWN and move.target.zone in OWN and move.origin.seat == move.target.seat
    return Meaning.KEPT if own else None


ROWS: tuple[Row, ...] = (
    post,
    straddle,
    pays_missing,
    push,
    out_of_turn,
    early,
    change_taken,
    pulled_back,
    chips_missing,
    change,
    sweep,
    early_sweep,
    pays_pot,
    splashed,
    chips_in_pot,
    payout,
    payout_by_hand,
    pot_taken,
    between_players,
    chips_passed,
    buy_in,
    bought_in_hand,
    cash_out,
    chips_left,
    kept,
)


def _that_look_at(*rows: Row) -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row in rows)


# Rows that can know a move to such a place; the others need not be asked. Their order is that of the table.
TO_SPOT = _that_look_at(post, straddle, pays_missing, push, out_of_turn, early, change, payout, chips_passed)
TO_POT = _that_look_at(sweep, early_sweep, pays_pot, splashed, chips_in_pot)
TO_OWN = _that_look_at(
    change_taken,
    pulled_back,
    chips_missing,
    change,
    sweep,
    early_sweep,
    payout,
    payout_by_hand,
    pot_taken,
    between_players,
    chips_passed,
    buy_in,
    bought_in_hand,
    kept,
)


def rows_for(zone: Zone) -> tuple[Row, ...]:
    return TO_OWN if zone in OWN else TO_SPOT if zone is SPOT else TO_POT if zone is POT else ROWS


def meaning_of(scene: Scene, move: Transfer) -> Meaning:
    """The first row that knows the move."""
    for row in rows_for(move.target.zone):
        found = row(scene, move)
        if found is not None:
            return found
    return Meaning.PASSING


def meanings(scene: Scene, moves: Collection[Transfer]) -> tuple[Meaning, ...]:
    """The meaning of each transfer of one motion: equal swaps first, then the rows.

    What a player brings together is one push, wherever his chips were known to lie.
    """
    sums: dict[tuple[Place, Place], int] = {}
    for move in moves:
        way = _way(scene, move)
        sums[way] = sums.get(way, 0) + move.value
    return tuple(
        Meaning.SWAP if _is_swap(sums, _way(scene, move)) else meaning_of(scene, _whole(scene, move, moves))
        for move in moves
    )


def _whole(scene: Scene, move: Transfer, moves: Collection[Transfer]) -> Transfer:
    """A transfer with all others that bring chips of the same player before him."""
    way = _brought(scene, move)
    same = [other for other in moves if _brought(scene, other) == way]
    if way is None or len(same) == 1:
        return move
    return Transfer(*way, tuple(item for one in same for item in one.items), sum(one.value for one in same))


def _brought(scene: Scene, move: Transfer) -> tuple[Place, Place] | None:
    """From a player's own chips to his own spot; None: any other way."""
    origin, target = move.origin, move.target
    if target.zone is not SPOT or origin.zone is SPOT:
        return None
    if target.seat not in scene.sensors.trays:
        return Place(IN_HAND, target.seat), target
    return (Place(TRAY, target.seat), target) if origin.zone in OWN and origin.seat == target.seat else None


def _is_swap(sums: dict[tuple[Place, Place], int], way: tuple[Place, Place]) -> bool:
    return sums.get((way[1], way[0])) == sums[way]


def _way(scene: Scene, move: Transfer) -> tuple[Place, Place]:
    """Where from and where to; all that is not a spot is one place where a player's tray is not seen."""
    origin, target = move.origin, move.target
    if target.zone is SPOT and target.seat not in scene.sensors.trays and origin.zone is not SPOT:
        origin = Place(IN_HAND, target.seat)
    if origin.zone is SPOT and origin.seat not in scene.sensors.trays and target.zone is not SPOT:
        target = Place(IN_HAND, origin.seat)
    return origin, target
