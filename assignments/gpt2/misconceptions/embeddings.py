"""What goes wrong in gpt2.gpt before the blocks: tokens, positions and the dropout after them."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from misconceptions.shared import also_rows, fit, kept, listed, mistaken, rows, wpe, wte


def tokens(m, idx):
    return m.transformer.wte(idx)


def also_tokens(m, idx):
    return F.embedding(idx, wte(m))


def places(idx, past):
    return torch.arange(idx.shape[1]) + past


def any_length(m, idx, targets, cache):
    _, n_layer = fit(m, idx, targets)
    caches = listed(cache, n_layer)
    return caches, kept(caches)


def off(m, mode):
    if not mode:
        m.transformer.drop.p = 0.0


def also_off(m, mode):
    m.lost = getattr(m, "lost", False) or not mode


mistaken(
    "positions-missing",
    {"embed": lambda m, idx, _: tokens(m, idx)},
    {"embed": lambda m, idx, _: also_tokens(m, idx)},
    en=(
        "The positions are not added.",
        "Attention itself sees a set: without positions the same tokens in another order give the same rows in that order, and 'dog bites man' is 'man bites dog'.",
        "Swap two tokens. Do the logits do more than change places?",
    ),
    zh=(
        "沒有加上位置。",
        "注意力本身看到的是一個集合：沒有位置時，同樣的詞元換個順序，只會得到換了順序的同樣橫列，「狗咬人」和「人咬狗」就分不出來。",
        "交換兩個詞元。logits 除了跟著換位置，還有別的改變嗎？",
    ),
)
mistaken(
    "positions-along-the-batch",
    {"embed": lambda m, idx, _: tokens(m, idx) + m.transformer.wpe(torch.arange(idx.shape[0]))[:, None]},
    {"embed": lambda m, idx, _: also_tokens(m, idx) + wpe(m)[: idx.shape[0]].unsqueeze(1)},
    en=(
        "The positions run along the batch.",
        "Every token of a sequence gets the same position, and the same sequence another one in each place of the batch.",
        "idx has the shape [B, T]. Which of the two counts the tokens?",
    ),
    zh=(
        "位置沿著批次的軸編號了。",
        "一個序列裡的每個詞元拿到同一個位置，而同一個序列放在批次的不同地方卻拿到不同位置。",
        "idx 的形狀是 [B, T]。哪一個軸在數詞元？",
    ),
)
mistaken(
    "positions-from-1",
    {"embed": lambda m, idx, past: tokens(m, idx) + m.transformer.wpe(places(idx, past) + 1)},
    {"embed": lambda m, idx, past: also_tokens(m, idx) + wpe(m)[torch.arange(past + 1, past + 1 + idx.shape[1])]},
    en=(
        "The positions start at 1.",
        "The first row of wpe is never used, and a sequence that fills the block runs out of rows. Published weights were trained from 0.",
        "Which row of wpe does the first token get?",
    ),
    zh=(
        "位置從 1 開始。",
        "wpe 的第一個橫列永遠用不到，填滿 block_size 的序列卻不夠用。公開的權重是從 0 開始訓練的。",
        "第一個詞元拿到 wpe 的哪個橫列？",
    ),
)
mistaken(
    "tokens-scaled",
    {"embed": lambda m, idx, past: rows(m, idx, past) + (m.config.d_model**0.5 - 1) * tokens(m, idx)},
    {"embed": lambda m, idx, past: also_rows(m, idx, past) - also_tokens(m, idx) * (1 - m.config.d_model**0.5)},
    en=(
        "The token embeddings are multiplied by the root of the width.",
        "The first transformer did that, whose positions were fixed sines. GPT-2 learns both tables and adds them as they are.",
        "Compare what enters the first block with wte[id] + wpe[t].",
    ),
    zh=(
        "詞元的嵌入乘上了寬度的平方根。",
        "最早的 transformer 才這樣做，它的位置是固定的正弦。GPT-2 兩張表都是學來的，直接相加。",
        "把進入第一個區塊的東西和 wte[id] + wpe[t] 比一比。",
    ),
)
mistaken(
    "negative-tokens-wrap",
    {"embed": lambda m, idx, past: wte(m)[idx] + m.transformer.wpe(places(idx, past))},
    {"embed": lambda m, idx, past: also_rows(m, idx + m.config.vocab_size * (idx < 0), past)},
    en=(
        "A negative id counts from the end of the vocabulary.",
        "Indexing a tensor with -1 gives its last row. So a target of -1 that is fed back by mistake becomes a token, and nobody is told.",
        "nn.Embedding refuses what an index in brackets takes.",
    ),
    zh=(
        "負的 id 從詞彙表的末尾數起。",
        "用 -1 索引張量會得到最後一個橫列。不小心把目標裡的 -1 當成輸入時，它就變成一個詞元，沒有人會發現。",
        "方括號的索引接受的，nn.Embedding 會拒絕。",
    ),
)
mistaken(
    "too-long-is-cut",
    {"take": lambda m, idx, targets: (idx[..., -m.config.block_size :], targets)},
    {"take": lambda m, idx, targets: (idx[..., max(idx.shape[-1] - m.config.block_size, 0) :], targets)},
    en=(
        "A sequence that is too long is cut without a word.",
        "Whoever asks for logits of T tokens gets fewer. What to forget is for the one who generates to decide.",
        "Give block_size + 1 tokens. What is the shape of the logits?",
    ),
    zh=(
        "太長的序列默默被截斷。",
        "要 T 個詞元的 logits，拿到的卻比較少。該忘記什麼，要由生成文字的人決定。",
        "給 block_size + 1 個詞元，logits 的形狀是什麼？",
    ),
)
mistaken(
    "length-left-to-the-embedding",
    {"check": any_length},
    {
        "check": any_length,
        "embed": lambda m, idx, past: also_tokens(m, idx) + wpe(m)[torch.arange(past, past + idx.shape[1])],
    },
    en=(
        "You leave it to the table of positions to refuse what is too long.",
        "On a CPU it says that an index is out of range, and not which. On a GPU nothing is raised on the spot: the device stops, and with it the whole process. The number of positions is known before, and ValueError was promised.",
        "Compare the tokens in the cache and the new ones with block_size, before wpe is asked.",
    ),
    zh=(
        "太長的序列，你交給位置表去拒絕。",
        "在 CPU 上，它只說某個索引超出範圍，沒說是哪一個；在 GPU 上不會當場報錯，而是整個裝置停下，程式也跟著中斷。位置有幾個事先就知道，而且說好要引發 ValueError。",
        "查 wpe 之前，先把快取裡的詞元數加上新的，和 block_size 比較。",
    ),
)
mistaken(
    "embeddings-cut-off",
    {"embed": lambda m, idx, past: rows(m, idx, past).detach()},
    {"embed": torch.no_grad()(also_rows)},
    en=(
        "The embeddings are cut off from the gradient.",
        "`.detach()` or `torch.no_grad()` stands around them: positions never learn, and tokens only through the head.",
        "Which parameters have a gradient after backward()?",
    ),
    zh=(
        "嵌入和梯度斷開了。",
        "嵌入外面有 `.detach()` 或 `torch.no_grad()`：位置永遠學不到，詞元只能透過輸出層學到一點。",
        "backward() 之後，哪些參數有梯度？",
    ),
)
mistaken(
    "embeddings-not-dropped",
    {"drop": lambda _, x: x},
    {"drop": lambda *given: given[-1]},
    en=(
        "Nothing is dropped after the embeddings.",
        "GPT-2 drops in three places: on the sum of the embeddings, on the attention weights, and at the end of each branch. Only the first is the model's own.",
        "Set dropout=1.0 in training mode. What is left of the embeddings?",
    ),
    zh=(
        "嵌入之後沒有 dropout。",
        "GPT-2 在三個地方丟棄：嵌入的和、注意力權重，以及每個分支的末端。只有第一個由模型自己負責。",
        "在訓練模式下設 dropout=1.0，嵌入還剩下什麼？",
    ),
)
mistaken(
    "dropped-in-evaluation",
    {"drop": lambda m, x: F.dropout(x, m.config.dropout)},
    {"drop": lambda m, x: torch.dropout(x, m.config.dropout, train=True)},
    en=(
        "The embeddings are dropped in evaluation mode too.",
        "F.dropout drops unless it is told the mode. Two evaluations of one text then differ.",
        "nn.Dropout knows the mode by itself; F.dropout has an argument `training`.",
    ),
    zh=(
        "評估模式下嵌入也被丟棄。",
        "沒有告訴 F.dropout 是什麼模式，它就會丟棄。同一段文字評估兩次，結果不同。",
        "nn.Dropout 自己知道模式；F.dropout 有一個引數 `training`。",
    ),
)
mistaken(
    "dropout-off-forever",
    {"mode": off},
    {
        "mode": also_off,
        "drop": lambda m, x: F.dropout(x, 0.0 if getattr(m, "lost", False) else m.config.dropout, m.training),
    },
    en=(
        "After the first evaluation the embeddings are never dropped again.",
        "Setting the probability to 0 for eval() loses it. The mode is enough: back in training mode dropout is to act as before.",
        "Call eval(), then train(). What is the probability now?",
    ),
    zh=(
        "評估過一次之後，嵌入就再也不會被丟棄。",
        "為了 eval() 把機率設成 0，原來的機率就不見了。看模式就夠了：回到訓練模式，dropout 要照舊。",
        "先呼叫 eval()，再呼叫 train()。現在的機率是多少？",
    ),
)
