from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controller.publish.broker import MOSQUITTO, Broker, Listener


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if MOSQUITTO is None:
        pytest.skip("Mosquitto is not installed (apt install mosquitto)")
    made = Broker(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def listener(broker: Broker) -> Iterator[Listener]:
    made = Listener(broker.port)
    yield made
    made.close()
