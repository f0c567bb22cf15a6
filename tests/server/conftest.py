"""What the tests of the server share."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Store

Open = Callable[[], AbstractAsyncContextManager[Store]]
NO_POSTGRES = "no PostgreSQL: set KIBITZ_TEST_POSTGRES"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A place for a store."""
    return tmp_path / "tables.db"


@contextmanager
def fresh_database() -> Iterator[str]:
    """The URL of a database of its own."""
    url = os.environ.get("KIBITZ_TEST_POSTGRES")
    if not url:
        pytest.skip(NO_POSTGRES)
    import asyncpg

    async def do(command: str) -> None:
        db = await asyncpg.connect(url)
        await db.execute(command)
        await db.close()

    name = f"kibitz_{uuid4().hex[:12]}"
    asyncio.run(do(f"CREATE DATABASE {name}"))
    yield urlsplit(url)._replace(path=f"/{name}").geturl()
    asyncio.run(do(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def postgres() -> Iterator[str]:
    """The URL of a fresh database."""
    with fresh_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest) -> Open:
    """Opens the same store each time it is called."""
    if request.param == "postgres":
        from kibitz.server.postgres import PostgresStore

        url = request.getfixturevalue("postgres")

        def fresh() -> Store:
            return PostgresStore(url)
    else:
        file = request.getfixturevalue("file")

        def fresh() -> Store:
            return SqliteStore(file)

    @asynccontextmanager
    async def opening() -> AsyncIterator[Store]:
        store = fresh()
        await store.open()
        try:
            yield store
        finally:
            await store.close()

    return opening
