"""What goes wrong in the exercise generation.generate."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import evaluating, fill, grow, prompts

about = partial(misconception, name="generate")


def growing(**hooks):
    """The loop that puts token after token behind the prompts, wrong in one thing."""

    def function(ref, model, idx, max_new_tokens, **how):
        with evaluating(model):
            return grow(ref, model, idx, max_new_tokens, how, **hooks)

    return function


def filling(**hooks):
    """The loop that fills in token after token, wrong in one thing."""

    def function(ref, model, idx, max_new_tokens, **how):
        with evaluating(model):
            return fill(ref, model, idx, max_new_tokens, how, **hooks)

    return function


about(
    "generation.generate/not-cropped",
    en=Explained(
        "You show the model more than block_size tokens.",
        "It has learned that many positions and has no embedding for the next one. Of a longer text it can see only the last block_size tokens.",
        hint="After how many new tokens does it fail? How long is the text then?",
    ),
    zh_tw=Explained(
        "你讓模型看了超過 block_size 個詞元。",
        "它只學了那麼多個位置，下一個位置沒有嵌入。文字比較長時，它只能看最後 block_size 個詞元。",
        hint="產生幾個新詞元之後失敗？那時文字有多長？",
    ),
)(growing(see=lambda out, *_: out))
variant("generation.generate/not-cropped")(filling(start=lambda *_: 0))

about(
    "generation.generate/first-tokens",
    en=Explained(
        "Of a long text you show the model the first tokens.",
        "What is to be continued is the end. With the first block_size tokens the model sees the same every time, and from then on gives the same answer.",
        hint="Which tokens of a text of 10 does your slice give when block_size is 4?",
    ),
    zh_tw=Explained(
        "文字太長時，你讓模型看的是最前面的詞元。",
        "要接下去的是結尾。一直給最前面的 block_size 個詞元，模型每次看到的都一樣，之後就一直給同樣的答案。",
        hint="文字有 10 個詞元、block_size 是 4 時，你的切片取出哪幾個？",
    ),
)(growing(see=lambda out, block, _: out[:, :block]))


@variant("generation.generate/first-tokens")
def _(ref, model, idx, max_new_tokens, **how):
    block = model.config.block_size

    def see(out, _, __):
        return torch.stack([out[:, t] for t in range(min(block, out.shape[1]))], dim=1)

    return growing(see=see)(ref, model, idx, max_new_tokens, **how)


about(
    "generation.generate/cropped-once",
    en=Explained(
        "You crop the prompt, and not what grows from it.",
        "The text gets longer with each token, so it has to be cropped before each call of the model. And what you crop is what the model sees, not what you return.",
        hint="Does the crop stand inside the loop?",
    ),
    zh_tw=Explained(
        "你只裁了提示，沒有裁之後長出來的部分。",
        "每多一個詞元，文字就變長，所以每次呼叫模型之前都要裁。而且裁的是給模型看的，不是要回傳的。",
        hint="你的裁切寫在迴圈裡面嗎？",
    ),
)(growing(see=lambda out, block, i: out[:, max(0, out.shape[1] - i - block) :]))


@variant("generation.generate/cropped-once")
def _(ref, model, idx, max_new_tokens, **how):
    begin = max(0, prompts(idx, max_new_tokens).shape[1] - model.config.block_size)
    return filling(start=lambda *_: begin)(ref, model, idx, max_new_tokens, **how)


about(
    "generation.generate/one-position-unused",
    en=Explained(
        "You show the model one token less than it can see.",
        "The new token needs no position of its own: it is what the last position answers. So block_size tokens fit.",
        hint="How many tokens does your slice give when the text is long?",
    ),
    zh_tw=Explained(
        "你給模型看的比它能看的少一個詞元。",
        "新的詞元不需要自己的位置：它是最後一個位置的答案。所以放得下 block_size 個詞元。",
        hint="文字很長時，你的切片取出幾個詞元？",
    ),
)(growing(see=lambda out, block, _: out[:, -(block - 1) :]))
variant("generation.generate/one-position-unused")(filling(start=lambda end, block: max(0, end - block + 1)))

about(
    "generation.generate/last-token-only",
    en=Explained(
        "You show the model the last token alone.",
        "Without a cache it remembers nothing between two calls: what it is not shown did not happen. And a token alone always stands at position 0.",
        hint="What is the shape of what you hand to the model in the second round?",
    ),
    zh_tw=Explained(
        "你只讓模型看最後一個詞元。",
        "沒有快取時，它在兩次呼叫之間什麼都不記得：沒給它看的，就等於沒發生過。而且單獨一個詞元永遠站在位置 0。",
        hint="第二輪時，你交給模型的是什麼形狀？",
    ),
)(growing(see=lambda out, block, i: out if i == 0 and out.shape[1] <= block else out[:, -1 if i else -block :]))


@variant("generation.generate/last-token-only")
def _(ref, model, idx, max_new_tokens, **how):
    T = prompts(idx, max_new_tokens).shape[1]
    return filling(start=lambda end, block: max(0, T - block) if end == T else end - 1)(
        ref, model, idx, max_new_tokens, **how
    )


about(
    "generation.generate/first-position",
    en=Explained(
        "You take the logits of the first position.",
        "They answer what follows the first token. What follows the whole text stands at the last position, the only one that has seen all of it.",
        hint="The logits are [B, T, V]. Which index of the middle axis do you take?",
    ),
    zh_tw=Explained(
        "你取的是第一個位置的 logits。",
        "那回答的是第一個詞元之後接什麼。整段文字之後接什麼，在最後一個位置，只有它看過全部。",
        hint="logits 是 [B, T, V]。中間那一軸你取哪個索引？",
    ),
)(growing(at=0))
variant("generation.generate/first-position")(filling(pick=lambda logits: logits.unbind(dim=1)[0]))

about(
    "generation.generate/mean-position",
    en=Explained(
        "You average the logits of all positions.",
        "Each position answers another question: what follows the text up to there. Only the last one answers yours.",
        hint="What makes [B, V] out of [B, T, V] in your code?",
    ),
    zh_tw=Explained(
        "你把所有位置的 logits 平均了。",
        "每個位置回答的是不同的問題：到那裡為止的文字之後接什麼。只有最後一個位置回答你要的。",
        hint="在你的程式裡，是什麼把 [B, T, V] 變成 [B, V]？",
    ),
)(filling(pick=lambda logits: logits.mean(dim=1)))
variant("generation.generate/mean-position")(
    filling(pick=lambda logits: torch.einsum("btv->bv", logits) / logits.shape[1])
)
