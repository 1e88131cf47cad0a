"""The pages that command: /dealer and /floor. Each order needs a key, comes from a page of ours, and names its picture.

The key travels once, in the body of a request, and then in a cookie that no script can read and no other site can send.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from controller.snapshot import Language
from display.keys import Desk
from display.labels import labels
from display.web.authority import Keys, Role
from display.web.desks import Place, Pressed
from display.web.headers import same_origin
from display.web.pages import encoded
from display.web.watch import Watch

COOKIE = "betline"
LARGEST = 2000  # bytes of an order
MOST_PLACES = 32
LOOK_S = 0.05
BEAT = 40  # looks without news until the page hears that all is well: two seconds


class Control:
    """Desks of all pages that command, on the dealer's socket of the table."""

    def __init__(self, watch: Watch, keys: Keys, language_of: Callable[[Request], Language]) -> None:
        self._watch, self._keys, self._language_of = watch, keys, language_of
        self._places: dict[str, Place] = {}

    def routes(self) -> list[Route]:
        return [
            Route("/enter", self._enter, methods=["POST"]),
            Route("/press", self._press, methods=["POST"]),
            Route("/role", self._tell_role),
            Route("/stream/dealer", self._stream),
        ]

    def _role(self, request: Request) -> Role:
        role = self._keys.role_of(request.cookies.get(COOKIE, ""))
        if role is None:
            raise HTTPException(401, "a key is needed here")
        return role

    async def _body(self, request: Request) -> bytes:
        """An order from a page of ours, and from no other site's."""
        if not same_origin(request.headers.get("origin", ""), request.headers.get("host", "")):
            raise HTTPException(403, "this page is not ours")
        if request.headers.get("content-type") != "application/json":
            raise HTTPException(415)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                raise HTTPException(413)
        return body

    async def _enter(self, request: Request) -> Response:
        try:
            key = msgspec.json.decode(await self._body(request), type=str)
        except msgspec.MsgspecError as error:
            raise HTTPException(400) from error
        if self._keys.role_of(key) is None:
            raise HTTPException(401, "no key of this table")
        answer = Response(status_code=204)
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, key, httponly=True, samesite="strict", secure=secure, max_age=14 * 3600)
        return answer

    async def _tell_role(self, request: Request) -> Response:
        return Response(self._role(request), media_type="text/plain", headers={"cache-control": "no-store"})

    async def _press(self, request: Request) -> Response:
        role = self._role(request)
        try:
            pressed = msgspec.json.decode(await self._body(request), type=Pressed)
        except msgspec.MsgspecError as error:
            raise HTTPException(400) from error
        place = self._places.get(pressed.desk)
        if place is None or place.role != role:
            raise HTTPException(410, "this desk is closed: load the page again")
        said = place.press(pressed)
        if said is None:
            raise HTTPException(409, "the table has moved on: look again")
        for one in said:
            if not await asyncio.to_thread(self._watch.feed.send, one.command, one.n, role):
                place.desk = Desk(message="not_sent")
        return Response(status_code=204)

    async def _stream(self, request: Request) -> Response:
        role = self._role(request)
        if len(self._places) >= MOST_PLACES:
            raise HTTPException(503, "too many desks are open")
        told = self._pictures(Place(secrets.token_urlsafe(12), role), self._language_of(request))
        return StreamingResponse(told, media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _pictures(self, place: Place, language: Language) -> AsyncIterator[bytes]:
        self._places[place.name] = place
        shown, quiet = b"", 0
        try:
            yield b"retry: 700\n\n"
            while not self._watch.stopping:
                number = self._watch.number
                body = encoded(place.picture(self._watch.heard(), labels(language)))
                quiet = quiet + 1 if body == shown else 0
                if body != shown:
                    yield b"data: " + body + b"\n\n"
                elif quiet % BEAT == 0:
                    yield b"event: alive\ndata: .\n\n"
                shown = body
                await self._watch.after(number, LOOK_S)
        finally:
            self._places.pop(place.name, None)
