"""table.toml: what it may say, and one clear line for everything else."""

import copy
import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import commands
from controller.config import config, sections
from controller.errors import ConfigError
from controller.games.catalog import admit, played
from controller.places import Place, Zone
from controller.table.setup import Stakes
from firmware_bridge.drivers import catalog
from tests.controller.engine.played import Played

GOOD = """
schema = 1
[table]
name = "home"
seats = 2
[game]
blinds = [100, 200]
[reading]
steps = "auto"
[[reader]]
id = "west"
driver = "tablelink"
port = "/dev/serial/by-id/usb-betline_west-if00"
options = {}
[[antenna]]
reader = "west"
number = 1
place = "spot"
seat = 1
[[antenna]]
reader = "west"
number = 2
place = "spot"
seat = 2
[[antenna]]
reader = "west"
number = 3
place = "pot"
tags = 100
[mqtt]
host = "localhost"
[[button]]
pin = 17
says = "call"
seat = 1
"""


def load(tmp_path: Path, text: str) -> config.Config:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    return config.load(file)


def test_a_good_file_loads_with_its_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path, GOOD)
    assert loaded.game.blinds == (100, 200)
    assert loaded.house.confirm == "fragile"
    assert loaded.mqtt.port == 1883
    assert config.place_of(loaded.antenna[1]) == Place(Zone.SPOT, 2)
    assert loaded.sensors.pot
    assert not loaded.sensors.board


@pytest.mark.parametrize(
    "host", ["::1", "fe80::1:2", "::ffff:10.0.0.1", "2001:db8:0:0:0:0:0:1", "10.0.0.1", "pi.local"]
)
def test_a_broker_is_a_name_or_an_address_of_either_kind(tmp_path: Path, host: str) -> None:
    assert load(tmp_path, GOOD.replace("localhost", host)).mqtt.host == host


@pytest.mark.parametrize("broker", ['host = "localhost"', 'host = "pi.local"\ntls = true\nusername = "club"'])
def test_the_dealers_view_goes_to_a_guarded_broker(tmp_path: Path, broker: str) -> None:
    assert load(tmp_path, GOOD.replace('host = "localhost"', f"{broker}\nprivate = true")).mqtt.private


def test_several_antennas_may_share_the_board_but_not_a_bet_spot(tmp_path: Path) -> None:
    board = '[[antenna]]\nreader = "west"\nnumber = {}\nplace = "board"\n'
    assert load(tmp_path, GOOD + board.format(7) + board.format(8)).sensors.board


FAULTS = {
    "unknown section": ("[tabel]\nx = 1\n", "unknown key 'tabel': did you mean 'table'?"),
    "unknown key in a section": ("[house]\nchek = 'say'\n", "unknown key 'chek' in [house]: did you mean 'check'?"),
    "unknown key in a list": (
        "[[reader]]\nid='a'\ndriver='m100'\nport='x'\noption={}\n",
        "in [[reader]] no. 2: did you mean 'options'?",
    ),
    "wrong type": ("[journal]\npath = 3\n", "[journal], key 'path': expected text in quotes, got a whole number"),
    "a section twice": ("[[house]]\ncheck = 'say'\n", "write [house], once"),
    "a list once": ("[light]\npin = 3\nseat = 1\n", "write [[light]] over each"),
    "missing key": ("[[light]]\npin = 3\n", "[[light]] no. 1: key 'seat' is missing: add it"),
    "wrong choice": ("[house]\nconfirm = 'fragil'\n", "did you mean 'fragile'? Use"),
    "unknown place": (
        "[[antenna]]\nreader='west'\nnumber=9\nplace='spott'\n",
        "[[antenna]] no. 4, key 'place': 'spott' is not possible: did you mean 'spot'?",
    ),
    "driver": (
        "[[reader]]\nid='a'\ndriver='tablelnk'\nport='x'\n",
        "[[reader]] no. 2, key 'driver': no driver 'tablelnk': did you mean 'tablelink'?",
    ),
    "reader id twice": ("[[reader]]\nid='west'\ndriver='m100'\nport='x'\n", "'west' is used twice"),
    "reader id": ("[[reader]]\nid='a/b'\ndriver='m100'\nport='x'\n", "use 1 to 40 letters"),
    "two readers on one port": (
        "[[reader]]\nid='a'\ndriver='m100'\nport='/dev/serial/../serial/by-id/usb-betline_west-if00'\n",
        "is also the port of 'west'",
    ),
    "empty port": ("[[reader]]\nid='a'\ndriver='m100'\nport=''\n", "name the port, as in /dev/ttyUSB0"),
    "unknown reader": (
        "[[antenna]]\nreader='wset'\nnumber=9\nplace='muck'\n",
        "[[antenna]] no. 4, key 'reader': no [[reader]] has the id 'wset': did you mean 'west'?",
    ),
    "duplicate antenna": ("[[antenna]]\nreader='west'\nnumber=2\nplace='muck'\n", "antenna 2 of 'west' is already no. 2"),
    "duplicate place": ("[[antenna]]\nreader='west'\nnumber=9\nplace='spot'\nseat=2\n", "the spot of seat 2 is already no. 2"),
    "seat out of range": ("[[antenna]]\nreader='west'\nnumber=9\nplace='tray'\nseat=3\n", "3 is out of range: use 1 to 2"),
    "a tray needs a seat": ("[[antenna]]\nreader='west'\nnumber=9\nplace='tray'\n", "a tray belongs to a seat: add seat = 1"),
    "a board has no seat": (
        "[[antenna]]\nreader='west'\nnumber=9\nplace='board'\nseat=1\n",
        "the board belongs to no seat: remove it",
    ),
    "no antenna under hands": ("[[antenna]]\nreader='west'\nnumber=9\nplace='held'\nseat=1\n", "'held' has no antenna"),
    "antenna number": ("[[antenna]]\nreader='west'\nnumber=-1\nplace='muck'\n", "-1 is out of range"),
    "no room for tags": ("[[antenna]]\nreader='west'\nnumber=9\nplace='muck'\ntags=0\n", "key 'tags': 0 is out of range"),
    "pin": ("[[light]]\npin = 40\nseat = 1\n", "[[light]] no. 1, key 'pin' (BCM): 40 is out of range: use 0 to 27"),
    "pin twice": ("[[light]]\npin = 17\nseat = 1\n", "pin 17 is used 2 times"),
    "light of no seat": ("[[light]]\npin = 3\nseat = 9\n", "key 'seat': 9 is out of range"),
    "a button above its role": (
        "[[button]]\npin = 5\nsays = 'stack 1 500'\n",
        "[[button]] no. 2, key 'says': without authority: this needs the role floor, and you are dealer: see [authority]",
    ),
    "a player's button above his role": (
        "[[button]]\npin = 5\nsays = 'undo'\nseat = 1\n",
        "needs the role dealer, and you are player of seat 1",
    ),
    "what a button says": ("[[button]]\npin = 5\nsays = 'cal'\n", "[[button]] no. 2, key 'says': 'cal' is not known"),
    "a button of no seat": ("[[button]]\npin = 5\nsays = '7 call'\n", "[[button]] no. 2, key 'says': seat: 7 is out of range: use 1 to 2"),
    "one socket for both": ("[sockets]\npublic = 'a'\ndealer = 'a'\n", "only the dealer's may take commands"),
    "one socket by two names": (
        "[sockets]\npublic = 'a'\ndealer = './a'\n",
        "[sockets], key 'dealer': ./a is also [sockets], key 'public': give each a file of its own",
    ),
    "a socket over the journal": ("[sockets]\ndealer = 'journal.db'\n", "journal.db is also [journal], key 'path'"),
    "a socket over the journal's log": ("[sockets]\npublic = 'journal.db-wal'\n", "is also [journal], key 'path'"),
    "a journal over the chips": ("[journal]\npath = 'chips.csv'\n", "chips.csv is also [table], key 'chips'"),
    "a journal over this file": ("[journal]\npath = 'table.toml'\n", "table.toml is also table.toml itself"),
    "option of a few words": (
        "[[reader]]\nid='a'\ndriver='m100'\nport='x'\noptions={framing='cc'}\n",
        "option `framing`: use ",
    ),
    "no number": ("[[light]]\npin = 3\nseat = nan\n", "[[light]] no. 1, key 'seat': expected a whole number, got a number: mend nan"),
    "text for a number that may be absent": (
        "[[antenna]]\nreader='west'\nnumber=9\nplace='tray'\nseat='x'\n",
        "key 'seat': expected a whole number, got text in quotes",
    ),
    "socket path": (f"[sockets]\npublic = '{'x' * 120}'\n", "shorten it"),
    "driver option": (
        "[[reader]]\nid='a'\ndriver='m100'\nport='x'\noptions={baudd=9600}\n",
        "[[reader]] no. 2, key 'options': a: driver m100 has no option 'baudd': did you mean 'baud'?",
    ),
    "control characters": ("[journal]\npath = 'a\\u0000b'\n".replace("'", '"'), "[journal], key 'path': holds the character U+0000"),
    "a name without end": (f"[journal]\npath = '{'x' * 600}'\n", "[journal], key 'path': has 600 characters, more than 500"),
    "a blank name": ("[journal]\npath = '  '\n", "[journal], key 'path': is blank"),
    "a list of blanks": ("[[reader]]\nid='a'\ndriver='m100'\nport=' '\n", "[[reader]] no. 2, key 'port': is blank"),
    "an address that is none": ("[[reader]]\nid='a'\ndriver='m100'\nport='foo://x'\n", "[[reader]] no. 2, key 'port': foo://x: no address"),
    "no journal": ("[journal]\npath = ''\n", "[journal], key 'path': is empty"),
}  # fmt: skip
CHANGES = {
    "newer schema": ("schema = 1", "schema = 2", "this betline reads 1"),
    "table name": ('name = "home"', 'name = "Home/1"', "is part of MQTT topics"),
    "house rules": ('name = "home"', 'profile = "TDA2042"', "[table], key 'profile': "),
    "a file of house rules": ('name = "home"', 'profile = "mine.toml"', "mine.toml"),
    "too many seats": ("seats = 2", "seats = 11", "11 is out of range: use 2 to 10"),
    "one seat": ("seats = 2", "seats = 1", "use 2 to 10"),
    "a seat without a spot": ("seats = 2", "seats = 4", "no bet spot for seat 3, 4"),
    "blinds the wrong way": ("[100, 200]", "[200, 100]", "as in [100, 200]"),
    "one blind": ("[100, 200]", "[100]", "as in [100, 200]"),
    "negative blinds": ("[100, 200]", "[-1, 200]", "as in [100, 200]"),
    "ante nobody posts": ("[100, 200]", "[100, 200]\nante = 25", "nobody posts it"),
    "variant": (
        "[100, 200]",
        '[100, 200]\nvariant = "POO"',
        "'POO' is no game here: did you mean PO (Omaha, pot limit)",
    ),
    "a big bet in no limit": ("[100, 200]", "[100, 200]\nbig_bet = 400", 'use variant = "FT"'),
    "a big bet under the small": ("[100, 200]", '[100, 200]\nvariant = "FT"\nbig_bet = 150', "use 400, or remove it"),
    "a spread in no limit": ("[100, 200]", "[100, 200]\nspread = [100, 500]", 'use variant = "ST"'),
    "spread limit without a spread": ("[100, 200]", '[100, 200]\nvariant = "ST"', "as in [100, 500]"),
    "a spread the wrong way": ("[100, 200]", '[100, 200]\nvariant = "ST"\nspread = [500, 100]', "as in [100, 500]"),
    "a blind outside the spread": (
        "[100, 200]",
        '[100, 200]\nvariant = "ST"\nspread = [10, 100]',
        "the big blind of 200 is no bet from 10 to 100",
    ),
    "a kill of its own": ("[100, 200]", '[100, 200]\nkill = "triple"', "kill"),
    "steps": ('steps = "auto"', "steps = 1", "[reading], key 'steps': 1 is out of range: use 2 to 20"),
    "steps word": ('steps = "auto"', 'steps = "many"', "Use a whole number, auto"),
    "quiet time": ('steps = "auto"', "quiet_ms = 0", "[reading], key 'quiet_ms'"),
    "mqtt port": ('host = "localhost"', "port = 70000", "[mqtt], key 'port': 70000"),
    "a broker's address": ('host = "localhost"', 'host = "mqtt://pi:1883"', "write it alone, as in broker.local"),
    "a broker and its port in one": ('host = "localhost"', 'host = "10.0.0.1:1883"', "its port is [mqtt] port"),
    "a view in the open": (
        'host = "localhost"',
        'host = "pi.local"\nprivate = true',
        "[mqtt], key 'private': the dealer's view needs a broker",
    ),
    "a view over TLS of anybody": (
        'host = "localhost"',
        'host = "pi.local"\nprivate = true\ntls = true',
        "and a username",
    ),
    "a view of no broker": ('host = "localhost"', "private = true", "[mqtt], key 'private'"),
    "certificate unused": ('host = "localhost"', 'ca_file = "ca.pem"', "add tls = true"),
    "infinite quiet": (
        'steps = "auto"',
        "quiet_ms = 1e400",
        "[reading], key 'quiet_ms': expected a whole number, got a number",
    ),
    "no number": ('steps = "auto"', "quiet_ms = nan", "[reading], key 'quiet_ms': expected a whole number"),
    "true for a number": (
        'steps = "auto"',
        "quiet_ms = true",
        "[reading], key 'quiet_ms': expected a whole number, got true or false",
    ),
    "a huge number": ('steps = "auto"', f"quiet_ms = {10**30}", "[reading], key 'quiet_ms'"),
    "everybody may command": (
        'host = "localhost"',
        'commands = "dealer"',
        "[mqtt], key 'commands': 'dealer' trusts whom",
    ),
    "no word for commands": ('host = "localhost"', 'commands = "everybody"', "Use dealer, floor, none, signed"),
    "one secret for all": ('host = "localhost"', 'key_file = "secret"', "remove it, and run betline key"),
    "password alone": ('host = "localhost"', 'password_file = "x"', "add the user name"),
    "no TOML": ("schema = 1", "schema = ", "no TOML"),
}


def said(tmp_path: Path, text: str) -> str:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, text)
    line = str(error.value)
    assert line.startswith(str(tmp_path / "table.toml"))
    assert "\n" not in line
    return line


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_names_the_key_and_the_cure(tmp_path: Path, fault: str) -> None:
    added, part = FAULTS[fault]
    assert part in said(tmp_path, GOOD + added)


@pytest.mark.parametrize("change", CHANGES)
def test_each_bad_value_names_the_key_and_the_cure(tmp_path: Path, change: str) -> None:
    old, new, part = CHANGES[change]
    assert old in GOOD
    assert part in said(tmp_path, GOOD.replace(old, new, 1))


def test_two_names_of_one_device_are_one_port(tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    text = GOOD.replace("/dev/serial/by-id/usb-betline_west-if00", str(tmp_path / "ttyUSB0"))
    reader = f"[[reader]]\nid='east'\ndriver='m100'\nport='{tmp_path / 'by-id'}'\n"
    assert "is also the port of 'west'" in said(tmp_path, text + reader)


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.toml", tmp_path):
        with pytest.raises(ConfigError, match=r"betline init|is a folder"):
            config.load(path)
    (tmp_path / "latin.toml").write_bytes(b'[table]\nname = "caf\xe9"\n')
    with pytest.raises(ConfigError, match="UTF-8"):
        config.load(tmp_path / "latin.toml")


def test_a_named_file_is_taken_and_a_missing_default_tells_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "DEFAULT_FILES", (Path("table.toml"),))
    assert config.find(Path("x.toml")) == Path("x.toml")
    with pytest.raises(ConfigError, match="betline init"):
        config.find(None)
    Path("table.toml").touch()
    assert config.find(None) == Path("table.toml")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
KEYS = st.sampled_from(["table", "name", "seats", "reader", "antenna", "id", "place", "options", "game", "blinds", "x"])
DOCUMENTS = st.dictionaries(
    KEYS,
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8),
    max_size=5,
)  # fmt: skip


@settings(max_examples=300, derandomize=True)
@given(DOCUMENTS)
def test_any_document_is_a_configuration_or_one_line(document: dict[str, object]) -> None:
    try:
        assert isinstance(sections.convert(document, config.Config), config.Config)
    except ConfigError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 -- both outcomes are right


NASTY = [
    "1e400", "-1e400", "nan", "true", "1" + "0" * 30, "-1", "-9223372036854775809", "0", "1.5", '""', '"\\u0000"',
    f'"{"x" * 10_000}"', "[]", "{}", "1979-05-27", "07:32:00", '"\\n"', '"a\\u001bb"', "[1, 2, 3]", "[true, false]", "[1e400, 2]",
    "[nan, nan]", "{a = 1}", '"/dev/null"', '"."', "-0.0", '" "', '["\\u0000"]', "[100, 99999999999999999999]",
]  # fmt: skip
KEYS_OF = {
    section.encode_name: tuple(shape.__struct_fields__)
    for section in msgspec.structs.fields(config.Config)
    for shape in (section.type, *getattr(section.type, "__args__", ()))
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct)
}


def test_every_section_is_tried() -> None:
    assert len(KEYS_OF) >= 12
    assert {"table", "game", "house", "reading", "reader", "antenna", "mqtt", "button"} <= set(KEYS_OF)


@pytest.mark.parametrize(("section", "key"), [(section, key) for section, keys in KEYS_OF.items() for key in keys])
def test_any_value_of_any_key_is_taken_or_one_line_that_names_the_key(tmp_path: Path, section: str, key: str) -> None:
    """Infinite, not a number, huge, negative, blank, of another type: never a traceback, never a control character."""
    plain = tomllib.loads(GOOD)
    for nasty in NASTY:
        value = tomllib.loads(f"v = {nasty}")["v"]
        document = copy.deepcopy(plain)
        place = document.setdefault(section, [{}] if section == "light" else {})
        (place[0] if isinstance(place, list) else place)[key] = value
        try:
            loaded = sections.convert(document, config.Config)
            config._check(loaded, tmp_path / "table.toml", tuple(catalog.DRIVERS))
        except ConfigError as error:
            line = str(error)
            assert line.isprintable(), line
            assert len(line) < 1000
            assert key in line or section == "light"


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    """As editors of Windows save it."""
    path = tmp_path / "table.toml"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert config.load(path) == load(tmp_path, GOOD)


# --- a house's own game
OWN_GAME = 'extends = "omaha"\ntitle = "Mine"\nhands = ["high", "low8"]\nseats = [2, 4]\n'


@pytest.mark.parametrize(("variant", "structure"), [("mine.toml", "NL"), ("P mine.toml", "PL"), ("F mine.toml", "FL")])
def test_a_game_of_ones_own_is_played_by_the_name_of_its_file(tmp_path: Path, variant: str, structure: str) -> None:
    (tmp_path / "mine.toml").write_text(OWN_GAME)
    loaded = load(tmp_path, GOOD.replace("[100, 200]", f'[100, 200]\nvariant = "{variant}"'))
    game, found = played(loaded.game.variant)
    assert (game.title, game.hands, found) == ("Mine", ("high", "low8"), structure)
    assert game.codes["PL"] == "PMINE"


@pytest.mark.parametrize(
    ("variant", "game", "says"),
    [
        ("mine.toml", OWN_GAME.replace("hands", "hand"), "[game], key 'variant': "),
        ("mine.toml", OWN_GAME.replace("hands", "hand"), 'did you mean "hands"?'),
        ("none.toml", OWN_GAME, "none.toml: cannot be read"),
        ("X mine.toml", OWN_GAME, "X mine.toml: cannot be read"),
        ("mine.toml", OWN_GAME.replace("[2, 4]", "[3, 4]"), "2, but Mine is for 3 to 4: change it"),
    ],
)
def test_a_file_that_is_no_game_is_one_line_with_the_cure(tmp_path: Path, variant: str, game: str, says: str) -> None:
    (tmp_path / "mine.toml").write_text(game)
    with pytest.raises(ConfigError) as failed:
        load(tmp_path, GOOD.replace("[100, 200]", f'[100, 200]\nvariant = "{variant}"'))
    assert says in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_hand_of_a_game_of_ones_own_carries_the_whole_game(tmp_path: Path) -> None:
    """So that a journal says what was played, wherever the file is then."""
    (tmp_path / "mine.toml").write_text(OWN_GAME)
    admit("P mine.toml", str(tmp_path))
    table = Played(3, button=1, game=Stakes(variant="P mine.toml", blinds=(50, 100)))
    table.tell(commands.NextHand())
    assert (table.hand.game, table.hand.limits.type) == (played("P mine.toml")[0], "PL")
    assert table.hand.hole_cards == 4


@pytest.mark.parametrize("word", ["table", "all"])
def test_what_older_versions_let_anybody_say_needs_a_key_now(tmp_path: Path, word: str) -> None:
    """A file of then still opens the table; nothing from outside is obeyed but what is signed."""
    text = GOOD.replace('host = "localhost"', f'host = "localhost"\ncommands = "{word}"\nkey_file = ""', 1)
    assert load(tmp_path, text).mqtt.commands == "signed"
