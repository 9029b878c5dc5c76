"""Mode, settings and prompts: mistakes around the loop, which generate and generate_cached have in common.

Each is made around two right loops of either exercise, so that it stands there twice, in two styles.
"""

from __future__ import annotations

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.generate_cached import caches, ready, run
from misconceptions.shared import (
    LEFT_IN_TRAINING,
    MODE_NOT_RESTORED,
    NEW_TOKENS_ONLY,
    NO_TOKEN_ACCEPTED,
    SAME_DTYPE,
    SETTINGS_IGNORED,
    TRAINING,
    evaluating,
    fill,
    grow,
)


def cached(ref, model, idx, n, how):
    how = dict(how)
    out, width = ready(model, idx, n, how.pop("chunk_size", None))
    return run(ref, model, out, width, n, lambda last: ref.sample_next(last, **how))


def cached_in_one_loop(ref, model, idx, n, how):
    how = dict(how)
    out, width = ready(model, idx, n, how.pop("chunk_size", None))
    cache, unseen = caches(ref, model), out.split(width, dim=1)
    for _ in range(n):
        for part in unseen:
            last = model(part, cache=cache)[0].unbind(dim=1)[-1]
        unseen = (ref.sample_next(last, **how).reshape(-1, 1),)
        out = torch.hstack([out, *unseen])
    return out


LOOPS = {"generate": (grow, fill), "generate_cached": (cached, cached_in_one_loop)}


def quietly(loop, ref, model, idx, n, how):
    with evaluating(model):
        return loop(ref, model, idx, n, how)


def training_mode(loop):
    return lambda ref, model, idx, max_new_tokens, **how: loop(ref, model, idx, max_new_tokens, how)


def mode_not_restored(loop):
    return lambda ref, model, idx, max_new_tokens, **how: loop(ref, model.eval(), idx, max_new_tokens, how)


def left_in_training(loop):
    def function(ref, model, idx, max_new_tokens, **how):
        out = loop(ref, model.eval(), idx, max_new_tokens, how)
        model.train()
        return out

    return function


def new_tokens_only(loop):
    def function(ref, model, idx, max_new_tokens, **how):
        return quietly(loop, ref, model, idx, max_new_tokens, how)[:, idx.shape[1] :]

    return function


def same_dtype(loop):
    def function(ref, model, idx, max_new_tokens, **how):
        return quietly(loop, ref, model, idx, max_new_tokens, how).to(idx.dtype)

    return function


def anything_accepted(loop):
    def function(ref, model, idx, max_new_tokens, **how):
        return quietly(loop, ref, model, idx, max(0, max_new_tokens), how)

    return function


def prompt_overwritten(loop):
    def function(ref, model, idx, max_new_tokens, **how):
        out = quietly(loop, ref, model, idx, max_new_tokens, how)
        idx[:] = out[:, max_new_tokens:]
        return out

    return function


def not_passed(setting, neutral):
    def around(loop):
        def function(ref, model, idx, max_new_tokens, **how):
            greedy = setting == "temperature" and how["temperature"] == 0
            return quietly(loop, ref, model, idx, max_new_tokens, how if greedy else how | {setting: neutral})

        return function

    return around


OVERWRITTEN = {
    "en": Explained(
        "You write into the prompt.",
        "It belongs to the caller, who may want to continue it once more. Shifting tokens to the left, or assigning to entries, changes it; joining tensors gives a new one.",
        hint="Print the prompt before and after the call.",
    ),
    "zh_tw": Explained(
        "你改寫了提示。",
        "它屬於呼叫你的人，之後可能還要再接一次。把詞元往左移、對元素指定值，都會改動它；把張量接起來則會得到新的張量。",
        hint="在呼叫前後各印一次提示。",
    ),
}
MISTAKES = [
    ("training-mode", training_mode, TRAINING),
    ("mode-not-restored", mode_not_restored, MODE_NOT_RESTORED),
    ("left-in-training-mode", left_in_training, LEFT_IN_TRAINING),
    ("new-tokens-only", new_tokens_only, NEW_TOKENS_ONLY),
    ("same-dtype", same_dtype, SAME_DTYPE),
    ("anything-accepted", anything_accepted, NO_TOKEN_ACCEPTED),
    ("prompt-overwritten", prompt_overwritten, OVERWRITTEN),
    *(
        (f"{setting.replace('_', '-')}-not-passed", not_passed(setting, neutral), {"en": en, "zh_tw": zh_tw})
        for setting, neutral, en, zh_tw in SETTINGS_IGNORED
    ),
]
for name, (loop, other) in LOOPS.items():
    for slug, around, words in MISTAKES:
        misconception(f"generation.{name}/{slug}", name=name, **words)(around(loop))
        variant(f"generation.{name}/{slug}")(around(other))
