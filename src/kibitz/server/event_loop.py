"""The event loop: uvloop's, where there is one; and what is done on it beside."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from kibitz.server.store import StoreBusy

log = logging.getLogger(__name__)
T = TypeVar("T")


def new_event_loop() -> asyncio.AbstractEventLoop:
    """A fast loop; on Windows, for which uvloop is not made, the usual one."""
    try:
        import uvloop  # noqa: PLC0415
    except ModuleNotFoundError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def start(work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    """Do something beside. If it fails, the log says so: nobody may ever ask how it ended."""
    task = asyncio.create_task(work)
    task.add_done_callback(_tell_failure)
    return task


def _tell_failure(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("what was done beside failed", exc_info=error)


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, whatever goes wrong."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except StoreBusy:
            pass  # of which the store itself speaks
        except Exception:
            log.exception("%s failed", getattr(work, "__qualname__", work))
