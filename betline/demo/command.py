"""`betline demo`: a whole table without hardware."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES, known
from simulator.models.named import described, models_of

if TYPE_CHECKING:
    from betline.demo.run import Summary

Table = Literal["full", "spots-only"]


def run(
    *,
    headless: Annotated[bool, typer.Option("--headless", help="No screen, also where there is one.")] = False,
    hands: Annotated[int | None, typer.Option(min=1, help="End after so many hands; else go on until Ctrl-C.")] = None,
    seed: Annotated[int, typer.Option(help="Another evening: other players, other chips, other noise.")] = 1,
    speed: Annotated[float, typer.Option(min=0.1, max=200, help="So many times faster than life.")] = 1.0,
    table: Annotated[Table, typer.Option(help="All antennas, or bet spots and the dealer's keys.")] = "full",
    noise: Annotated[float, typer.Option(min=0, max=0.3, help="Share of rounds in which a tag is not read.")] = 0.01,
    radio: Annotated[
        list[str] | None, typer.Option(help=f"Radio and people as they are, repeatable: {described()}.")
    ] = None,
    language: Annotated[Language, typer.Option(help=f"Of screen and words: {', '.join(LANGUAGES)}.")] = ENGLISH,
    record: Annotated[
        Path | None, typer.Option("--record", help="Record bytes, inputs and events into this new .betrec file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON line that sums the evening up.")] = False,
) -> None:
    """Play hands at a table made of software: virtual readers on pseudo-terminals, the controller, screen and broker.

    Everything behind the antennas is the real thing. Ctrl-C ends it and sums up.

    \b
    betline demo                                       at a human pace, with the screen where there is one
    betline demo --headless --hands 20 --seed 7 --speed 50 --json
    betline demo --radio between --radio hand          a chip between two spots, a hand over a spot
    betline demo --hands 3 --record evening.betrec     then: betline replay evening.betrec
    """  # noqa: D301  -- \b keeps typer from joining the examples
    import signal
    import sys

    known(language)
    if not as_json:
        from controller.texts.sentences import phrase

        print(phrase("demo_begin")[language], file=sys.stderr, flush=True)
    import msgspec

    from betline.demo.run import Wishes, play

    wishes = Wishes(
        headless=headless,
        hands=hands,
        seed=seed,
        speed=speed,
        spots_only=table == "spots-only",
        noise=noise,
        models=models_of(radio or ()),
        language=language,
        quiet=as_json,
        record=str(record or ""),
    )
    for number in (signal.SIGTERM, signal.SIGHUP):  # whoever ends it politely ends it as Ctrl-C does
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, signal.default_int_handler)
    summary = play(wishes)
    if as_json:
        print(msgspec.json.encode(summary).decode(), flush=True)
    else:
        _print(summary, language)
    if summary.exact != summary.hands or summary.wrong_rulings or summary.hands < (hands or 0):
        sys.exit(1)


def _print(summary: "Summary", language: Language) -> None:
    from betline.demo.captions import summed_up

    figures = summary.hands, summary.exact, summary.wrong_rulings, summary.asked, summary.elapsed_s
    print(summed_up(*figures)[language])
    for line in summary.mismatches:
        print(f"  {line}")
