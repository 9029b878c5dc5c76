"""What goes wrong in the exercise interpret.token_ablation with what is blanked, and what is watched."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import refuse, still

about = partial(misconception, name="token_ablation")


def blanks(idx, blank):
    """Row j without token j: [T, T]."""
    return torch.where(torch.eye(len(idx), dtype=torch.bool), torch.full_like(idx, blank), idx)


def change(intact, ablated):
    """How the logit of the likeliest token changes, where intact is [T, V] and ablated [T, T, V]."""
    top = intact[-1].argmax()
    return ablated[:, -1, top] - intact[-1, top]


def at_once(*, replaced=blanks, effect=change):
    """All in one batch: a function of model, tokens and blank."""

    @torch.no_grad()
    def look(model, idx, blank_id):
        refuse(idx.ndim != 1 or not len(idx))
        return effect(model(idx[None])[0][0], model(replaced(idx, blank_id))[0])

    return look


def one_less(idx, j, blank):
    """The tokens with one of them blanked."""
    return torch.cat([idx[:j], idx.new_tensor([blank]), idx[j + 1 :]])


def fall(before, after, top):
    """What is gained, of last logits [V] each."""
    return after[top] - before[top]


def in_turn(*, replaced=one_less, effect=fall, last=lambda logits: logits[-1], finish=lambda effects: effects):
    """One after the other: a function of model, tokens and blank."""

    def look(model, idx, blank_id):
        refuse(idx.ndim != 1 or len(idx) == 0)
        before = last(model(idx[None])[0][0].detach())
        top = int(before.argmax())
        runs = [replaced(idx, j, blank_id) for j in range(len(idx))]
        return finish(torch.stack([effect(before, last(model(run[None])[0][0].detach()), top) for run in runs]))

    return look


def batched(**wrong):
    """The exercise, wrong in one step."""
    return still(at_once(**wrong))


def serial(**wrong):
    """The exercise, wrong in one step, in another style."""
    return still(in_turn(**wrong))


about(
    "interpret.token_ablation/intact-minus-ablated",
    en=Explained(
        "You subtracted the wrong way round.",
        "The effect is the logit with the token replaced, minus the one with it intact: where the token spoke for the prediction it is negative.",
        hint="A token without which the logit falls: which of the two is larger?",
    ),
    zh_tw=Explained(
        "你減反了。",
        "效應是換掉詞元之後的 logit，減去完整時的：詞元支持這個預測時，效應是負的。",
        hint="少了某個詞元 logit 就下降：兩個哪個大？",
    ),
)(batched(effect=lambda intact, ablated: -change(intact, ablated)))
variant("interpret.token_ablation/intact-minus-ablated")(
    serial(effect=lambda before, after, top: before[top] - after[top])
)

about(
    "interpret.token_ablation/absolute",
    en=Explained(
        "You lost the sign.",
        "A token can speak for the prediction or against it. The absolute value hides which.",
        hint="Can the logit rise when a token is blanked?",
    ),
    zh_tw=Explained(
        "你把正負號弄丟了。",
        "一個詞元可能支持這個預測，也可能反對。絕對值把這件事藏起來了。",
        hint="換掉一個詞元，logit 有可能上升嗎？",
    ),
)(batched(effect=lambda intact, ablated: change(intact, ablated).abs()))
variant("interpret.token_ablation/absolute")(serial(finish=lambda effects: torch.maximum(effects, -effects)))

about(
    "interpret.token_ablation/new-favourite",
    en=Explained(
        "You follow whichever token is most probable after blanking.",
        "The question is what becomes of one prediction, the one that the intact text leads to. Where another token takes its place, your effect is that of two different tokens.",
        hint="How often do you ask for the largest logit?",
    ),
    zh_tw=Explained(
        "換掉之後哪個詞元最可能，你就改看哪個。",
        "問題是同一個預測後來怎樣，也就是完整文字導致的那個。別的詞元取代它時，你的效應其實是兩個不同詞元的差。",
        hint="你問了幾次最大的 logit？",
    ),
)(batched(effect=lambda intact, ablated: ablated[:, -1].amax(dim=-1) - intact[-1].amax()))
variant("interpret.token_ablation/new-favourite")(serial(effect=lambda before, after, _: after.max() - before.max()))

about(
    "interpret.token_ablation/probability",
    en=Explained(
        "You watch the probability, not the logit.",
        "A probability that is nearly 1 hardly moves, however much its logit does, and it moves when the others do. The logit is asked for.",
        hint="Where does the softmax come in?",
    ),
    zh_tw=Explained(
        "你看的是機率，不是 logit。",
        "接近 1 的機率，不管 logit 變化多大都幾乎不動；別的詞元變了，它也會跟著動。這一題要的是 logit。",
        hint="softmax 是從哪裡來的？",
    ),
)(batched(effect=lambda intact, ablated: change(intact.softmax(-1), ablated.softmax(-1))))
variant("interpret.token_ablation/probability")(
    serial(last=lambda logits: (logits[-1] - logits[-1].max()).exp() / (logits[-1] - logits[-1].max()).exp().sum())
)

about(
    "interpret.token_ablation/log-probability",
    en=Explained(
        "You watch the log-probability, not the logit.",
        "It is the logit less the log of a sum over all tokens, so it also falls when some other token gains. The logit itself is asked for.",
        hint="Do you take a log_softmax?",
    ),
    zh_tw=Explained(
        "你看的是對數機率，不是 logit。",
        "它是 logit 減去所有詞元總和的對數，所以別的詞元上升時，它也會下降。這一題要的是 logit 本身。",
        hint="你用了 log_softmax 嗎？",
    ),
)(batched(effect=lambda intact, ablated: change(intact.log_softmax(-1), ablated.log_softmax(-1))))
variant("interpret.token_ablation/log-probability")(serial(last=lambda logits: logits[-1] - logits[-1].logsumexp(0)))


def own_position(intact, ablated):
    top = intact[-1].argmax()
    return ablated[..., top].diagonal() - intact[:, top]


def anywhere(intact, ablated):
    top = intact.flatten().argmax() % intact.shape[-1]
    return ablated[:, -1, top] - intact[-1, top]


about(
    "interpret.token_ablation/largest-of-all-positions",
    en=Explained(
        "You took the largest logit of all positions.",
        "Its token may be the prediction of another place in the text. Followed is the one that is most probable after the last token.",
        hint="Over which axes does your argmax run?",
    ),
    zh_tw=Explained(
        "你取的是所有位置中最大的 logit。",
        "它的詞元可能是文字裡另一個地方的預測。要看的是最後一個詞元之後最可能的那個。",
        hint="你的 argmax 沿著哪些軸？",
    ),
)(batched(effect=anywhere))


@variant("interpret.token_ablation/largest-of-all-positions")
@still
def _(model, idx, blank_id):
    refuse(idx.ndim != 1 or len(idx) == 0)
    top = model(idx[None])[0].detach()[0].amax(dim=0).argmax()
    return in_turn(last=lambda logits: logits[-1, top : top + 1], effect=lambda before, after, _: (after - before)[0])(
        model, idx, blank_id
    )


about(
    "interpret.token_ablation/cumulative",
    en=Explained(
        "You blank more and more tokens.",
        "Effect j is that of one token alone. If the ones before it stay blanked, it is the effect of all of them together.",
        hint="What does the text look like when it is the turn of the last token?",
    ),
    zh_tw=Explained(
        "你換掉的詞元越來越多。",
        "效應 j 是單獨一個詞元的。前面的沒有換回來，就成了它們全部合起來的效應。",
        hint="輪到最後一個詞元時，文字長什麼樣子？",
    ),
)(
    batched(
        replaced=lambda idx, blank: idx.repeat(len(idx), 1).masked_fill(
            torch.ones(len(idx), len(idx)).tril().bool(), blank
        )
    )
)
variant("interpret.token_ablation/cumulative")(
    serial(replaced=lambda idx, j, blank: torch.cat([torch.full_like(idx[: j + 1], blank), idx[j + 1 :]]))
)


about(
    "interpret.token_ablation/all-alike-blanked",
    en=Explained(
        "You blank every token that is equal to token j.",
        "A token that stands in two places may matter in one of them only. Replaced is the one at position j.",
        hint="What are your effects for a text in which one token comes twice?",
    ),
    zh_tw=Explained(
        "和詞元 j 相同的，你全都換掉了。",
        "出現在兩個地方的詞元，可能只在其中一處有影響。要換的是位置 j 的那個。",
        hint="文字裡有個詞元出現兩次時，你的效應是什麼？",
    ),
)(batched(replaced=lambda idx, blank: torch.where(idx[:, None] == idx, torch.full_like(idx, blank), idx)))
variant("interpret.token_ablation/all-alike-blanked")(
    serial(replaced=lambda idx, j, blank: idx.masked_fill(idx == idx[j], blank))
)

about(
    "interpret.token_ablation/blanked-with-0",
    en=Explained(
        "You blank with token 0.",
        "Token 0 is a token like any other, with an embedding of its own. Which one stands for nothing is up to the caller: blank_id.",
        hint="Where in your function does blank_id come in?",
    ),
    zh_tw=Explained(
        "你用詞元 0 來替換。",
        "詞元 0 和別的詞元一樣，有自己的嵌入。哪個詞元代表空白，由呼叫的人決定：blank_id。",
        hint="你的函式哪裡用到了 blank_id？",
    ),
)(batched(replaced=lambda idx, blank: blanks(idx, 0 * blank)))
variant("interpret.token_ablation/blanked-with-0")(serial(replaced=lambda idx, j, _: one_less(idx, j, 0)))

about(
    "interpret.token_ablation/token-left-out",
    en=Explained(
        "You leave the token out.",
        "All tokens behind it then move by one place, and with learned positions that alone changes the prediction. Replaced, they stay where they are.",
        hint="How long is the text in each of your runs?",
    ),
    zh_tw=Explained(
        "你把詞元整個拿掉了。",
        "這樣它後面的詞元都往前移一格，光是這樣，學到的位置就會改變預測。用替換的，它們就留在原位。",
        hint="每次執行，文字有多長？",
    ),
)(serial(replaced=lambda idx, j, _: torch.cat([idx[:j], idx[j + 1 :]]) if len(idx) > 1 else idx))


@variant("interpret.token_ablation/token-left-out")
def _(ref, model, idx, blank_id):
    def shorter(tokens, _):
        others = ~torch.eye(len(tokens), dtype=torch.bool)
        return tokens.expand(len(tokens), -1)[others].view(len(tokens), -1) if len(tokens) > 1 else tokens[None]

    return batched(replaced=shorter)(ref, model, idx, blank_id)
