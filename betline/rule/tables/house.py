"""The switches that a table line sets on top of its house, in the words of the case file."""

from typing import Any

import msgspec

from controller.errors import CaseError
from controller.rulings.profiles import nearest
from controller.rulings.switches import Profile

# switch of the case file -> its values there, as this program writes them; a switch that is not here keeps its words
WORDS: dict[str, dict[Any, Any]] = {
    "bba_order": {"bb_first": "blind_first"},
}


def with_switches(profile: Profile, house: dict[str, Any]) -> Profile:
    """The house with these switches. Raises CaseError with the switch and its values."""
    found = msgspec.structs.asdict(profile)
    for switch, value in house.items():
        if switch not in found or switch in {"name", "title"}:
            raise CaseError(f'house: switch "{switch}" is unknown: {nearest(switch, tuple(found))}')
        found[switch] = WORDS.get(switch, {}).get(value, value) if isinstance(value, str | bool | int) else value
    try:
        return msgspec.convert(found, Profile)
    except msgspec.ValidationError as error:
        raise CaseError(f"house: {str(error).replace('`', '')}") from None
