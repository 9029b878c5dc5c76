from __future__ import annotations

from pathlib import Path

from grader.bundle.key import bundle_key
from grader.pipeline.key import course_key

KEY = bytes(range(32))


def test_a_bundles_key_is_a_key_of_its_own_that_comes_out_again(tmp_path: Path) -> None:
    item = bundle_key(KEY, "gradescope", ["masking", "attention"])
    assert item == bundle_key(KEY, "gradescope", ["attention", "masking"])
    others = [
        bundle_key(KEY, "docker", ["attention", "masking"]),
        bundle_key(KEY[::-1], "gradescope", ["attention", "masking"]),
    ]
    assert item.content not in [bundle_key(KEY, "gradescope", ["masking"]).content, *(each.content for each in others)]
    (tmp_path / item.path).write_bytes(item.content)
    assert course_key(tmp_path / item.path, lambda _: None) != KEY
