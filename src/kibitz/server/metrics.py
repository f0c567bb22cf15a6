"""Figures for the person who runs a server."""

import asyncio
import hmac
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from kibitz.engine.errors import KibitzError
from kibitz.server.protocol import Refused

BEAT = 0.05  # seconds between two looks at the clock
LAGS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5)
WRITES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
PATH = "/metrics"


class Moves(Collector):
    """What is counted with every move, at a tenth of the price of a `Counter` and a `Histogram`."""

    def __init__(self) -> None:
        self._moves = 0
        self._seconds = 0.0
        self._writes = [0] * (len(WRITES) + 1)  # by how long they took

    def made(self) -> None:
        """A choice was made, and is on disk."""
        self._moves += 1

    def written(self, seconds: float) -> None:
        """It took so long until an entry was on disk."""
        self._seconds += seconds
        self._writes[bisect_left(WRITES, seconds)] += 1

    def collect(self) -> Iterator[Metric]:
        """The figures, when somebody asks for them."""
        yield CounterMetricFamily("kibitz_moves", "Choices made, and on disk", self._moves)
        bounds = [*map(str, WRITES), "+Inf"]
        buckets = list(zip(bounds, accumulate(self._writes), strict=True))
        yield HistogramMetricFamily(
            "kibitz_write_seconds", "Until an entry is on disk", buckets, self._seconds
        )


class Metrics:
    """What a server counts. No name, no card, no secret."""

    def __init__(self) -> None:
        self._runner: web.AppRunner | None = None
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.moves = Moves()
        registry.register(self.moves)
        self.connections = Gauge("kibitz_connections", "Clients now", registry=registry)
        self.rooms = Gauge("kibitz_rooms", "Tables in memory", registry=registry)
        self.thinking = Gauge(
            "kibitz_thinking_waiting", "Questions that wait for a thread", registry=registry
        )
        self.store_up = Gauge(
            "kibitz_store_up", "Whether what happens can be stored", registry=registry
        )
        self.bus_up = Gauge("kibitz_bus_up", "Whether other servers are heard", registry=registry)
        self.refused = Counter(
            "kibitz_refused", "Requests and commands refused", ["error"], registry=registry
        )
        self.lag = Histogram(
            "kibitz_loop_lag_seconds", "How late the event loop is", registry=registry, buckets=LAGS
        )

    def refuse(self, error: str) -> None:
        """Somebody was refused something."""
        self.refused.labels(error).inc()

    async def watch_the_loop(self) -> None:
        """Note how long the event loop was blocked."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(BEAT)
            self.lag.observe(max(0.0, time.perf_counter() - before - BEAT))

    def answer(self) -> web.Response:
        """All figures as Prometheus reads them."""
        return web.Response(body=generate_latest(self.registry), content_type="text/plain")

    def checked_answer(self, request: web.Request, token: str) -> web.Response:
        """The same for who has the token; without one, figures are not for the public."""
        _, _, given = request.headers.get("Authorization", "").partition(" ")
        if not token or not hmac.compare_digest(given.encode(), token.encode()):
            raise Refused("not_found", "figures are not shown here; docs/operators.md says where")
        return self.answer()

    async def open(self, place: str) -> None:
        """Show the figures at an address of their own, HOST:PORT, if there is one."""
        if not place:
            return
        host, _, port = place.rpartition(":")

        async def show(_: web.Request) -> web.Response:
            return self.answer()

        app = web.Application()
        app.add_routes([web.get(PATH, show)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host.strip("[]") or "127.0.0.1", int(port)).start()
        except (OSError, ValueError, OverflowError) as error:
            await self.close()
            raise KibitzError(f"cannot show figures at {place!r}: {error}") from None

    async def close(self) -> None:
        """Show them there no more."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
