"""What goes wrong in the exercise interpret.token_ablation with the model, the shapes and the arguments."""

from __future__ import annotations

from functools import partial

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import BATCH_ACCEPTED, SQUEEZED, WIDENED, about_the_model, still
from misconceptions.token_ablation import at_once, batched, change, in_turn, serial

about = partial(misconception, name="token_ablation")

about_the_model("interpret.token_ablation", at_once(), in_turn())

about("interpret.token_ablation/squeezed", **SQUEEZED)(
    batched(effect=lambda intact, ablated: change(intact, ablated).squeeze())
)
variant("interpret.token_ablation/squeezed")(
    serial(finish=lambda effects: effects[0] if len(effects) == 1 else effects)
)

about("interpret.token_ablation/always-float64", **WIDENED)(
    batched(effect=lambda intact, ablated: change(intact, ablated).double())
)
variant("interpret.token_ablation/always-float64")(
    batched(effect=lambda intact, ablated: change(intact, ablated) + torch.zeros(len(ablated), dtype=torch.float64))
)

about("interpret.token_ablation/batch-accepted", **BATCH_ACCEPTED)(
    still(lambda model, idx, blank: at_once()(model, idx if idx.ndim == 1 else idx[0], blank))
)
variant("interpret.token_ablation/batch-accepted")(
    still(lambda model, idx, blank: in_turn()(model, idx.reshape(-1, idx.shape[-1])[0] if idx.numel() else idx, blank))
)


@about(
    "interpret.token_ablation/last-token-stays-blank",
    en=Explained(
        "You write into the caller's tokens, and leave a blank in the last place.",
        "A loop that puts token j back in the next round never puts back the last one. Blank a copy, and nothing has to be put back.",
        hint="Print the tokens before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了別人給你的詞元，最後一格還留著空白。",
        "到下一輪才把詞元 j 放回去的迴圈，最後一個永遠放不回去。換的是副本，就什麼都不必放回去。",
        hint="在呼叫前後各印一次詞元。",
    ),
)
def last_token_stays_blank(ref, model, idx, blank_id):
    effects = batched()(ref, model, idx, blank_id)
    idx[-1] = blank_id
    return effects


@variant("interpret.token_ablation/last-token-stays-blank")
def _(ref, model, idx, blank_id):
    effects = serial()(ref, model, idx, blank_id)
    idx.narrow(0, len(idx) - 1, 1).fill_(blank_id)
    return effects
