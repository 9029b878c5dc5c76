"""What goes wrong in the exercise interpret.head_ablation with what is measured, and with the model."""

from __future__ import annotations

import math
from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.ablating import (
    by_hook,
    by_weights,
    hooking,
    losses,
    own_loss,
    require,
    shifted,
    span,
    unread,
    weighing,
)
from misconceptions.shared import BATCH_ACCEPTED, about_the_model, refuse, still

about = partial(misconception, name="head_ablation")

about(
    "interpret.head_ablation/intact-minus-ablated",
    en=Explained(
        "You subtracted the wrong way round.",
        "Asked for is by how much the loss rises: the ablated loss minus the intact one. A head that was of use comes out positive.",
        hint="A head without which the model does worse: which of the two losses is larger?",
    ),
    zh_tw=Explained(
        "你減反了。",
        "這一題要的是損失上升多少：消融後的損失減去完整的損失。有用的頭得到的是正數。",
        hint="少了某個頭模型就變差：兩個損失哪個大？",
    ),
)(hooking(combine=lambda ablated, intact: intact - ablated))
variant("interpret.head_ablation/intact-minus-ablated")(weighing(combine=lambda ablated, intact: -(ablated - intact)))

about(
    "interpret.head_ablation/absolute",
    en=Explained(
        "You lost the sign.",
        "Some models do better without a head: the loss falls, and the rise is negative. That is worth knowing, and the absolute value hides it.",
        hint="Can the ablated loss be the smaller one?",
    ),
    zh_tw=Explained(
        "你把正負號弄丟了。",
        "有些模型少了某個頭反而更好：損失下降，上升量是負的。這件事值得知道，絕對值卻把它藏起來了。",
        hint="消融後的損失有可能比較小嗎？",
    ),
)(hooking(combine=lambda ablated, intact: abs(ablated - intact)))
variant("interpret.head_ablation/absolute")(
    weighing(combine=lambda ablated, intact: max(ablated, intact) - min(ablated, intact))
)


about(
    "interpret.head_ablation/not-shifted",
    en=Explained(
        "You ask each position for its own token.",
        "The model at position t predicts token t + 1. Compared with the token that it was just shown, every model looks bad, and differences mean nothing.",
        hint="Of which token are the logits at position 0 a prediction?",
    ),
    zh_tw=Explained(
        "你要每個位置猜它自己的詞元。",
        "模型在位置 t 預測的是詞元 t + 1。拿它剛看到的詞元來比，每個模型都很差，差異也沒有意義。",
        hint="位置 0 的 logits 預測的是哪個詞元？",
    ),
)(hooking(loss=lambda model, idx: model(idx[None], idx[None])[1].item()))
variant("interpret.head_ablation/not-shifted")(
    weighing(measure=lambda model, idx: losses(model(idx[None])[0][0], idx).mean())
)

about(
    "interpret.head_ablation/last-prediction-only",
    en=Explained(
        "You measure the last prediction only.",
        "The loss inside a sequence is the mean over all its tokens but the first. One of them says little.",
        hint="How many predictions can be checked in a sequence of T tokens?",
    ),
    zh_tw=Explained(
        "你只量了最後一個預測。",
        "序列內的損失是除了第一個以外所有詞元的平均。只看一個，說明不了什麼。",
        hint="T 個詞元的序列，有幾個預測可以核對？",
    ),
)(hooking(loss=lambda model, idx: losses(model(idx[None, :-1])[0][0], idx[1:])[-1].item()))


def only_the_last(model, idx):
    targets = torch.full_like(idx[None, 1:], -1)
    targets[:, -1] = idx[-1]
    return model(idx[None, :-1], targets)[1]


variant("interpret.head_ablation/last-prediction-only")(weighing(measure=only_the_last))

about(
    "interpret.head_ablation/summed",
    en=Explained(
        "You summed the losses of the tokens.",
        "The mean is asked for, in nats per token. A sum grows with the text, so that two texts cannot be compared.",
        hint="What happens to your result when the text is twice as long?",
    ),
    zh_tw=Explained(
        "你把各詞元的損失加總了。",
        "這一題要的是平均，單位是每個詞元多少 nats。總和會隨文字變長，兩段文字就無法比較。",
        hint="文字變成兩倍長時，你的結果會怎樣？",
    ),
)(hooking(loss=lambda model, idx: own_loss(model, idx) * (len(idx) - 1)))
variant("interpret.head_ablation/summed")(
    weighing(measure=lambda model, idx: losses(model(idx[None, :-1])[0][0], idx[1:]).sum())
)

# --- The model, and the arguments -----------------------------------------------------------------------------------

about(
    "interpret.head_ablation/last-predicts-the-first",
    en=Explained(
        "You let the last position predict the first token.",
        "roll moves what falls out at one end in at the other. After the last token nothing follows inside idx: T tokens hold T - 1 predictions that can be checked.",
        hint="How many targets do you have, and which is the last of them?",
    ),
    zh_tw=Explained(
        "你讓最後的位置去預測第一個詞元。",
        "roll 會把一端掉出去的放回另一端。idx 裡最後一個詞元之後什麼都沒有：T 個詞元只有 T - 1 個預測可以核對。",
        hint="你有幾個目標？最後一個是哪一個？",
    ),
)(hooking(loss=lambda model, idx: model(idx[None], idx.roll(-1)[None])[1].item()))
variant("interpret.head_ablation/last-predicts-the-first")(
    weighing(measure=lambda model, idx: losses(model(idx[None])[0][0], torch.cat([idx[1:], idx[:1]])).mean())
)

about_the_model("interpret.head_ablation", by_hook(), by_weights())


@about(
    "interpret.head_ablation/hook-left",
    en=Explained(
        "Your hook stays on the model.",
        "The head is then silent in every later run: the second head that you ask for is ablated together with the first.",
        hint="What does register_forward_pre_hook return, and what can be done with it?",
    ),
    zh_tw=Explained(
        "你的 hook 留在模型上。",
        "之後每次執行，這個頭都是安靜的：問第二個頭時，第一個也一起被消融了。",
        hint="register_forward_pre_hook 回傳什麼？可以拿它做什麼？",
    ),
)
def hook_left(ref, model, idx, layer, head):
    found = hooking()(ref, model, idx, layer, head)
    own = range(*span(head, model.config.n_head, model.config.d_model).indices(model.config.d_model))
    model.transformer.h[layer].attn.c_proj.register_forward_pre_hook(
        lambda _, args: (args[0].index_fill(-1, torch.tensor(own), 0.0),)
    )
    return found


@variant("interpret.head_ablation/hook-left")
def _(ref, model, idx, layer, head):
    found = weighing()(ref, model, idx, layer, head)
    own = span(head, model.config.n_head, model.config.d_model)

    def silence(_, args):
        Z = args[0].clone()
        Z[..., own] = 0
        return Z

    model.transformer.h[layer].attn.c_proj.register_forward_pre_hook(silence)
    return found


@about(
    "interpret.head_ablation/weights-not-restored",
    en=Explained(
        "You set weights to 0 and leave them so.",
        "The model has lost its head for good: whatever is asked of it next is asked of another model. A hook takes nothing from the weights.",
        hint="What does c_proj.weight hold after your call?",
    ),
    zh_tw=Explained(
        "你把權重設成 0，就這樣留著。",
        "模型從此少了一個頭：之後問它的，其實是另一個模型。用 hook 就不必動到權重。",
        hint="呼叫之後，c_proj.weight 裡是什麼？",
    ),
)
def weights_not_restored(ref, model, idx, layer, head):
    found = weighing()(ref, model, idx, layer, head)
    with torch.no_grad():
        unread(model.transformer.h[layer].attn, span(head, model.config.n_head, model.config.d_model))
    return found


@variant("interpret.head_ablation/weights-not-restored")
def _(ref, model, idx, layer, head):
    found = hooking()(ref, model, idx, layer, head)
    model.transformer.h[layer].attn.c_proj.weight.data.unflatten(1, (model.config.n_head, -1))[:, head].zero_()
    return found


def lost_where_it_raises(model, idx, layer, head, *, look):
    """Weights that are put back after the run, if it comes to an end."""
    require(model, idx, layer, head)
    weight = model.transformer.h[layer].attn.c_proj.weight.data
    kept, own = weight.clone(), span(head, model.config.n_head, model.config.d_model)
    weight[:, own] = 0
    model(idx[None, :-1])
    weight.copy_(kept)
    return look(model, idx, layer, head)


def require_tokens(model, idx, *_):
    refuse(idx.ndim != 1 or len(idx) < 2)


about(
    "interpret.head_ablation/any-head",
    en=Explained(
        "You accept heads and layers that are not there.",
        "Python counts -1 from the end, and a slice beyond the last column is empty: you answer for another head, or say that a head which does not exist is of no use.",
        hint="What do you return for head = H, and for layer = -1?",
    ),
    zh_tw=Explained(
        "不存在的頭和層，你也接受了。",
        "Python 會把 -1 當成從後面數，而超過最後一個直行的切片是空的：你回答的是另一個頭，或是說一個不存在的頭沒有用。",
        hint="head = H 和 layer = -1 時，你回傳什麼？",
    ),
)(
    hooking(
        check=require_tokens,
        layers=lambda h, n: [h[n]] if -len(h) <= n < len(h) else [],
        cols=lambda h, H, d: torch.arange(d)[h * (d // H) : (h + 1) * (d // H) or d],
    )
)
variant("interpret.head_ablation/any-head")(
    weighing(
        check=require_tokens,
        layers=lambda h, n: list(h)[n:][:1] if n < 0 else list(h)[n : n + 1],
        cols=lambda h, H, d: slice(h * (d // H), (h + 1) * (d // H) or None),
    )
)


def require_below(model, idx, layer, head):
    require_tokens(model, idx)
    refuse(layer >= model.config.n_layer or head >= model.config.n_head)


about(
    "interpret.head_ablation/counted-from-the-end",
    en=Explained(
        "You accept a negative layer, and Python counts it from the end.",
        "Layers and heads are counted from 0, and a number below is a mistake of the caller's, who would get the answer for another layer without a word. A slice with a negative head is empty, even.",
        hint="Which condition has a layer or a head to fulfil at its lower end?",
    ),
    zh_tw=Explained(
        "負的層你也接受了，Python 會從後面數。",
        "層和頭都從 0 數起，更小的數是呼叫的人弄錯了；他會默默得到另一層的答案。頭是負的時候，切片甚至是空的。",
        hint="層和頭在下界要滿足什麼條件？",
    ),
)(hooking(check=require_below))
variant("interpret.head_ablation/counted-from-the-end")(weighing(check=require_below))


def require_head(model, idx, layer, head):
    refuse(idx.ndim != 1)
    refuse(not 0 <= layer < model.config.n_layer or not 0 <= head < model.config.n_head)


about(
    "interpret.head_ablation/nothing-to-predict",
    en=Explained(
        "You return NaN for a sequence of one token.",
        "It holds no prediction that can be checked, and a mean over nothing is NaN. Nobody notices until an average over many texts is NaN too: it has to be refused.",
        hint="How many predictions can be checked in a sequence of 1 token?",
    ),
    zh_tw=Explained(
        "只有一個詞元的序列，你回傳 NaN。",
        "裡面沒有可以核對的預測，對空的東西取平均就是 NaN。要等到許多文字的平均也變成 NaN 才有人發現：要拒絕它。",
        hint="1 個詞元的序列，有幾個預測可以核對？",
    ),
)(hooking(check=require_head, loss=lambda model, idx: own_loss(model, idx) if len(idx) > 1 else math.nan))
variant("interpret.head_ablation/nothing-to-predict")(
    weighing(
        check=require_head, measure=lambda model, idx: shifted(model, idx) if len(idx) > 1 else torch.tensor(math.nan)
    )
)

about("interpret.head_ablation/batch-accepted", **BATCH_ACCEPTED)(
    still(lambda model, idx, *of: by_hook()(model, idx if idx.ndim == 1 else idx[0], *of))
)
variant("interpret.head_ablation/batch-accepted")(
    still(lambda model, idx, *of: by_weights()(model, idx.reshape(-1, idx.shape[-1])[0] if idx.numel() else idx, *of))
)
