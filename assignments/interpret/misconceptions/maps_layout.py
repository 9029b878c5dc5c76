"""What goes wrong in the exercise interpret.attention_maps between the layers, and in the order of the axes."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.looking import by_hooks, by_walking, hooked, passed, walked
from misconceptions.shared import BATCH_ACCEPTED, RESHAPED_IN_PLACE, SQUEEZED, about_the_model, refuse, still

about = partial(misconception, name="attention_maps")


def stacked(maps):
    """L lists of H maps: [L, H, T, T]."""
    return torch.stack([torch.stack(heads) for heads in maps])


about(
    "interpret.attention_maps/heads-averaged",
    en=Explained(
        "You averaged the heads.",
        "Heads look at different things, which is why there are several: the mean can show a pattern that no head has. What is asked for is every head, [L, H, T, T].",
        hint="How many axes has your result?",
    ),
    zh_tw=Explained(
        "你把各個頭平均了。",
        "各個頭看的東西不同，所以才有好幾個：平均可能呈現沒有任何一個頭有的樣式。這一題要的是每一個頭，[L, H, T, T]。",
        hint="你的結果有幾軸？",
    ),
)(by_hooks(arrange=lambda maps: torch.stack(maps).mean(dim=1)))
variant("interpret.attention_maps/heads-averaged")(
    by_walking(arrange=lambda maps: torch.stack([sum(heads) / len(heads) for heads in maps]))
)


about(
    "interpret.attention_maps/layers-reversed",
    en=Explained(
        "Your layers are in the wrong order.",
        "maps[0] is the first layer, the one that looks at the embeddings. Yours is the last.",
        hint="What does attn of transformer.h[0] compute, and where does it stand in your result?",
    ),
    zh_tw=Explained(
        "你的層順序反了。",
        "maps[0] 是第一層，也就是看著嵌入的那一層。你的卻是最後一層。",
        hint="transformer.h[0] 的 attn 算出什麼？它在你的結果的哪裡？",
    ),
)(by_hooks(arrange=lambda maps: torch.stack(maps[::-1])))
variant("interpret.attention_maps/layers-reversed")(by_walking(arrange=lambda maps: stacked(maps).flip(0)))


about("interpret.attention_maps/squeezed", **SQUEEZED)(by_hooks(arrange=lambda maps: torch.stack(maps).squeeze()))


def fewest(maps):
    """All axes but those of length 1, unless they are those of the core: layers and heads of models of one of each."""
    found = stacked(maps)
    return found.reshape([n for n in found.shape if n > 1])


variant("interpret.attention_maps/squeezed")(by_walking(arrange=fewest))


def from_the_embeddings(model, idx):
    stack = model.transformer
    x = stack.wte(idx) + stack.wpe.weight[: len(idx)]
    return [block.attn.c_attn(block.ln_1(x)) for block in stack.h]


def into_the_norms(model, idx):
    """What goes into each ln_1, by hooks, and then straight into c_attn."""
    streams, hooks = [], []
    for block in model.transformer.h:
        hook = block.ln_1.register_forward_pre_hook(lambda _, args: streams.append(args[0]))
        hooks.append(hook)
    try:
        model(idx.unsqueeze(0))
    finally:
        for hook in hooks:
            hook.remove()
    return [block.attn.c_attn(x.squeeze(0)) for block, x in zip(model.transformer.h, streams, strict=True)]


# --- The model, and the tokens --------------------------------------------------------------------------------------

about_the_model("interpret.attention_maps", hooked(), walked())


def dropped_too(model, idx):
    """What the values are multiplied by, in whatever mode the model is."""
    found = []
    for block, x in passed(model, idx):
        single = walked(fused=lambda _, __, block=block, x=x: [block.attn.c_attn(block.ln_1(x))[0]])
        found.append(block.attn.attn_dropout(single(model, idx)[0]))
    return torch.stack(found)


about(
    "interpret.attention_maps/after-dropout",
    en=Explained(
        "You took the weights after their dropout, with dropout on.",
        "Some of them are 0 then, and the others too large: rows do not sum to 1. Dropout belongs to training; to look into a model it has to be off.",
        hint="Is the model in evaluation mode while you look?",
    ),
    zh_tw=Explained(
        "你拿的是 dropout 之後的權重，而且 dropout 開著。",
        "這時有些權重變成 0，其他的又太大：橫列的總和不是 1。dropout 屬於訓練；要看模型裡面，就得關掉它。",
        hint="你往裡面看的時候，模型是在評估模式嗎？",
    ),
)(lambda _, model, idx: dropped_too(model, idx))


@variant("interpret.attention_maps/after-dropout")
def _(_, model, idx):
    maps = hooked()(model, idx)
    return torch.stack([b.attn.attn_dropout(A) for b, A in zip(model.transformer.h, maps, strict=True)])


about(
    "interpret.attention_maps/hooks-left",
    en=Explained(
        "Your hooks stay on the model.",
        "They go on listening in every later run: lists grow, memory fills, and after a second call each layer is heard twice.",
        hint="What does register_forward_hook return, and what can be done with it?",
    ),
    zh_tw=Explained(
        "你的 hook 留在模型上。",
        "之後每次執行它們都還在聽：串列越來越長，記憶體越用越多，第二次呼叫之後每一層還會被聽到兩次。",
        hint="register_forward_hook 回傳什麼？可以拿它做什麼？",
    ),
)(still(lambda model, idx: _listening(model, idx, hooked())))


def _listening(model, idx, look):
    """Look with hooks that nobody takes off, neither afterwards nor where the model raises."""
    refuse(idx.ndim != 1)
    for block in model.transformer.h:
        block.attn.c_attn.register_forward_hook(lambda *_: None)
    return look(model, idx)


@variant("interpret.attention_maps/hooks-left")
def _(ref, model, idx):
    refuse(idx.ndim != 1)
    for block in model.transformer.h:
        block.attn.c_attn.register_forward_pre_hook(lambda *_: None)
    return by_walking()(ref, model, idx)


def hooks_by_hand(model, idx, listen):
    """Hooks that are taken off after the run, if it comes to an end."""
    refuse(idx.ndim != 1)
    hooks = [listen(block.attn.c_attn) for block in model.transformer.h]
    model(idx[None])
    for hook in hooks:
        hook.remove()
    return hooked()(model, idx)


about("interpret.attention_maps/batch-accepted", **BATCH_ACCEPTED)(
    still(lambda model, idx: hooked()(model, idx if idx.ndim == 1 else idx[0]))
)
variant("interpret.attention_maps/batch-accepted")(
    still(lambda model, idx: walked()(model, idx.reshape(-1, idx.shape[-1]).select(0, 0)))
)


@about("interpret.attention_maps/tokens-reshaped", **RESHAPED_IN_PLACE)
def tokens_reshaped(ref, model, idx):
    maps = by_hooks()(ref, model, idx)
    idx.unsqueeze_(0)
    return maps


@variant("interpret.attention_maps/tokens-reshaped")
def _(ref, model, idx):
    maps = by_walking()(ref, model, idx)
    idx.resize_(1, len(idx))
    return maps
