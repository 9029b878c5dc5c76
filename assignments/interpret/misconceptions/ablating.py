"""Two right ways to a model without a head, in which a mistake replaces one step.

`by_hook` changes what c_proj is given, and asks the model for the loss; `by_weights` sets what reads the head to 0 for a
while, and computes the loss from the logits.
"""

from __future__ import annotations

import torch

from misconceptions.shared import refuse, still


def require(model, idx, layer, head):
    """Refuse what the reference refuses."""
    refuse(idx.ndim != 1 or len(idx) < 2)
    refuse(not 0 <= layer < model.config.n_layer or not 0 <= head < model.config.n_head)


def less(ablated, intact):
    return ablated - intact


# --- By a hook ------------------------------------------------------------------------------------------------------


def own_loss(model, idx):
    """The loss that the model gives."""
    return model(idx[None, :-1], idx[None, 1:])[1].item()


def columns(h, H, d):
    """The columns of a head."""
    return torch.arange(d)[h * d // H : (h + 1) * d // H]


def zeroed(Z, cols):
    """Z without the columns of a head."""
    return Z.index_fill(-1, cols, 0.0)


def before_c_proj(attn, change):
    """Change what c_proj is given."""
    return attn.c_proj.register_forward_pre_hook(lambda _, args: (change(args[0]),))


def by_hook(
    *,
    cols=columns,
    silence=zeroed,
    hang=before_c_proj,
    layers=lambda h, n: [h[n]],
    loss=own_loss,
    combine=less,
    check=require,
):
    """Ablate by hooks: a function of model, tokens, layer and head."""

    def look(model, idx, layer, head):
        check(model, idx, layer, head)
        own = cols(head, model.config.n_head, model.config.d_model)
        intact, hooks = loss(model, idx), []
        try:
            hooks += [hang(block.attn, lambda Z: silence(Z, own)) for block in layers(model.transformer.h, layer)]
            return combine(loss(model, idx), intact)
        finally:
            for hook in hooks:
                hook.remove()

    return look


# --- By the weights -------------------------------------------------------------------------------------------------


def losses(logits, targets):
    """The loss of each prediction: [T - 1, V], [T - 1] -> [T - 1]."""
    return logits.logsumexp(-1) - logits.gather(1, targets[:, None])[:, 0]


def shifted(model, idx):
    """The mean loss of the predictions that can be checked."""
    return losses(model(idx[None, :-1])[0][0], idx[1:]).mean()


def span(h, H, d):
    """The columns of a head, as a slice."""
    return slice(h * (d // H), (h + 1) * (d // H))


def unread(attn, own):
    """Let c_proj read nothing of a head."""
    attn.c_proj.weight[:, own] = 0


def by_weights(*, cols=span, forget=unread, layers=lambda h, n: [h[n]], measure=shifted, combine=less, check=require):
    """Ablate by weights: a function of model, tokens, layer and head."""

    @torch.no_grad()
    def look(model, idx, layer, head):
        check(model, idx, layer, head)
        own = cols(head, model.config.n_head, model.config.d_model)
        intact = measure(model, idx)
        state = {name: value.clone() for name, value in model.state_dict().items()}
        try:
            for block in layers(model.transformer.h, layer):
                forget(block.attn, own)
            return float(combine(measure(model, idx), intact))
        finally:
            model.load_state_dict(state)

    return look


def hooking(**wrong):
    """The exercise, wrong in one step."""
    return still(by_hook(**wrong))


def weighing(**wrong):
    """The exercise, wrong in one step, in another style."""
    return still(by_weights(**wrong))
