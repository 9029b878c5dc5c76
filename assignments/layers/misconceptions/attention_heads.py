"""What goes wrong between the fused projection, the heads and the output."""

from __future__ import annotations

import torch

from grader.testing import Explained
from misconceptions.attention import AtOnce, HeadByHead, _Around, appended, kept, mistaken, own_columns


def _twice_the_keys(pair):
    return pair[0], pair[0]


def _thirds_of_heads(P, H):
    q, k, v = P.unflatten(-1, (H, 3, -1)).unbind(dim=-2)
    return q.flatten(2), k.flatten(2), v.flatten(2)


class _Viewed(HeadByHead):
    """Cuts by a reshape, and merges by one too where it is asked to."""

    def __init__(self, config, *, back=False):
        super().__init__(config)
        if back:
            self.place = lambda heads: torch.stack(heads, dim=1).view(len(heads[0]), heads[0].shape[1], -1)

    def parts(self, x):
        found = self.c_attn(x).split(self.d, dim=-1)
        return [part.contiguous().view(len(x), self.H, -1, self.d // self.H) for part in found]


def _reshaped(P, H):
    """The thirds of memory, laid out so that cutting them into heads gives [B, H, T, d / H] of it again."""
    B, T, fused = P.shape
    return [part.transpose(1, 2).flatten(2) for part in P.reshape(B, 3, H, T, fused // (3 * H)).unbind(dim=1)]


class _Fused(HeadByHead):
    """Takes q, k and v from memory as it lies."""

    def parts(self, x):
        return [part.view(len(x), self.H, -1, self.d // self.H) for part in self.c_attn(x).flatten(1).chunk(3, dim=1)]


class _AmongHeads(HeadByHead):
    """Hands the heads on as if they were the tokens; only where there are as many does a row come out."""

    def parts(self, x):
        if x.shape[1] != self.H:
            raise ValueError("heads side by side are no row of this width")
        return [part.transpose(1, 2) for part in super().parts(x)]


class _Refused(HeadByHead):
    """Views a third of the fused output, which torch refuses but where a head, or a token, is all there is, or they are as many."""

    def parts(self, x):
        if x.shape[1] not in {1, self.H} and self.H > 1:
            raise ValueError("the numbers of a third do not lie together")
        return [third.reshape(len(x), self.H, x.shape[1], -1) for third in self.c_attn(x).split(self.d, dim=-1)]


class _AcrossTheBatch(_Around):
    def forward(self, x, cache=None):
        return self.within[0](x.transpose(0, 1), cache).transpose(0, 1)


class _Squeezed(_Around):
    def forward(self, x, cache=None):
        y = self.within[0](x, cache)
        return y[0] if len(y) == 1 else y


for slug, order, en_order in (("read-as-k-q-v", (1, 0, 2), "k, q, v"), ("read-as-q-v-k", (0, 2, 1), "q, v, k")):
    mistaken(
        f"layers.causalselfattention/{slug}",
        {"read": lambda P, order=order: [P.chunk(3, dim=-1)[part] for part in order]},
        {"columns": lambda part, h, H, d, order=order: own_columns(order[part], h, H, d)},
        en=Explained(
            f"The fused output is read as {en_order}.",
            "Published weights have q, k and v in this order. A model that is trained from nothing learns either way; one that is loaded does not.",
            hint="Which third of c_attn's output is multiplied with which?",
        ),
        zh_tw=Explained(
            f"融合的輸出被讀成 {en_order}。",
            "公開的權重依序是 q、k、v。從頭訓練的模型怎麼讀都學得會；載入的模型就不行。",
            hint="c_attn 輸出的三份中，哪一份和哪一份相乘？",
        ),
    )
mistaken(
    "layers.causalselfattention/thirds-in-each-head",
    lambda config: AtOnce(config, read=lambda P: _thirds_of_heads(P, config.n_head)),
    {"columns": lambda part, h, H, d: slice((3 * h + part) * (d // H), (3 * h + part + 1) * (d // H))},
    en=Explained(
        "The fused output is cut into heads first, and each head into q, k, v.",
        "Other models are stored so. GPT-2 has all of q, then all of k, then all of v.",
        hint="Which comes first along the fused row, the head or the choice of q, k, v?",
    ),
    zh_tw=Explained(
        "融合的輸出先切成頭，每個頭裡再切成 q、k、v。",
        "有些模型是這樣存的。GPT-2 是先全部的 q，再全部的 k，最後全部的 v。",
        hint="沿著融合的橫列，先分的是頭，還是 q、k、v？",
    ),
)
mistaken(
    "layers.causalselfattention/every-third",
    {"read": lambda P: P.unflatten(-1, (-1, 3)).unbind(dim=-1)},
    {"columns": lambda part, h, H, d: slice(part + 3 * h * (d // H), part + 3 * (h + 1) * (d // H), 3)},
    en=Explained(
        "q, k and v are taken from every third number.",
        "GPT-2 has all of q, then all of k, then all of v, each a contiguous third of the row.",
        hint="Which numbers of c_attn's output are q?",
    ),
    zh_tw=Explained(
        "q、k、v 是每隔三個數取一個。",
        "GPT-2 是先全部的 q，再全部的 k，最後全部的 v，各占橫列連續的三分之一。",
        hint="c_attn 的輸出中，哪些數是 q？",
    ),
)
mistaken(
    "layers.causalselfattention/no-output-projection",
    {"project": lambda linear, Z: Z},
    {"leave": lambda affine, Z: 1 * Z},
    en=Explained(
        "c_proj is not used: the heads side by side are the result.",
        "Without it what one head has found stays in its own slice of the row, and the heads are never mixed.",
        hint="Double c_proj's weight. Does the result change?",
    ),
    zh_tw=Explained(
        "沒有用到 c_proj：並排的頭就是結果。",
        "少了它，一個頭的發現只留在自己那一段，各頭從來沒有混合。",
        hint="把 c_proj 的權重變成兩倍，結果會變嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/split-by-view-refused",
    {"split": lambda x, H: x.view(len(x), H, x.shape[1], -1)},
    _Refused,
    en=Explained(
        "The heads are cut by a view straight to [B, H, T, d / H], here or in split_heads.",
        "torch refuses it, for q, k and v are slices of the fused output and do not lie together in memory. A reshape would take it, and mix the tokens: in memory a token's whole row comes first.",
        hint="Which axes does a view of the last axis alone give? Swap two of them afterwards.",
    ),
    zh_tw=Explained(
        "你用直接 view 成 [B, H, T, d / H] 的方式切頭，不是在這裡，就是在 split_heads 裡。",
        "torch 會拒絕，因為 q、k、v 是融合輸出的切片，在記憶體裡不相連。換成 reshape 雖然能跑，詞元卻會混在一起：記憶體裡先放完一個詞元的整個橫列。",
        hint="只 view 最後一軸，會得到哪些軸？之後對調其中兩個。",
    ),
)
mistaken(
    "layers.causalselfattention/not-swapped",
    {"split": lambda x, H: x.unflatten(-1, (H, -1))},
    _AmongHeads,
    en=Explained(
        "The heads are cut here, and left behind the tokens: [B, T, H, d / H].",
        "The product of attention works on the last two axes. With the heads there each token attends among its own heads, and not among tokens.",
        hint="Which two axes should the matrix product see? split_heads gives them in that order.",
    ),
    zh_tw=Explained(
        "你在這裡切頭，卻讓頭排在詞元後面：[B, T, H, d / H]。",
        "注意力的矩陣乘法作用在最後兩軸。頭排在那裡，每個詞元就是在自己的各個頭之間做注意力，而不是在詞元之間。",
        hint="矩陣乘法應該看到哪兩個軸？split_heads 給的就是那個順序。",
    ),
)
mistaken(
    "layers.causalselfattention/fused-by-view",
    lambda config: AtOnce(config, read=lambda P: _reshaped(P, config.n_head)),
    _Fused,
    en=Explained(
        "The fused output is reshaped straight to [B, 3, H, T, d / H].",
        "In memory a token's whole row comes first, with its q, k and v: what you call q is the first third of the text, and tokens are mixed with one another.",
        hint="Which axes does a reshape of the last axis alone give? Swap them afterwards.",
    ),
    zh_tw=Explained(
        "融合的輸出被直接 reshape 成 [B, 3, H, T, d / H]。",
        "記憶體裡先放完一個詞元的整個橫列，裡面有它的 q、k、v：你當作 q 的其實是文字的前三分之一，詞元也混在一起了。",
        hint="只改最後一軸的形狀，會得到哪些軸？之後再對調。",
    ),
)
mistaken(
    "layers.causalselfattention/split-by-view",
    {"split": lambda x, H: x.reshape(len(x), H, x.shape[1], -1)},
    _Viewed,
    en=Explained(
        "The heads are cut by a reshape straight to [B, H, T, d / H].",
        "That keeps the order in memory, where a token's whole row comes first: head 0 gets the first tokens, and tokens see later ones through the mixed axes.",
        hint="Is your split here the one that split_heads does?",
    ),
    zh_tw=Explained(
        "你用直接 reshape 成 [B, H, T, d / H] 的方式切頭。",
        "reshape 保持記憶體裡的順序，那裡先放完一個詞元的整個橫列：第 0 頭拿到的是前幾個詞元，詞元也會透過混掉的軸看到後面。",
        hint="你這裡的切法，和 split_heads 的一樣嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/merged-by-view",
    {"join": lambda Z: Z.reshape(len(Z), Z.shape[2], -1)},
    {"place": lambda heads: torch.stack(heads, dim=1).flatten(1).unflatten(-1, (heads[0].shape[1], -1))},
    en=Explained(
        "The heads are merged by a reshape straight to [B, T, d].",
        "In memory all tokens of head 0 come first, so early rows hold late tokens: causality is lost after the mask has done its work.",
        hint="Is your merge here the one that merge_heads does?",
    ),
    zh_tw=Explained(
        "你用直接 reshape 成 [B, T, d] 的方式合併頭。",
        "記憶體裡先放完第 0 頭的所有詞元，前面的橫列就裝了後面的詞元：遮罩做完之後，因果性又丟了。",
        hint="你這裡的合併，和 merge_heads 的一樣嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/split-and-merged-by-view",
    {
        "split": lambda x, H: x.reshape(len(x), H, x.shape[1], -1),
        "join": lambda Z: Z.reshape(len(Z), Z.shape[2], -1),
    },
    lambda config: _Viewed(config, back=True),
    en=Explained(
        "Heads are cut and merged by plain reshapes, here or in split_heads and merge_heads.",
        "The two mistakes cancel in the shape, not in the numbers: each head attends within its own block of tokens. No token sees a later one, so a test of causality passes; but later tokens do not see earlier blocks.",
        hint="Change the first token. Does every later row change?",
    ),
    zh_tw=Explained(
        "切頭和併頭都只用 reshape，不是在這裡，就是在 split_heads 和 merge_heads 裡。",
        "兩個錯在形狀上抵消，在數字上沒有：每個頭只在自己那一塊詞元裡做注意力。沒有詞元看到後面，所以因果性的測試會過；但後面的詞元也看不到前面的塊。",
        hint="改動第一個詞元，後面每個橫列都會變嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/one-head",
    {"n_head": 1},
    {"heads": 1},
    en=Explained(
        "There is one head, whatever the configuration says.",
        "One head can look in one way at a time. n_head of them share the width and look in as many.",
        hint="Where is config.n_head used?",
    ),
    zh_tw=Explained(
        "不管設定怎麼寫，你只有一個頭。",
        "一個頭一次只能用一種方式看。n_head 個頭分享寬度，就有那麼多種方式。",
        hint="config.n_head 用在哪裡？",
    ),
)
mistaken(
    "layers.causalselfattention/keys-gathered",
    {"dropped": lambda drop, A, v: drop(A) @ v, "keep": lambda cache, k, v: _twice_the_keys(kept(cache, k, v))},
    {"keep": lambda cache, k, v: _twice_the_keys(appended(cache, k, v))},
    en=Explained(
        "The weights gather the keys, not the values.",
        "A key says what a token can be found by, a value what it has to give. With the keys in both places a third of c_attn is never used.",
        hint="What is multiplied with the weights in A V?",
    ),
    zh_tw=Explained(
        "權重收集的是鍵，不是值。",
        "鍵說明一個詞元可以怎麼被找到，值才是它能提供的東西。兩處都用鍵，c_attn 就有三分之一沒有用到。",
        hint="A V 裡，和權重相乘的是什麼？",
    ),
)
mistaken(
    "layers.causalselfattention/tokens-of-other-texts",
    lambda config: _AcrossTheBatch(config, AtOnce(config)),
    lambda config: _AcrossTheBatch(config, HeadByHead(config)),
    en=Explained(
        "Attention runs over the batch, not over the tokens.",
        "Texts that have nothing to do with each other are mixed, and a token never sees its own past. Modules that expect [T, B, d] make this easy.",
        hint="Change one text of the batch. Do the results of the others change?",
    ),
    zh_tw=Explained(
        "注意力是沿著批次做的，不是沿著詞元。",
        "毫不相干的文字混在一起，詞元卻看不到自己的過去。有些模組要求 [T, B, d]，很容易弄成這樣。",
        hint="改動批次中的一段文字，其他文字的結果會變嗎？",
    ),
)
mistaken(
    "layers.causalselfattention/batch-lost",
    lambda config: _Squeezed(config, AtOnce(config)),
    lambda config: _Squeezed(config, HeadByHead(config)),
    en=Explained(
        "A batch of one loses its axis.",
        "squeeze removes every axis of length 1, wanted or not. [1, T, d] in, [1, T, d] out.",
        hint="Print the shape of the result for a batch of one.",
    ),
    zh_tw=Explained(
        "批次只有一個時，那一軸不見了。",
        "squeeze 會拿掉所有長度 1 的軸，不管你要不要。[1, T, d] 進，[1, T, d] 出。",
        hint="批次只有一個時，把結果的形狀印出來。",
    ),
)
