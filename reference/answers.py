"""The answers to the worksheet of the assignment shapes. A student writes them down; here they are computed.

B sequences of T positions go through a GPT-2 of L = n_layer blocks with H = n_head heads, d = d_model wide, with V =
vocab_size tokens and P = block_size positions. Source: Recitation 11; Radford et al. (2019), GPT-2, for blocks and sizes.
"""

from __future__ import annotations


def answer(
    question: str,
    *,
    n_layer: int,
    n_head: int,
    d_model: int,
    vocab_size: int,
    block_size: int,
    B: int,
    T: int,
    times: int = 1,
) -> list[int] | int:
    """Return the right answer: a shape as a list of its sizes, or a number.

    Args:
        question: Its id, such as ``own.scores``; what stands before the point names the numbers and changes nothing.
        n_layer: Blocks.
        n_head: Heads in each.
        d_model: The width, which they share.
        vocab_size: Tokens of the vocabulary.
        block_size: Positions that have an embedding.
        B: Sequences in the batch.
        T: Positions of each.
        times: How many times as long sequences are to become.

    Raises:
        ValueError: There is no such question.
    """
    L, H, d, V, P = n_layer, n_head, d_model, vocab_size, block_size
    split = [B, H, T, d // H]
    square = [B, H, T, T]
    attn = L * (4 * d * d + 4 * d)  # c_attn [d, 3 d] and c_proj [d, d], with biases
    mlp = L * (8 * d * d + 5 * d)  # c_fc [d, 4 d] and c_proj [4 d, d], with biases
    ln = (2 * L + 1) * 2 * d  # two in each block and the last one, weight and bias
    answers: dict[str, list[int] | int] = {
        "q": split,
        "k": split,
        "v": split,
        "scores": square,  # [B, H, T, d / H] @ [B, H, d / H, T]
        "weights": square,
        "merged": [B, T, d],
        "attn": attn,
        "mlp": mlp,
        "total": V * d + P * d + attn + mlp + ln,  # the head is the token embedding once more
        "bytes": 4 * L * B * H * T * T,
        "growth": times**2,
    }
    asked = question.partition(".")[2]
    if asked not in answers:
        raise ValueError(f"the worksheet does not ask {question!r}")
    return answers[asked]
