from __future__ import annotations

from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.unknown import unknown

POLICY = Policy.model_validate(
    {
        "assignments": {"toy": {}, "toi": {}},
        "students": {"ada": {"excused": ["doll"]}, "ad\x1b[2Ja": {"bonus": {"toy": 1}}},
        "groups": [{"members": ["ada", "bop"]}],
    }
)


def test_what_nobody_is_called_is_told_in_harmless_lines() -> None:
    assert list(unknown(POLICY, {"ada", "bob"}, {"toy"})) == [
        "the policy names students who handed in nothing: ad\\x1b[2Ja, bop",
        "the policy names assignments that were not graded: doll, toi",
    ]


def test_where_all_are_known_nothing_is_told() -> None:
    assert list(unknown(POLICY, {"ada", "bop", "ad\x1b[2Ja"}, {"toy", "toi", "doll"})) == []
    assert list(unknown(Policy(), set(), set())) == []
