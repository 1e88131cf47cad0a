"""One feed for many pages: a thread waits for the table, and everybody who waits in the event loop hears of it."""

import asyncio
import contextlib
import threading

from display.feed import Feed, Heard

LOOK_S = 0.5  # how long the thread waits before it looks whether it should end


class Watch:
    """`start` in the event loop, `heard` and `after` in it, `stop` at the end."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.number = 1  # of what was heard last; it grows with every change
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._wait, name="watch", daemon=True)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.feed.start()
        self._thread.start()

    async def stop(self) -> None:
        self._stopping.set()
        self._tell()
        await asyncio.to_thread(self.feed.stop)
        await asyncio.to_thread(self._thread.join)

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def heard(self) -> Heard:
        return self.feed.latest()

    async def after(self, number: int, timeout_s: float) -> int:
        """The number of what is heard now, as soon as it is another one, or the time is over."""
        if self.number == number and not self.stopping:
            changed = self._changed
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), timeout_s)
        return self.number

    def _wait(self) -> None:
        while not self._stopping.is_set():
            if self.feed.wait(LOOK_S) and self._loop is not None:
                with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                    self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        self.number += 1
        self._changed.set()
        self._changed = asyncio.Event()
