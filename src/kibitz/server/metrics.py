"""Figures for the person who runs a server."""

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BEAT = 0.05  # seconds between two looks at the clock
LAGS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5)


class Metrics:
    """What a server counts. No name, no card, no secret."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.moves = Counter("kibitz_moves", "Choices made, and on disk", registry=registry)
        self.connections = Gauge("kibitz_connections", "Clients now", registry=registry)
        self.rooms = Gauge("kibitz_rooms", "Tables in memory", registry=registry)
        self.trouble = Gauge(
            "kibitz_store_trouble", "1 while nothing can be stored", registry=registry
        )
        self.refused = Counter(
            "kibitz_refused", "Requests that were refused", ["error"], registry=registry
        )
        self.lag = Histogram(
            "kibitz_loop_lag_seconds", "How late the event loop is", registry=registry, buckets=LAGS
        )

    async def watch_the_loop(self) -> None:
        """Note how long the event loop was blocked."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(BEAT)
            self.lag.observe(max(0.0, time.perf_counter() - before - BEAT))

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)
