"""The web site of a table: pages, what they load, and the streams that keep them true.

    /               the table, for a television or a tablet      /seat/4      for the player of a seat
    /overlay        over the picture of a stream
    /stream/...     server-sent events: the page, whole, on each change, at most 20 times a second
    /now/...        the same once, as JSON
    /dealer, /floor     with controls, for who holds a key: `control.py`

It hears the table as a screen does. Everything is in memory; it opens no file but its own.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from controller.snapshot import Language
from controller.texts.languages import ENGLISH, LANGUAGES
from display.feed import Feed, Heard
from display.labels import Labels, labels
from display.parts import Part
from display.web.authority import Keys
from display.web.control import Control
from display.web.headers import Guarded
from display.web.pages import encoded, seat_page, table_page
from display.web.watch import Watch

STATIC = Path(__file__).parent / "static"
PAUSE_S = 0.05  # between two pictures for one page: 20 a second
BEAT_S = 2.0  # a page that hears nothing for five seconds says that it is old
MOST_STREAMS = 200
MOST_SEATS = 30
Make = Callable[[Heard, Labels], Part]


class Settings(msgspec.Struct, frozen=True):
    public: str  # socket of the table for everybody
    language: Language = ENGLISH
    names: tuple[str, ...] = ()  # names of this machine, beside its addresses
    dealer: str = ""  # the dealer's socket, for pages that command; "": there are none


class Site:
    """The pages of one table; `app` is what a server runs."""

    def __init__(self, settings: Settings, keys: Keys | None = None) -> None:
        """`keys`: whose pages may command; without them no page does."""
        self._settings = settings
        self._dealers = Watch(Feed(settings.dealer)) if keys is not None else None
        self._watch = Watch(Feed(settings.public))
        self._made: dict[tuple[str, Language], tuple[int, bytes]] = {}  # what many pages show is made once
        self._streams = 0
        routes: list[BaseRoute] = [
            Route("/", self._page("table.html")),
            Route("/overlay", self._page("overlay.html")),
            Route("/seat/{seat:int}", self._page("seat.html")),
            Route("/now/table", self._now(_table)),
            Route("/now/seat/{seat:int}", self._now(_seat)),
            Route("/stream/table", self._stream(_table)),
            Route("/stream/seat/{seat:int}", self._stream(_seat)),
            Mount("/own", StaticFiles(directory=STATIC)),
        ]
        if keys is not None and self._dealers is not None:
            routes += [Route("/dealer", self._page("control.html")), Route("/floor", self._page("control.html"))]
            routes += Control(self._dealers, keys, self._language).routes()
        self.app = Guarded(Starlette(routes=routes, lifespan=self._life), settings.names)

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        watches = [watch for watch in (self._watch, self._dealers) if watch is not None]
        for watch in watches:
            watch.start()
        try:
            yield
        finally:
            for watch in watches:
                await watch.stop()

    # ------------------------------------------------------------ pages
    def _page(self, name: str) -> Callable[[Request], Response]:
        template = Template((STATIC / name).read_text(encoding="utf-8"))

        def answer(request: Request) -> Response:
            language = self._language(request)
            words = labels(language)
            seat = str(_seat_of(request) if "seat" in request.path_params else "")
            others = "".join(
                f'<a href="?language={code}" lang="{code}" hreflang="{code}">{code.upper()}</a>'
                for code in LANGUAGES
                if code != language
            )
            told = {
                **words.web,
                "language": language,
                "seat": seat,
                "place": request.url.path.split("/")[1],
                "others": others,
                "dealer": words.dealer,
            }
            return HTMLResponse(template.safe_substitute(told), headers={"cache-control": "no-cache"})

        return answer

    def _language(self, request: Request) -> Language:
        """The one that the address names, else that of the table."""
        wanted = request.query_params.get("language", "")
        return wanted if wanted in LANGUAGES else self._settings.language

    # ------------------------------------------------------------ what they show
    def _now(self, what: Callable[[Request], Make]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            body = encoded(what(request)(self._watch.heard(), labels(self._language(request))))
            return Response(body, media_type="application/json", headers={"cache-control": "no-store"})

        return answer

    def _stream(self, what: Callable[[Request], Make]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            if self._streams >= MOST_STREAMS:
                raise HTTPException(503, "too many pages are open")
            told = self._pictures(request.url.path, what(request), self._language(request))
            return StreamingResponse(told, media_type="text/event-stream", headers={"cache-control": "no-store"})

        return answer

    async def _pictures(self, path: str, make: Make, language: Language) -> AsyncIterator[bytes]:
        self._streams += 1
        shown = b""
        try:
            yield b"retry: 700\n\n"
            while not self._watch.stopping:
                number = self._watch.number
                body = self._picture(path, make, language)
                yield b"event: alive\ndata: .\n\n" if body == shown else b"data: " + body + b"\n\n"
                shown = body
                await asyncio.sleep(PAUSE_S)
                await self._watch.after(number, BEAT_S)
        finally:
            self._streams -= 1

    def _picture(self, path: str, make: Make, language: Language) -> bytes:
        key, number = (path, language), self._watch.number
        made = self._made.get(key)
        if made is None or made[0] != number:
            made = self._made[key] = number, encoded(make(self._watch.heard(), labels(language)))
        return made[1]


def _table(_request: Request) -> Make:
    return table_page


def _seat(request: Request) -> Make:
    number = _seat_of(request)
    return lambda heard, words: seat_page(heard, number, words)


def _seat_of(request: Request) -> int:
    """A table of any game has fewer; a number beyond them is no page."""
    number = int(request.path_params["seat"])
    if not 1 <= number <= MOST_SEATS:
        raise HTTPException(404)
    return number
