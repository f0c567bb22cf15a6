"""The event loop: uvloop's, where there is one."""

import asyncio


def new_event_loop() -> asyncio.AbstractEventLoop:
    """A fast loop; on Windows, for which uvloop is not made, the usual one."""
    try:
        import uvloop  # noqa: PLC0415
    except ModuleNotFoundError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
