"""A damaged zip is told, or holds what it held: its sums see to that. That no bytes do worse, `tests/fuzz` shows."""

from hypothesis import HealthCheck, given, settings

from grader.intake import archive
from tests.fuzz.archive import CAPS, WANTED, damaged, zip_of

CODE = b"x = 1\n" * 50
HONEST = zip_of([("hw/attention.py", CODE), ("hw/notes.txt", b"notes")])


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(raw=damaged(HONEST))
def test_a_damaged_zip_ends_in_a_problem_or_in_what_it_held(tmp_path, raw):
    (tmp_path / "a.zip").write_bytes(raw)
    taken = archive.read(tmp_path / "a.zip", WANTED, CAPS)
    assert taken.files == {"attention.py": CODE} or (not taken.files and taken.problems)
