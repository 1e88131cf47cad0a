"""Models of what people do with their chips: they change the script, or how long hands take for it."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from simulator.acts import Cue, PushChips, TakeChange, tray
from simulator.felt import Felt
from simulator.models.models import CutOut, Dribble, Model
from simulator.script import Script


def as_people_do(script: Script, models: Iterable[Model]) -> Script:
    """The script with what the models let people do besides."""
    for model in models:
        if isinstance(model, CutOut):
            script = replace(script, cues=tuple(_cutting(script, model)))
    return script


def dribble_ms(models: Iterable[Model]) -> int:
    """From the first to the last chip of a push; 0: they come in one motion."""
    return max((int(model.seconds * 1000) for model in models if isinstance(model, Dribble)), default=0)


def _cutting(script: Script, model: CutOut) -> Iterator[Cue]:
    """Every push of a decision with more chips of its kind, and those taken back."""
    felt = Felt(script.layout.values, script.layout.lies)
    for cue in script.cues:
        more = _more(felt, cue, model.chips)
        if more and isinstance(cue.act, PushChips):
            yield replace(cue, act=replace(cue.act, chips=(*cue.act.chips, *more)))
            yield Cue(int(model.seconds * 1000), TakeChange(cue.act.seat, more), cue.decision, at_once=True)
        else:
            yield cue
        felt.move(cue.act.moves)


def _more(felt: Felt, cue: Cue, most: int) -> tuple[str, ...]:
    if not isinstance(cue.act, PushChips) or cue.decision is None:
        return ()
    chips, kind = cue.act.chips, felt.value(cue.act.chips[-1])
    left = [chip for chip in felt.on(tray(cue.act.seat)) if chip not in chips and felt.value(chip) == kind]
    return tuple(left[:most])
