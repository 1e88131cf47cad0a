"""Opens what a table runs on: journal, core, sockets, pins, broker, readers; and closes it again, the last one first.

Files are read before anything is opened. Where a step fails, what was opened before it is closed.
"""

import contextlib
import logging
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from controller.authority import keys
from controller.authority.gate import Gate
from controller.authority.taken import Taken
from controller.commands import By, Command
from controller.config.config import Config, beside
from controller.core import build
from controller.core.core import Core
from controller.errors import ConfigError
from controller.journal import file as journal_file
from controller.journal import renew
from controller.journal.book import Journal
from controller.publish.feeds import Feeds, check_place
from controller.publish.mqtt import Publisher
from controller.publish.security import Secrets
from controller.publish.topics import About, Topics
from controller.recording.file import Kind
from controller.recording.recorder import Recorder, header_of
from controller.registry import ignored, registry
from controller.registry.colours import chip_colours
from controller.registry.registry import Registry
from controller.rulings.profiles import ProfileError
from controller.rulings.rules import Rules
from controller.service.exposed import exposed
from controller.service.gpio import Panel, command_of, pin_factory
from controller.service.mailbox import Mailbox
from controller.table.state import State
from controller.texts import languages
from firmware_bridge.bridge import Bridge
from firmware_bridge.events import Value
from firmware_bridge.files import no_file
from firmware_bridge.port_cures import trouble_of

RECORDED: tuple[Kind, ...] = ("bytes", "calls", "rounds", "ticks", "events")
FAREWELL_S = 1.0  # for MQTT to say goodbye: whoever ends the table waits for it
_LOG = logging.getLogger("betline")


class Opened(Value, frozen=True):
    """Everything that a running table has open."""

    journal: Journal
    core: Core
    publisher: Publisher
    feeds: Feeds
    panel: Panel | None  # None: no buttons and no lights
    bridge: Bridge
    ignored: Path  # file of the tags that somebody called no chips
    chip_colours: tuple[tuple[int, str], ...]  # of the house's chips, by value


class Read(Value, frozen=True):
    """The files that table.toml names."""

    items: Registry
    rules: Rules
    secrets: Secrets
    gate: Gate


class Opening:
    """One table.toml. Whatever is wrong is a BetlineError of one line, with its cure."""

    def __init__(self, config: Config, file: Path) -> None:
        self._config = config
        self._file = file
        self._journal = beside(file, config.journal.path)

    def check(self) -> None:
        """Read what `opened` needs, and look at its ports without opening them; the first fault is told.

        `opened` itself goes on without a port: a reader may be plugged in later.
        """
        self._read()
        self._check_pins()
        journal_file.check_kind(self._journal, create=True)
        for name in (self._config.sockets.public, self._config.sockets.dealer):
            check_place(beside(self._file, name))
        for number, reader in enumerate(self._config.reader, 1):
            trouble = trouble_of(reader.port)
            if trouble is not None:
                raise ConfigError(f"{self._file}: [[reader]] no. {number}, key 'port': {trouble}")

    def _check_pins(self) -> None:
        """Whether this machine has the pins that buttons and lights need, and the buttons say what can be said."""
        config = self._config
        for button in config.button:
            command_of(button)
        if config.button or config.light:
            try:
                pin_factory(config.pin_factory).close()
            except ConfigError as error:
                raise ConfigError(f"{self._file}: {error}") from error

    @contextlib.contextmanager
    def opened(self, mail: Mailbox, recorder: Recorder | None = None) -> Iterator[Opened]:
        """All of it, open; closed when the block ends."""
        read = self._read()
        for line in exposed(self._config, self._file):
            _LOG.warning("%s", line)
        with contextlib.ExitStack() as closing:
            yield self._open(read, mail, recorder, closing)

    # ------------------------------------------------------------------ files
    def _read(self) -> Read:
        self._check_names()
        languages.check_all()
        return Read(self._registry(), self._rules(), self._secrets(), self._gate())

    def _check_names(self) -> None:
        """The files that table.toml names are files, each under its key."""
        table = self._config.table
        named = [("[table], key 'chips'", table.chips)]
        named += [("[table], key 'cards'", name) for name in table.cards]
        for where, name in named:
            path = beside(self._file, name)
            fault = no_file(path) if path.name else "is a folder: name a file in it"
            if fault is None and not path.exists():
                fault = "is not there: enrol it (betline enroll), or mend the name"
            if fault is not None:
                raise ConfigError(f"{self._file}: {where}: {path} {fault}")
        fault = no_file(self._journal)
        if fault is not None:
            raise ConfigError(f"{self._file}: [journal], key 'path': {self._journal} {fault}")

    def _registry(self) -> Registry:
        """What was enrolled, and the tags that somebody called no chips."""
        table = self._config.table
        tags = ignored.load(ignored.file_for(self._journal))
        items = registry.load(beside(self._file, table.chips), [beside(self._file, name) for name in table.cards])
        return ignored.extend(items, tags)

    def _rules(self) -> Rules:
        """The house profile: a name that betline knows, or a TOML file beside table.toml."""
        profile = self._config.table.profile
        try:
            return Rules.named(str(beside(self._file, profile)) if profile.endswith(".toml") else profile)
        except ProfileError as error:
            raise ConfigError(f"{self._file}: [table], key 'profile': {error}") from error

    def _secrets(self) -> Secrets:
        """What [mqtt] names beside table.toml: password, key, certificates."""
        try:
            return Secrets.of(self._config.mqtt, self._file.parent)
        except ConfigError as error:
            raise ConfigError(f"{self._file}: {error}") from error

    def _gate(self) -> Gate:
        """Whose signatures count; keys are read again for each command, and so must be in order now."""
        file = beside(self._file, self._config.authority.keys)
        found, table = keys.load(file), self._config.table.name
        if found is not None and found.table != table:
            raise ConfigError(f"{file}: its keys are of table {found.table!r}, not {table!r}: name its own file")
        return Gate(table, keys.KeyFile(file).find, Taken(self._journal.with_suffix(".taken")))

    # ------------------------------------------------------------------ open
    def _open(self, read: Read, mail: Mailbox, recorder: Recorder | None, closing: contextlib.ExitStack) -> Opened:
        """Each part is closed by `closing` from the moment on when it holds something. The readers come last."""
        journal, renewed = renew.open_table(self._journal)
        if renewed is not None:
            _LOG.warning("%s: a backup: %s", journal.path, renewed)
        closing.callback(journal.close)
        state = self._recovered(journal, read)
        if recorder is not None:
            self._record(recorder, read, state, journal.last_n)
            closing.callback(recorder.close)
        feeds = self._feeds(mail, read.gate)
        closing.callback(feeds.stop)
        panel = self._panel(mail, journal)
        if panel is not None:
            closing.callback(panel.close)
        publisher = self._publisher(journal, read, mail)
        closing.callback(publisher.stop, FAREWELL_S)
        publisher.start()
        bridge = Bridge(build.readers(self._config), mail.put, recorder.tap if recorder else None)
        closing.callback(bridge.close)
        bridge.start()
        core = build.core(self._config, read.items, read.rules, state, journal.last_n)
        colours = chip_colours(read.items.items.values())
        return Opened(journal, core, publisher, feeds, panel, bridge, ignored.file_for(self._journal), colours)

    def _recovered(self, journal: Journal, read: Read) -> State | None:
        """The state that the journal left; None for a new one."""
        seats, game = self._config.table.seats, self._config.game
        fresh = build.engine(self._config, read.items, read.rules).initial(seats, game)
        state = journal.replay(fresh)
        _LOG.info("%s: %d events", journal.path, journal.last_seq)
        return state if journal.last_seq else None

    def _record(self, recorder: Recorder, read: Read, state: State | None, n: int) -> None:
        profile = read.rules.profile if self._config.table.profile.endswith(".toml") else None
        recorder.begin(header_of(self._config, tuple(read.items.items.values()), RECORDED, profile, state, n=n))

    def _feeds(self, mail: Mailbox, gate: Gate) -> Feeds:
        public, dealer = (
            beside(self._file, name) for name in (self._config.sockets.public, self._config.sockets.dealer)
        )
        feeds = Feeds(public, dealer, mail.tell, trust=self._config.authority.socket, gate=gate)
        feeds.start()
        return feeds

    def _panel(self, mail: Mailbox, journal: Journal) -> Panel | None:
        """Buttons speak to the turn of the moment in which they are pressed."""
        config = self._config

        def press(command: Command, by: By) -> None:
            mail.tell(command, by, lambda error: _LOG.info("button: %s", error) if error else None, journal.last_n)

        if not config.button and not config.light:
            return None
        return Panel(config, press, pin_factory(config.pin_factory))

    def _publisher(self, journal: Journal, read: Read, mail: Mailbox) -> Publisher:
        config, table = self._config, self._config.table
        return Publisher(
            config.mqtt,
            Topics(table.name, table.seats, tuple(reader.id for reader in config.reader), config.mqtt.private),
            About(journal.epoch, journal.boot, version("betline")),
            mail.tell,
            mail.wake,
            language=config.screen.language,
            secrets=read.secrets,
            gate=read.gate,
        )
