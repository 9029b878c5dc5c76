"""Interpretation: attention is a diagnostic, not the explanation.

What a model attends to can be read off, and what it relies on can be found out by taking something away. The two need
not agree; and weights cannot be read back from what they do, for others give the same output.

A model is a causal GPT with GPT-2's names, a ``torch.nn.Module``, and this is all that may be relied on:

- ``model(idx)`` and ``model(idx, targets)`` take int [B, T] and return ``(logits, loss)``: logits [B, T, V], and the
  mean cross-entropy over the targets in nats, or None. More than ``config.block_size`` positions raise `ValueError`, and
  a token that there is not raises `IndexError`.
- ``config`` has n_layer, n_head, d_model and block_size.
- ``transformer.h[l].attn`` is the attention of layer l. Each run of the model calls two linear layers in it, once each:
  ``c_attn``, which gives queries, keys and values side by side, [B, T, 3 d], and ``c_proj``, which is given the outputs
  of the heads side by side, [B, T, d]. Of each d columns head h has the h-th contiguous slice of d / H. Scores are
  divided by sqrt(d / H).

Models are run in evaluation mode. Afterwards a model is what it was, also where it raised: each module's mode, the
weights and whether they are trained, and no hook is left. Only `rollout` has to let gradients through.

One sequence ``idx`` [T] is looked at; L is the number of layers, H of heads, d the width (d_model), V the size of the
vocabulary. Sources: Lecture 20; Jain and Wallace 2019, "Attention is not Explanation"; Wiegreffe and Pinter 2019,
"Attention is not not Explanation".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn


def require_shapes(pattern: str, *tensors: Tensor) -> None:
    """Check shapes against a pattern such as ``"T_q T_k, T_k d_v"``, one part for each tensor.

    A name is one size wherever it stands, and ``...`` the same leading axes, possibly none.

    Raises:
        ValueError: The shapes do not fit; the message holds them all.
    """
    shapes = [tuple(tensor.shape) for tensor in tensors]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


# BEGIN SOLUTION
@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Keep a model in evaluation mode; afterwards each of its modules has its own mode again."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def _causal_weights(fused: Tensor, n_head: int) -> Tensor:
    """Return the weights that a layer computes from its queries, keys and values side by side: [T, 3 d] -> [H, T, T]."""
    T, d = fused.shape[0], fused.shape[1] // 3
    q, k, _ = fused.view(T, 3, n_head, d // n_head).permute(1, 2, 0, 3)  # [H, T, d / H] each
    S = q @ k.mT / math.sqrt(d // n_head)  # [H, T, T]
    mask = torch.ones_like(S, dtype=torch.bool).tril()  # [H, T, T]
    return S.masked_fill(~mask, -math.inf).softmax(dim=-1)


# END SOLUTION


def attention_maps(model: nn.Module, idx: Tensor) -> Tensor:
    """Return the attention weights of every head, as the model computes them for a sequence.

    Args:
        model: The model.
        idx: Token ids, int [T].

    Returns:
        The weights, [L, H, T, T]: each row sums to 1, and is 0 at later tokens.

    Raises:
        ValueError: idx has not one axis, or is longer than the model's block_size.

    Source: Lecture 20, Q/K/V.
    """
    # BEGIN SOLUTION
    require_shapes("T", idx)
    fused: list[Tensor] = []  # of each layer, in the order of the layers: [1, T, 3 d]
    with _evaluating(model), ExitStack() as hooks:
        for block in model.transformer.h:
            hooks.enter_context(block.attn.c_attn.register_forward_hook(lambda _module, _args, out: fused.append(out)))
        model(idx[None])
    return torch.stack([_causal_weights(qkv.squeeze(0), model.config.n_head) for qkv in fused])  # [L, H, T, T]
    # END SOLUTION


def rollout(maps: Tensor) -> Tensor:
    """Return how much of each token arrives at each position, if attention were all that mixes tokens.

    A layer passes on half of what its mean head gathers and half of what was there, for the residual stream goes past
    it; the layers are multiplied, the last one leftmost.

    Args:
        maps: The attention weights, [L, H, T, T].

    Returns:
        The rollout, [T, T]: each row sums to 1 if those of the maps do.

    Raises:
        ValueError: The maps have not four axes, or are not square.

    Source: Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3.
    """
    # BEGIN SOLUTION
    require_shapes("L H T T", maps)
    identity = torch.eye(maps.shape[-1]).to(maps)  # [T, T]
    R = identity
    for A in maps.mean(dim=1):  # [L, T, T], the mean head of each layer
        R = (A + identity) / 2 @ R
    return R
    # END SOLUTION


# BEGIN SOLUTION
def _loss(model: nn.Module, idx: Tensor) -> float:
    """Return the mean loss of predicting each token of a sequence but the first, in nats."""
    _, loss = model(idx[None, :-1], idx[None, 1:])
    return float(loss.detach())


# END SOLUTION


def head_ablation(model: nn.Module, idx: Tensor, layer: int, head: int) -> float:
    """Return by how much the loss rises when a head's output is 0.

    The head's slice is set to 0 before ``c_proj``, so that nothing of it reaches the residual stream.

    Args:
        model: The model.
        idx: Token ids, int [T], T from 2 to the model's block_size; the loss is of predicting each but the first from
            those before it.
        layer: The head's layer, counted from 0.
        head: The head in it, counted from 0.

    Returns:
        The ablated loss minus the intact one, in nats per token; negative if the model does better without.

    Raises:
        ValueError: There is no such head, a negative number being none, or idx has not one axis, fewer than two tokens, or
            more than the model takes.

    Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 3.
    """
    # BEGIN SOLUTION
    require_shapes("T", idx)
    L, H, d_head = model.config.n_layer, model.config.n_head, model.config.d_model // model.config.n_head
    if not (0 <= layer < L and 0 <= head < H):
        raise ValueError(
            f"there are {H} heads in each of {L} layers, counted from 0, and no head {head} in layer {layer}"
        )
    if len(idx) < 2:
        raise ValueError(f"two tokens are needed for one prediction that can be checked, got {len(idx)}")

    def silence(_module: nn.Module, args: tuple[Tensor]) -> tuple[Tensor]:
        [heads] = args
        Z = heads.clone()  # [1, T - 1, d], the heads side by side
        Z[..., head * d_head : (head + 1) * d_head] = 0
        return (Z,)

    with _evaluating(model):
        intact = _loss(model, idx)
        with model.transformer.h[layer].attn.c_proj.register_forward_pre_hook(silence):
            return _loss(model, idx) - intact
    # END SOLUTION


def token_ablation(model: nn.Module, idx: Tensor, blank_id: int) -> Tensor:
    """Return how much each token matters to the prediction at the end, found by blanking one after the other.

    Args:
        model: The model.
        idx: Token ids, int [T], T at least 1.
        blank_id: The token that takes a token's place.

    Returns:
        The effects, [T]. Effect j is the last position's logit of the token that is most probable with idx intact, with
        idx[j] replaced, minus the same logit with idx intact: it is negative where the token spoke for the prediction.

    Raises:
        ValueError: idx has not one axis, no token, or more than the model takes.
        IndexError: blank_id is no token of the model's.

    Source: Li et al. 2016, "Understanding Neural Networks through Representation Erasure", section 3.
    """
    # BEGIN SOLUTION
    require_shapes("T", idx)
    if not len(idx):
        raise ValueError("without a token nothing can be predicted")
    blanked = idx.repeat(len(idx), 1).fill_diagonal_(blank_id)  # [T, T]: row j without token j
    with _evaluating(model):
        [intact] = model(idx[None])[0][:, -1]  # [1, V] -> [V]
        ablated = model(blanked)[0][:, -1]  # [T, V]
    top = intact.argmax()
    return ablated[:, top] - intact[top]  # [T]
    # END SOLUTION


# BEGIN SOLUTION
def _ranks(x: Tensor) -> Tensor:
    """Return each number's rank, from 1; equal numbers share the mean of their ranks: [n] -> [n]."""
    smaller = (x < x[:, None]).sum(dim=1)  # [n, n] -> [n]
    equal = (x == x[:, None]).sum(dim=1)  # itself included
    return smaller + (equal + 1) / 2


# END SOLUTION


def agreement(weights: Tensor, effects: Tensor) -> float:
    """Return Spearman's rank correlation: whether what is attended to most also matters most.

    Args:
        weights: Attention weights, one for each token, [n].
        effects: What each token does, [n].

    Returns:
        The correlation of the ranks, from -1 (the opposite order) to 1 (the same); equal numbers share the mean of
        their ranks.

    Raises:
        ValueError: The shapes do not fit, a number is NaN, or all of one side are equal, so that they have no order.

    Source: Spearman 1904, "The Proof and Measurement of Association between Two Things"; for its use on attention, Jain
    and Wallace 2019, section 4.1, who use Kendall's.
    """
    # BEGIN SOLUTION
    require_shapes("n, n", weights, effects)
    if weights.isnan().any() or effects.isnan().any():
        raise ValueError("NaN has no rank")
    a, b = (_ranks(x).double() - (len(x) + 1) / 2 for x in (weights, effects))  # [n] each, with mean 0
    if not (a.any() and b.any()):
        raise ValueError("numbers that are all equal have no order to agree with")
    return float(a @ b / (a.norm() * b.norm()))
    # END SOLUTION


# BEGIN SOLUTION
_LEAST_CHANGE = 1e-6


def _null_direction(V: Tensor) -> Tensor:
    """Return some n of length 1 with n [V, 1] = 0: [T_k, d_v] -> [T_k]."""
    M = torch.cat([V, V.new_ones(len(V))[:, None]], dim=1)  # [T_k, d_v + 1]
    if torch.linalg.matrix_rank(M) == len(M):
        raise ValueError(
            f"[V, 1] of shape {tuple(M.shape)} has full rank: no change of weights leaves its output alone"
        )
    U, _, _ = torch.linalg.svd(M)  # U: [T_k, T_k]
    return U[:, -1]  # of the smallest singular value, or of none


# END SOLUTION


def same_output_weights(A: Tensor, V: Tensor) -> Tensor:
    """Return other attention weights with the same output: every row differs, and still A' V = A V.

    What can be added to a row without changing its sum or its output is any n with n [V, 1] = 0, and there is one as
    soon as the keys are more than the rank of [V, 1], for which T_k > d_v + 1 is enough. So weights cannot be read back
    from an output, and cannot be its explanation.

    Args:
        A: Attention weights, strictly positive, each row with sum 1, [T_q, T_k].
        V: Values, [T_k, d_v].

    Returns:
        Weights A', [T_q, T_k], at least 0, each row with sum 1; in every row some weight differs from A's by more than
        1e-6.

    Raises:
        ValueError: The shapes do not fit, A is not strictly positive, [V, 1] has no null direction, or a row is so near
            to 0 where it would have to give that it cannot differ by more than 1e-6. One direction for all rows is
            enough: others need not be tried.

    Source: Jain and Wallace 2019, section 4.2.2; Brunner et al. 2020, "On Identifiability in Transformers", section 3.
    """
    # BEGIN SOLUTION
    require_shapes("T_q T_k, T_k d_v", A, V)
    if not (A > 0).all():
        raise ValueError("weights that are strictly positive are needed: a weight of 0 has nothing to give")
    n = _null_direction(V.to(torch.float64))  # [T_k], whose sum is 0, so that some entries are negative
    a = A.detach().to(torch.float64)
    room = torch.where(n < 0, a / -n, math.inf).amin(dim=-1, keepdim=True)  # [T_q, 1]: how far until a weight is 0
    # Half of the way: every weight stays positive, and rounding cannot take one below 0.
    others = (a + room / 2 * n).to(A.dtype)  # [T_q, T_k]
    if not ((others - A).abs().amax(dim=-1) > _LEAST_CHANGE).all():
        raise ValueError(f"a row cannot differ by more than {_LEAST_CHANGE} and stay at least 0")
    return others
    # END SOLUTION
