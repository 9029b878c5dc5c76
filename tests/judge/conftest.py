import pytest

from tests.judge.toy import Toy, make_toy


@pytest.fixture
def toy(tmp_path) -> Toy:
    return make_toy(tmp_path)
