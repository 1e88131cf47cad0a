"""Lines of bytes to answers of bytes: what `betline rule` does between its input and its output."""

import msgspec

from betline.rule.answers import answer
from betline.rule.case import CaseLine, parse
from betline.rule.explained import explained
from betline.rule.json_line import document_of, id_of, refuse_doubles
from betline.rule.tables.house import with_switches
from betline.rule.tables.kinds import table_answer
from betline.rule.tables.line import table_line
from controller.errors import CaseError, ConfigError
from controller.rulings import profiles
from controller.rulings.rules import Rules
from controller.snapshot import Language

TABLE = b'"table"'  # a line that holds this may be of that type


class Judge:
    """Judges line after line; `failed` tells whether one could not be judged."""

    def __init__(self, profile: str, language: Language, *, explain: bool = False) -> None:
        try:
            self._default = Rules.named(profile)
        except profiles.ProfileError as error:
            raise ConfigError(str(error)) from None
        self._language = language
        self._explain = explain
        self._houses = {self._default.profile.name.casefold(): self._default}
        self._encode = msgspec.json.Encoder().encode
        self.failed = False

    def judged(self, line: bytes | None) -> bytes:
        """The answer to one line, or the error; None is a line too long to be a case."""
        try:
            return self._answered(line) + b"\n"
        except CaseError as error:
            self.failed = True
            name = None if line is None else id_of(line)
            return self._encode({"id": name, "error": str(error)}) + b"\n"

    def _answered(self, line: bytes | None) -> bytes:
        if line is None:
            raise CaseError("the line is longer than 1 MiB; one case a line")
        if TABLE in line and (found := self._table_answer(line)) is not None:
            return self._encode(found)
        case, unknown = parse(line)
        rules = self._default if case.profile is None else self._house(case.profile)
        lines = explained(case, rules, self._language) if self._explain else None
        return self._encode(self._answer(case, unknown, rules)) if lines is None else lines.encode()

    def _table_answer(self, line: bytes) -> dict[str, object] | None:
        """The answer to a line of type "table"; None: it is of another type."""
        document = document_of(line)
        if document.get("type") != "table":
            return None
        refuse_doubles(line, document)
        case = table_line(document)
        rules = self._default if case.house_name is None else self._house(case.house_name)
        return {"id": case.id, **table_answer(case, with_switches(rules.profile, case.house))}

    def _answer(self, case: CaseLine, unknown: tuple[str, ...], rules: Rules) -> dict[str, object]:
        found = {"id": case.id, **answer(case, rules, self._language)}
        return {**found, "ignored": list(unknown)} if unknown else found

    def _house(self, name: str) -> Rules:
        """A house of the package by name; a line cannot name a file."""
        house = self._houses.get(name.casefold())
        if house is None:
            if name.casefold() not in {known.casefold() for known in profiles.names()}:
                raise CaseError(f'profile "{name}" is unknown: {profiles.nearest(name, profiles.names())}')
            house = self._houses[name.casefold()] = Rules.named(name)
        return house
