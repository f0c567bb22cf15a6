"""The server stops while people are being answered."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from kibitz.server import app
from kibitz.server.settings import Settings
from server.guests import GENEROUS, House, run


def test_who_still_waits_for_the_store_leaves_without_a_fault(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(app, "BYE_SECONDS", 0.1)

    async def play() -> None:
        server = app.Server(Settings(store=str(file), **GENEROUS))
        at = TestServer(server.app)
        await at.start_server(shutdown_timeout=0.1)
        async with aiohttp.ClientSession() as session:
            house = House(server, str(at.make_url("")).rstrip("/"), session)
            player, *_ = await house.started()
            asked, gone = asyncio.Event(), asyncio.Event()

            async def stuck(*_: Any) -> bool:
                """Does not end when it is told to, but a while after the rest has."""
                asked.set()
                try:
                    await asyncio.sleep(3600)
                finally:
                    await asyncio.sleep(0.5)
                    gone.set()
                return False

            monkeypatch.setattr(server.store, "append", stuck)
            await player.guest.send({"do": "say", "id": "1", "table": player.table, "text": "Hi"})
            await asked.wait()
            await at.close()
            await gone.wait()
            await asyncio.sleep(0.1)

    run(play())
    assert "Error handling request" not in caplog.text
