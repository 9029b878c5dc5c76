"""What goes wrong with the two dropouts of causal self-attention."""

from __future__ import annotations

import math

import torch
from torch import nn

from grader.testing import Explained
from misconceptions.attention import mistaken
from misconceptions.shared import ALWAYS, OFF, UNSCALED, UNUSED_DROPOUT, AlwaysDropped, Kept, NotRescaled, OffForever

mistaken("layers.causalselfattention/dropout-unused", {"drop": (Kept, Kept)}, {"drop": (Kept, Kept)}, **UNUSED_DROPOUT)
mistaken(
    "layers.causalselfattention/weights-not-dropped",
    {"drop": (Kept, nn.Dropout)},
    {"drop": (Kept, nn.Dropout)},
    en=Explained(
        "Only the output is dropped, not the weights.",
        "GPT-2 drops in two places: weights after the softmax, and what leaves the layer.",
        hint="How many dropout layers have you made, and where is each called?",
    ),
    zh_tw=Explained(
        "你只丟棄了輸出，沒有丟棄權重。",
        "GPT-2 在兩個地方做 dropout：softmax 之後的權重，以及離開這一層的輸出。",
        hint="你建了幾個 dropout 層？各在哪裡呼叫？",
    ),
)
mistaken(
    "layers.causalselfattention/output-not-dropped",
    {"drop": (nn.Dropout, Kept)},
    {"drop": (nn.Dropout, Kept)},
    en=Explained(
        "Only the weights are dropped, not the output.",
        "GPT-2 drops in two places: weights after the softmax, and what leaves the layer.",
        hint="How many dropout layers have you made, and where is each called?",
    ),
    zh_tw=Explained(
        "你只丟棄了權重，沒有丟棄輸出。",
        "GPT-2 在兩個地方做 dropout：softmax 之後的權重，以及離開這一層的輸出。",
        hint="你建了幾個 dropout 層？各在哪裡呼叫？",
    ),
)
mistaken(
    "layers.causalselfattention/scores-dropped",
    {
        "weigh": lambda S, mask: S.masked_fill(~mask, -math.inf),
        "dropped": lambda drop, S, v: torch.softmax(drop(S), dim=-1).nan_to_num() @ v,
    },
    {
        "weights": lambda S, may: torch.where(may, S, -math.inf),
        "gathered": lambda drop, S, v: torch.nan_to_num(drop(S).softmax(dim=-1)) @ v,
    },
    en=Explained(
        "Scores are dropped before the softmax, not weights after it.",
        "A score of 0 does not hide a token, it gives it a middling weight. And 0 times -inf is NaN.",
        hint="Which comes first in your forward, the softmax or the dropout?",
    ),
    zh_tw=Explained(
        "你在 softmax 之前丟棄分數，而不是之後丟棄權重。",
        "分數是 0 並不會遮住詞元，而是給它中等的權重。而且 0 乘 -inf 是 NaN。",
        hint="在你的 forward 裡，softmax 和 dropout 哪個先？",
    ),
)
mistaken(
    "layers.causalselfattention/gathered-dropped",
    {"dropped": lambda drop, A, v: drop(A @ v)},
    {"gathered": lambda drop, A, v: drop(torch.einsum("bqk,bki->bqi", A, v))},
    en=Explained(
        "What was gathered is dropped number by number, not the weights.",
        "Dropping a weight makes a query do without a whole token. Dropping single numbers of the sum is what the second dropout does anyway.",
        hint="What is the shape of the tensor that your first dropout sees?",
    ),
    zh_tw=Explained(
        "你丟棄的是收集來的數，一個一個丟，而不是權重。",
        "丟棄權重，是讓一個查詢少看一整個詞元。丟棄加總後的個別數字，第二個 dropout 本來就會做。",
        hint="你的第一個 dropout 看到的張量是什麼形狀？",
    ),
)
for slug, made, words in (
    ("dropout-always", AlwaysDropped, ALWAYS),
    ("dropout-off-forever", OffForever, OFF),
    ("dropout-unscaled", NotRescaled, UNSCALED),
):
    mistaken(f"layers.causalselfattention/{slug}", {"drop": (made, made)}, {"drop": (made, made)}, **words)
