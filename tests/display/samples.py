"""Snapshots of many moments at a table, for tests and pictures (`pictures.py` draws them)."""

import msgspec

from controller.snapshot import (
    BehindView,
    ChoiceView,
    DealerSnapshot,
    NoticeView,
    PostView,
    PotView,
    QuestionView,
    ReaderView,
    RulingView,
    SeatView,
)


def both(en: str, ru: str) -> dict[str, str]:
    return {"en": en, "ru": ru}


UP = both("answers", "отвечает")
READERS = tuple(ReaderView(name, "up", UP) for name in ("west", "east", "board"))
NAMES = ("Anna", "Boris", "Chen", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Ivan", "Julia")
SMALL_BLIND = both("Small blind 100", "Малый блайнд 100")
BIG_BLIND = both("Big blind 200", "Большой блайнд 200")
CALL_200 = both("Call 200", "Колл 200")
FOLD = both("Fold", "Фолд")


def seat(number: int, stack: int, **more: object) -> SeatView:
    fields: dict[str, object] = {"name": NAMES[number - 1], "state": "in", "cards_read": 2, "in_hand_value": 0}
    fields["front_chips"] = chips_of(int(str(more.get("front", 0))))
    return SeatView(number, **{**fields, "stack": stack, **more})  # type: ignore[arg-type]


def chips_of(amount: int) -> tuple[tuple[int, int], ...]:
    """An amount as a player would put it in."""
    found = []
    for value in (5000, 1000, 500, 100, 25):
        count, amount = divmod(amount, value)
        found += [(value, count)] if count else []
    return tuple(found)


def folded(number: int, stack: int, **more: object) -> SeatView:
    return seat(number, stack, **{"state": "folded", "cards_read": 0, "last_action": FOLD, **more})


def table(**more: object) -> DealerSnapshot:
    fields: dict[str, object] = {
        "table": "home",
        "epoch": "e1",
        "n": 412,
        "hand_number": 128,
        "phase": "betting",
        "street": "preflop",
        "small_blind": 100,
        "big_blind": 200,
        "readers": READERS,
        "broker": "up",
        "can_undo": True,
    }
    return DealerSnapshot(**{**fields, **more})  # type: ignore[arg-type]


ONE_CHIP_CALL = RulingView(
    seat=4,
    action="call",
    total_to=600,
    change_due=400,
    change=((100, 4),),
    must_add=0,
    reopens=False,
    all_in=False,
    rule="TDA 2024 44",
    headline=both("Seat 4: Call 600", "Место 4: Колл 600"),
    sentence=both(
        "One chip, no word: a call. 400 back.",
        "Одна фишка без слова: колл. 400 сдачи.",
    ),
    chips=((1000, 1),),
)
RAISE = RulingView(
    seat=3,
    action="raise",
    total_to=600,
    change_due=0,
    change=(),
    must_add=0,
    reopens=True,
    all_in=False,
    rule="TDA 2024 43",
    headline=both("Seat 3: raise to 600", "Место 3: рейз до 600"),
    sentence=both(
        "Several chips, and the smallest cannot be taken away: more than half of the raise is there.",
        "Несколько фишек, и без меньшей колла нет: больше половины рейза уже стоит.",
    ),
    chips=((500, 1), (100, 1)),
)

PREFLOP = table(
    pot_total=900,
    button=6,
    to_act=4,
    to_call=600,
    min_raise_to=1000,
    max_raise_to=9_400,
    ruling=RAISE,
    seats=(
        seat(1, 9_800, bet=200, front=200, last_action=BIG_BLIND),
        seat(2, 12_450),
        seat(3, 8_200, bet=600, front=600, last_action=both("Raise to 600", "Рейз до 600")),
        seat(4, 9_400, to_act=True),
        folded(5, 3_125),
        SeatView(6, "Farid", "in", 20_150, button=True, cards_read=1, in_hand_value=1500),
        seat(7, 11_900, bet=100, front=100, last_action=SMALL_BLIND),
        SeatView(8),
        SeatView(9, "Ivan", "out", 5_000),
    ),
)
PROVISIONAL = msgspec.structs.replace(
    PREFLOP,
    seats=tuple(
        msgspec.structs.replace(s, front=600, change_due=600, in_hand_value=500) if s.seat == 4 else s
        for s in PREFLOP.seats
    ),
    provisional=RulingView(
        seat=4,
        action="call",
        total_to=600,
        change_due=0,
        change=(),
        must_add=0,
        reopens=False,
        all_in=False,
        rule="TDA 2024 40-B",
        headline=both("Seat 4: Call 600", "Место 4: Колл 600"),
        sentence=both("Exactly the amount to call.", "Ровно столько, сколько нужно для колла."),
        chips=((500, 1), (100, 1)),
        final=False,
        waits_for=both("waits for 500 in the hand of seat 4", "ждём 500 в руке у места 4"),
    ),
)
CHANGE = table(
    street="turn",
    board=("As", "Td", "7c", "2h"),
    board_count=4,
    pot_total=5_400,
    pots=(PotView(3_000, (1, 3, 4, 6)),),
    button=2,
    to_act=6,
    to_call=600,
    min_raise_to=1_200,
    max_raise_to=14_300,
    ruling=ONE_CHIP_CALL,
    seats=(
        seat(1, 6_400, bet=600, front=600, last_action=both("Call 600", "Колл 600")),
        folded(2, 12_450, button=True),
        seat(3, 8_200, bet=600, front=600, last_action=both("Bet 600", "Бет 600")),
        seat(4, 8_800, bet=600, front=1000, change_due=400, last_action=both("Call 600", "Колл 600")),
        folded(5, 3_125),
        seat(6, 14_300, to_act=True),
    ),
)
README = table(
    street="turn",
    board=("As", "Td", "7c", "2h"),
    board_count=4,
    pot_total=5_550,
    pots=(PotView(3_750, (1, 3, 4, 7, 9)),),
    button=2,
    to_act=7,
    to_call=600,
    min_raise_to=1_200,
    ruling=ONE_CHIP_CALL,
    seats=(
        seat(1, 9_400),
        folded(2, 12_450, button=True),
        seat(3, 8_200, bet=600, front=600, last_action=both("Bet 600", "Бет 600")),
        seat(4, 8_800, bet=600, front=1000, change_due=400, last_action=both("Call 600", "Колл 600")),
        folded(5, 3_125),
        folded(6, 20_150),
        seat(7, 14_300, to_act=True),
        SeatView(8),
        seat(9, 6_975, in_hand_value=500),
    ),
)
ADD = msgspec.structs.replace(
    CHANGE,
    to_act=1,
    to_call=500,
    min_raise_to=1_800,
    ruling=RulingView(
        seat=6,
        action="raise",
        total_to=1_200,
        change_due=0,
        change=(),
        must_add=200,
        reopens=True,
        all_in=False,
        rule="TDA 2024 43-A",
        headline=both("Seat 6: raise to 1200", "Место 6: рейз до 1200"),
        sentence=both(
            "More than half of the smallest raise: it must be completed to 1200.",
            "Больше половины наименьшего рейза: нужно дополнить до 1200.",
        ),
        chips=((500, 2),),
    ),
    seats=tuple(
        msgspec.structs.replace(s, to_act=s.seat == 1, bet=1200, front=1000, missing=200)
        if s.seat == 6
        else msgspec.structs.replace(s, to_act=s.seat == 1)
        for s in CHANGE.seats
    ),
)
QUESTION = msgspec.structs.replace(
    CHANGE,
    question=QuestionView(
        id=17,
        seat=6,
        text=both(
            "1100 in two moves with a second trip to the tray: call 600 or raise to 1200?",
            "1100 в два приёма со второй ходкой к лотку: колл 600 или рейз до 1200?",
        ),
        choices=(
            ChoiceView(1, both("Call 600, give 500 back", "Колл 600, вернуть 500"), "TDA 2024 40-A"),
            ChoiceView(2, both("Raise to 1200, add 100", "Рейз до 1200, добавить 100"), "TDA 2024 43-A"),
            ChoiceView(3, both("Fold, 1100 stays", "Фолд, 1100 остаётся"), "TDA 2024 59"),
        ),
        must_choose=True,
    ),
)
MANY_CHOICES = msgspec.structs.replace(
    QUESTION,
    question=QuestionView(
        id=18,
        seat=None,
        text=both("Whose chips are these?", "Чьи это фишки?"),
        choices=tuple(ChoiceView(i, both(f"Seat {i}", f"Место {i}"), "TDA 2024 1") for i in range(1, 10)),
        must_choose=True,
    ),
)
CONFIRM = msgspec.structs.replace(
    QUESTION,
    question=QuestionView(
        id=19,
        seat=6,
        text=both("Raise to 1200: one more 100 would make it a call of 1300?", "Рейз до 1200: верно?"),
        choices=(
            ChoiceView(1, both("Raise to 1200", "Рейз до 1200"), "TDA 2024 43-A"),
            ChoiceView(2, both("Call 600", "Колл 600"), "TDA 2024 44"),
        ),
        confirm=True,
        chips=((500, 2), (100, 2)),
        why=both("Floors do not agree on such a push.", "О таком движении флоры спорят."),
    ),
)
AGREE = msgspec.structs.replace(
    QUESTION,
    question=QuestionView(
        id=20,
        seat=6,
        text=both("Seat 6: Raise to 1675, add 250. Is that right?", "Место 6: рейз до 1675, добавить 250. Верно?"),
        choices=(),
        confirm=True,
        chips=((1000, 1), (100, 4), (25, 1)),
        why=both(
            "No antenna under his stack: one unseen chip of 25 would change this.",
            "Под стеком нет антенны: одна незамеченная фишка 25 изменила бы решение.",
        ),
    ),
)
IS_IT_THERE = msgspec.structs.replace(
    QUESTION,
    question=QuestionView(
        id=21,
        seat=6,
        text=both("Is a 100 on the bet spot of seat 6?", "Лежит ли фишка 100: поле ставки места 6?"),
        choices=(
            ChoiceView(
                1,
                both("It is there. Raise to 1200", "Лежит. Рейз до 1200"),
                "TDA 2024 43-A",
                ((100, 1),),
                both("bet spot of seat 6", "поле ставки места 6"),
            ),
            ChoiceView(
                2,
                both(
                    "It is not. No act: 1100 pays what was due, or is change", "Нет. Хода нет: 1100 — доплата или сдача"
                ),
                "",
            ),
        ),
        chips=((1000, 1), (100, 1)),
        must_choose=True,
    ),
)
WHICH_CHIPS = msgspec.structs.replace(
    QUESTION,
    chip_colours=((500, "red"), (100, "blue")),
    question=QuestionView(
        id=22,
        seat=6,
        text=both("Where do the chips lie?", "Где лежат фишки?"),
        choices=(
            ChoiceView(1, both("Only what is seen. Call 600", "Только то, что видно. Колл 600"), "TDA 2024 44"),
            ChoiceView(
                2,
                both(
                    "With 2 × 500, a 100 on the bet spot of seat 6. Raise to 1700",
                    "Ещё и 2 шт. по 500, 100 (поле ставки места 6). Рейз до 1700",
                ),
                "TDA 2024 43-A",
                ((500, 2), (100, 1)),
                both("bet spot of seat 6", "поле ставки места 6"),
            ),
            ChoiceView(
                3,
                both("With a 25 on the bet spot of seat 4. Call 625", "Ещё и 25 (поле ставки места 4). Колл 625"),
                "TDA 2024 44",
                ((25, 1),),
                both("bet spot of seat 4", "поле ставки места 4"),
            ),
        ),
        chips=((1000, 1),),
        must_choose=True,
    ),
)
DOUBT = msgspec.structs.replace(
    CHANGE,
    ruling=msgspec.structs.replace(
        ONE_CHIP_CALL,
        doubts=(
            both(
                "If a 100 lies on the bet spot of seat 4: Raise to 1100",
                "Если 100 лежит (поле ставки места 4): Рейз до 1100",
            ),
            both(
                "If a 25 lies on the bet spot of seat 4: Raise to 1025",
                "Если 25 лежит (поле ставки места 4): Рейз до 1025",
            ),
        ),
        more_doubts=2,
        readings=(
            ChoiceView(1, both("Raise to 1100", "Рейз до 1100"), "TDA 2024 43-A"),
            ChoiceView(2, both("Raise to 1025", "Рейз до 1025"), "TDA 2024 43-A"),
        ),
    ),
)
SIDE_CHANGE = msgspec.structs.replace(
    CHANGE,
    ruling=msgspec.structs.replace(
        ONE_CHIP_CALL,
        seat=2,
        headline=both("Seat 2: Call 12\u202f025, 7975 back", "Место 2: Колл 12\u202f025, вернуть 7975"),
        change_due=7_975,
        change=((5000, 1), (1000, 2), (500, 1), (100, 4), (25, 3)),
    ),
    seats=tuple(
        seat(s.seat, 24_000, bet=12_025, front=20_000, change_due=7_975, button=s.seat == 2, to_act=s.seat == 5)
        for s in CHANGE.seats
    ),
    to_act=5,
)
SIDE_POTS = table(
    phase="showdown",
    street="river",
    board=("Kh", "Kd", "9s", "4c", "Jc"),
    board_count=5,
    pot_total=48_350,
    pots=(
        PotView(9_200, (1, 3, 4, 6, 9)),
        PotView(14_400, (1, 3, 6, 9)),
        PotView(18_750, (3, 6, 9)),
        PotView(6_000, (6, 9)),
    ),
    button=2,
    seats=(
        seat(1, 0, state="all_in", cards=("Qs", "Qh"), last_action=both("All-in 5400", "Олл-ин 5400")),
        folded(2, 12_450, button=True),
        seat(3, 0, state="all_in", cards=("Ac", "Kc"), last_action=both("All-in 11\u202f650", "Олл-ин 11\u202f650")),
        seat(4, 0, state="all_in", last_action=both("All-in 1800", "Олл-ин 1800")),
        folded(5, 3_125),
        seat(6, 8_300, cards=("9c", "9d"), last_action=both("Call 14\u202f650", "Колл 14\u202f650")),
        folded(7, 11_900),
        folded(8, 9_000),
        seat(9, 0, state="all_in", cards=("Th", "8h"), last_action=both("All-in 14\u202f650", "Олл-ин 14\u202f650")),
    ),
    ruling=RulingView(
        seat=9,
        action="all_in_call",
        total_to=14_650,
        change_due=0,
        change=(),
        must_add=0,
        reopens=False,
        all_in=True,
        rule="TDA 2024 60",
        headline=both("Seat 9: all-in, call 14\u202f650", "Место 9: олл-ин, колл 14\u202f650"),
        sentence=both("All of the last chips went in.", "Поставлены все последние фишки."),
        chips=((5000, 2), (1000, 4), (500, 1), (100, 1), (25, 2)),
    ),
)
TEN = table(
    ante=200,
    pot_total=2_300,
    button=10,
    to_act=7,
    to_call=200,
    min_raise_to=400,
    max_raise_to=250_000,
    seats=(
        seat(1, 99_900, bet=100, front=100, last_action=SMALL_BLIND),
        seat(2, 125_800, bet=200, front=500, change_due=300, last_action=BIG_BLIND),
        seat(3, 88_000, bet=200, front=200, last_action=CALL_200),
        seat(4, 1_254_000, bet=200, front=200, last_action=CALL_200),
        folded(5, 77_125),
        seat(6, 64_000, bet=200, front=200, last_action=CALL_200),
        seat(7, 250_000, to_act=True, in_hand_value=25_000),
        seat(8, 91_000, waiting=500),
        seat(9, 9_000, cards_read=0, in_hand_value=1_000, waiting=500),
        seat(10, 100_000, button=True),
    ),
)
TWO = table(
    street="flop",
    board=("Qc", "8d", "8h"),
    board_count=3,
    pot_total=1_200,
    pots=(PotView(800, (1, 2)),),
    button=1,
    to_act=1,
    to_call=0,
    min_raise_to=200,
    max_raise_to=9_600,
    seats=(
        seat(1, 9_600, button=True, to_act=True),
        seat(2, 9_600, last_action=both("Check (inferred)", "Чек (по умолчанию)")),
    ),
    ruling=RulingView(
        seat=2,
        action="check",
        total_to=0,
        change_due=0,
        change=(),
        must_add=0,
        reopens=False,
        all_in=False,
        rule="inferred",
        headline=both("Seat 2: check", "Место 2: чек"),
        sentence=both("Nothing was owed and the next player acted.", "Доставлять было нечего, и пошёл следующий."),
        inferred=True,
    ),
)
UNKNOWN_CHIP = msgspec.structs.replace(
    PREFLOP,
    notices=(
        NoticeView(
            "foreign",
            "unknown",
            both("A tag that is in no list lies at the bet spot of seat 4", "На ставке места 4 метка не из списков"),
            4,
        ),
        NoticeView(
            "missing", "alarm", both("500 is missing from the bet of seat 3", "Из ставки места 3 пропало 500"), 3
        ),
        NoticeView(
            "not_seen",
            "info",
            both("Not seen: r500-003, g25-014 (tray of seat 6).", "Не видно: r500-003, g25-014 (лоток места 6)."),
            6,
        ),
    ),
    seats=tuple(msgspec.structs.replace(s, known=s.seat != 4) for s in PREFLOP.seats),
    unseen=("r500-003", "g25-014", "b100-007", "b100-008"),
    last_refusal=both("it is not the turn of seat 2", "сейчас не ход места 2"),
)
LOST_READER = msgspec.structs.replace(
    CHANGE,
    readers=(
        ReaderView("west", "lost", both("lost: no such port", "пропал: порта нет")),
        ReaderView("east", "up", UP),
        ReaderView("board", "starting", both("starting", "запуск")),
    ),
    broker="down",
    notices=(
        NoticeView(
            "unknown_lost",
            "unknown",
            both(
                "Not known: trays 1–3, bet spots 1–3. Reader west (no such port) is lost.",
                "Не видно: лотки 1–3, ставки 1–3. Пропал ридер west (порта нет).",
            ),
            None,
            "west",
        ),
    ),
    seats=tuple(msgspec.structs.replace(s, known=s.seat > 3) for s in CHANGE.seats),
)
HELD_UP = msgspec.structs.replace(
    LOST_READER,
    notices=(
        NoticeView(
            "push_waits_for_other",
            "unknown",
            both(
                "Seat 6 waits (Confirm: as it is shown): the bet spot of seat 3 is not known, a bet may lie there.",
                "Место 6 ждёт («Верно»: как показано): не читается поле ставки места 3, там может лежать ставка.",
            ),
            6,
        ),
        *LOST_READER.notices,
    ),
)
LOST_READERS = msgspec.structs.replace(
    LOST_READER,
    readers=tuple(
        ReaderView(name, "lost", both("lost: unplugged", "пропал: отключён"))
        for name in ("west", "east", "board", "muck", "button")
    ),
)
BACKS = msgspec.structs.replace(CHANGE, board=("As", "Td"), board_count=4)
BETWEEN = table(
    phase="between_hands",
    street=None,
    button=2,
    seats=tuple(seat(i, 5_000 + 725 * i, cards_read=None, state="waiting" if i == 5 else "in") for i in range(1, 7)),
)
PAYING = msgspec.structs.replace(
    SIDE_POTS,
    phase="paying",
    pots=(),
    pot_total=0,
    paying=31_000,
    seats=tuple(
        msgspec.structs.replace(
            s,
            won={6: 42_350, 9: 6_000}.get(s.seat, 0),
            to_come={6: 25_000, 9: 6_000}.get(s.seat, 0),
            front=2_000 if s.seat == 6 else 0,
            uncalled=2_000 if s.seat == 6 else 0,
        )
        for s in SIDE_POTS.seats
    ),
)
LONG_NAMES = msgspec.structs.replace(
    PREFLOP,
    table="the long green table at the window",
    seats=tuple(
        msgspec.structs.replace(
            s,
            name="Maximiliana Featherstonehaugh-Cholmondeley",
            last_action=both("Raise to 1\u202f250\u202f000", "Рейз до 1\u202f250\u202f000"),
        )
        for s in PREFLOP.seats
    ),
    ruling=msgspec.structs.replace(
        RAISE,
        headline=both(
            "Seat 10: all-in raise to 1\u202f250\u202f000, does not reopen",
            "Место 10: олл-ин, рейз до 1\u202f250\u202f000, торги не открыты",
        ),
        sentence=both(
            "The raise is smaller than the last full raise of 800\u202f000, so that players who have acted may call or fold "
            "and not raise again; players who have not acted yet may still raise.",
            "Рейз меньше последнего полного рейза 800\u202f000: уже ходившие могут уравнять или сбросить, но не повышать; "
            "не ходившие могут повышать.",
        ),
        change_due=14_650,
        change=((10000, 1), (1000, 4), (500, 1), (100, 1), (25, 2)),
        chips=((100000, 12), (25000, 2), (10000, 1), (5000, 1)),
    ),
)
POSTING = table(
    phase="posting",
    button=3,
    posts_due=(PostView(2, "big_blind", 200),),
    seats=(seat(1, 9_800, bet=100, front=100), seat(2, 12_450), seat(3, 8_200, button=True)),
)
ANTES = table(
    phase="posting",
    ante=25,
    button=10,
    posts_due=(
        PostView(1, "small_blind", 100),
        PostView(1, "ante", 25),
        PostView(2, "big_blind", 20_000),
        *(PostView(number, "ante", 25) for number in (2, 3, 4, 6, 7, 8)),
        PostView(10, "ante", 10),
    ),
    seats=tuple(seat(number, 9_000 if number < 10 else 10, cards_read=0) for number in range(1, 11)),
)
PAUSED = msgspec.structs.replace(CHANGE, paused=True)
COUNTING = table(
    phase="counting_in",
    street=None,
    hand_number=0,
    seats=tuple(seat(i, 5_000, known=i % 3 != 0, cards_read=None) for i in range(1, 10)),
    notices=(NoticeView("counting", "info", both("Trays 3, 6, 9 still to count", "Не сосчитаны лотки 3, 6, 9")),),
)

BEHIND = msgspec.structs.replace(
    PROVISIONAL,
    behind=BehindView(
        20,
        (4,),
        (5, 6),
        cards=True,
        text=both(
            "20 s behind: reading 4, waiting 5 6, dealer",
            "Отстаём 20 с: читаем 4, ждут 5 6, дилер",
        ),
    ),
)
FIXED_LIMIT = msgspec.structs.replace(PREFLOP, structure="FL", bets=(200, 400), max_raise_to=1000)

STUD = table(
    game="Seven-card stud",
    street="fifth",
    hole_cards=5,
    board_cards=0,
    structure="FL",
    bets=(200, 400),
    pot_total=2_450,
    button=6,
    to_act=4,
    to_call=400,
    min_raise_to=800,
    max_raise_to=800,
    ruling=RAISE,
    seats=(
        seat(1, 9_800, bet=400, front=400, up=("Kd", "7c", "Kh"), cards_read=5),
        folded(2, 12_450),
        seat(3, 8_200, bet=400, front=500, change_due=100, up=("Td", "9d", "8d"), cards_read=5),
        seat(4, 9_400, to_act=True, up=("As", "2h", "Jc"), cards_read=4),
        folded(5, 3_125),
        folded(6, 20_150),
        folded(7, 11_900),
        folded(8, 4_000),
    ),
)
STUD_TABLED = msgspec.structs.replace(
    STUD,
    phase="paying",
    street="seventh",
    hole_cards=7,
    to_act=None,
    seats=(
        seat(1, 9_800, cards=("As", "Ad", "Kd", "7c", "Kh", "2c", "3c"), won=1_225, to_come=1_225),
        folded(2, 12_450),
        seat(3, 8_200, cards=("2d", "3d", "Td", "5d", "8d", "4h", "Qs"), won=1_225),
        *STUD.seats[4:],
    ),
)
OMAHA = table(
    game="Omaha hi-lo, eight or better",
    phase="paying",
    street="river",
    hole_cards=4,
    board=("2h", "Kd", "5c", "7s", "8s"),
    board_count=5,
    pot_total=4_000,
    button=6,
    seats=(
        seat(1, 9_800, cards=("As", "3d", "Kh", "Ks"), won=3_000, to_come=3_000),
        seat(2, 0, state="all_in", cards=("Ad", "3s", "Qc", "Jc"), won=1_000, to_come=1_000),
        folded(3, 8_200),
        folded(4, 9_400),
        folded(5, 3_125),
        folded(6, 20_150),
    ),
)
DRAW = table(
    game="2-7 triple draw",
    phase="street_card",
    street="first_draw",
    hole_cards=5,
    board_cards=0,
    pot_total=1_200,
    button=6,
    to_draw=4,
    seats=(
        seat(1, 9_800, drew=2, cards_read=5),
        folded(2, 12_450),
        seat(3, 8_200, drew=0, cards_read=5),
        seat(4, 9_400, cards_read=5),
        folded(5, 3_125),
        folded(6, 20_150),
    ),
)

SAMPLES: dict[str, DealerSnapshot] = {
    "stud": STUD,
    "stud-tabled": STUD_TABLED,
    "omaha": OMAHA,
    "draw": DRAW,
    "readme": README,
    "preflop": PREFLOP,
    "fixed-limit": FIXED_LIMIT,
    "provisional": PROVISIONAL,
    "change": CHANGE,
    "add": ADD,
    "question": QUESTION,
    "many-choices": MANY_CHOICES,
    "confirm": CONFIRM,
    "agree": AGREE,
    "is-it-there": IS_IT_THERE,
    "which-chips": WHICH_CHIPS,
    "doubt": DOUBT,
    "side-change": SIDE_CHANGE,
    "side-pots": SIDE_POTS,
    "ten-seats": TEN,
    "two-seats": TWO,
    "unknown-chip": UNKNOWN_CHIP,
    "lost-reader": LOST_READER,
    "lost-readers": LOST_READERS,
    "held-up": HELD_UP,
    "backs": BACKS,
    "between-hands": BETWEEN,
    "paying": PAYING,
    "posting": POSTING,
    "antes": ANTES,
    "long-names": LONG_NAMES,
    "paused": PAUSED,
    "counting-in": COUNTING,
    "behind": BEHIND,
}
