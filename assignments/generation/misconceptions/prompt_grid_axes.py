"""The batch of one text in the exercise generation.prompt_grid: forgotten on the way in, or left on the way out."""

from __future__ import annotations

import torch

from grader.testing import Explained, variant
from misconceptions.prompt_grid import about, nested, pairs, rows


class Wrapped:
    """A tokenizer that is given something else to decode."""

    def __init__(self, tokenizer, instead):
        self.encode = tokenizer.encode
        self.decode = lambda tokens: tokenizer.decode(instead(tokens))


@about(
    "generation.prompt_grid/no-batch-axis",
    en=Explained(
        "Your prompt is [T], and generate takes [1, T].",
        "A tokenizer gives the T tokens of one text. generate continues B texts at once, [B, T], and refuses a prompt without the batch axis: one text alone is a batch of 1.",
        hint="Print the shape of the idx that you pass to generate. How many axes has it?",
    ),
    zh_tw=Explained(
        "你的提示是 [T]，generate 要的是 [1, T]。",
        "分詞器給的是一段文字的 T 個詞元。generate 一次接 B 段文字，[B, T]，沒有批次軸的提示它會拒絕：只有一段文字，就是大小為 1 的批次。",
        hint="印出你傳給 generate 的 idx 的形狀。它有幾個軸？",
    ),
)
def no_batch_axis(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    out = []
    for i, (prompt, temperature) in enumerate(pairs(prompts, temperatures)):
        how = {"temperature": temperature, "top_k": None, "top_p": None}
        generator = torch.Generator().manual_seed(seed + i)
        idx = torch.tensor(tokenizer.encode(prompt))
        tokens = ref.generate(model, idx, max_new_tokens, **how, generator=generator)
        text = tokenizer.decode(tokens.tolist())
        out.append({"prompt": prompt, "temperature": temperature, "seed": seed + i, "text": text})
    return out


@variant("generation.prompt_grid/no-batch-axis")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    class Flat:
        decode = tokenizer.decode

        @staticmethod
        def encode(text):
            raise ValueError(f"a prompt of shape {torch.tensor(tokenizer.encode(text)).shape}")

    return nested(lambda *_: {})(ref, model, Flat, prompts, temperatures, max_new_tokens, seed)


@about(
    "generation.prompt_grid/batch-decoded",
    en=Explained(
        "You decode the whole batch, [1, T], and not the text in it.",
        "generate gives a row for each text, and here there is one. decode takes the token ids of a single text: the row, and not a list with a row in it.",
        hint="Print what you pass to decode. Is its first entry a token, or a whole row?",
    ),
    zh_tw=Explained(
        "你解碼的是整個批次 [1, T]，不是裡面的那段文字。",
        "generate 給每段文字一個橫列，這裡只有一個。decode 要的是單獨一段文字的詞元編號：是那個橫列，不是裝著橫列的串列。",
        hint="印出你傳給 decode 的東西。第一個元素是一個詞元，還是一整個橫列？",
    ),
)
def batch_decoded(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    whole = Wrapped(tokenizer, lambda tokens: [tokens])
    return rows(lambda *_: {})(ref, model, whole, prompts, temperatures, max_new_tokens, seed)


@variant("generation.prompt_grid/batch-decoded")
def _(ref, model, tokenizer, prompts, temperatures, max_new_tokens, seed):
    whole = Wrapped(tokenizer, lambda tokens: torch.tensor([tokens]))
    return nested(lambda *_: {})(ref, model, whole, prompts, temperatures, max_new_tokens, seed)
