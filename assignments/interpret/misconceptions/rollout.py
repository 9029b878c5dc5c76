"""What goes wrong in the exercise interpret.rollout."""

from __future__ import annotations

from functools import partial, reduce

import torch

from grader.testing import Explained, misconception, variant
from misconceptions.shared import WIDENED, refuse

about = partial(misconception, name="rollout")


def checked(rule):
    """A function that refuses what the reference refuses; otherwise `rule(maps)`."""

    def function(ref, maps):
        refuse(maps.ndim != 4 or maps.shape[-1] != maps.shape[-2])
        return rule(maps)

    return function


def eye(A):
    return torch.eye(A.shape[-1], dtype=A.dtype)


def chained(*, head=lambda A: A.mean(dim=0), passed=lambda A: (A + eye(A)) / 2, put=lambda R, A: A @ R):
    """Layer after layer, from the identity on."""
    return checked(lambda maps: reduce(put, [passed(head(A)) for A in maps], eye(maps)))


def folded(*, heads=lambda maps: maps.sum(1) / maps.shape[1], stay=0.5, go=0.5, order=reversed):
    """All layers at once, then the product from the left."""

    def rule(maps):
        layers = go * heads(maps) + stay * torch.eye(maps.shape[-1]).to(maps.dtype)
        first, *others = order(list(layers))
        for layer in others:
            first = torch.einsum("ij,jk->ik", first, layer)
        return first

    return checked(rule)


about(
    "interpret.rollout/without-the-identity",
    en=Explained(
        "You left out the residual stream.",
        "Attention adds to what stands at a position; it does not replace it. Half of what a layer passes on is therefore what was there before, the identity.",
        hint="What would your rollout be if no token attended to itself, and what does the model keep?",
    ),
    zh_tw=Explained(
        "你漏了殘差流。",
        "注意力是加到位置原有的東西上，不是取代它。所以一層傳下去的，有一半是原來就在那裡的，也就是單位矩陣。",
        hint="如果沒有詞元注意自己，你的 rollout 會是什麼？模型又保留了什麼？",
    ),
)(chained(passed=lambda A: A))
variant("interpret.rollout/without-the-identity")(folded(stay=0, go=1))

about(
    "interpret.rollout/first-layer-leftmost",
    en=Explained(
        "You multiplied the layers in the wrong order.",
        "The last layer looks at positions, into which the layers before it have brought tokens: its matrix stands leftmost, as the function that is applied last does.",
        hint="Row i of the product should begin at the output. Which layer's row i is nearest to it?",
    ),
    zh_tw=Explained(
        "你把層的相乘順序弄反了。",
        "最後一層看的是位置，而前面各層已經把詞元帶到那些位置：它的矩陣在最左邊，就像最後套用的函數一樣。",
        hint="乘積的橫列 i 要從輸出開始。哪一層的橫列 i 離輸出最近？",
    ),
)(chained(put=lambda R, A: R @ A))
variant("interpret.rollout/first-layer-leftmost")(folded(order=list))

about(
    "interpret.rollout/sum-of-heads",
    en=Explained(
        "You summed the heads.",
        "The rows of a sum of H heads sum to H, and the rollout grows with each layer. The mean head is a distribution again.",
        hint="What do the rows of your result sum to?",
    ),
    zh_tw=Explained(
        "你把各個頭加總了。",
        "H 個頭相加，橫列的總和是 H，rollout 會一層比一層大。平均的頭才仍是分布。",
        hint="你的結果的橫列總和是多少？",
    ),
)(chained(head=lambda A: A.sum(dim=0)))
variant("interpret.rollout/sum-of-heads")(folded(heads=lambda maps: torch.einsum("lhij->lij", maps)))

about(
    "interpret.rollout/not-halved",
    en=Explained(
        "You added the identity, and did not halve.",
        "The rows of a mean head and of the identity each sum to 1, and those of their sum to 2: after L layers to 2 to the power of L.",
        hint="What do the rows of your result sum to with one layer, and with two?",
    ),
    zh_tw=Explained(
        "你加上了單位矩陣，卻沒有除以二。",
        "平均的頭和單位矩陣的橫列總和各是 1，相加就是 2：經過 L 層，變成 2 的 L 次方。",
        hint="一層時你的結果的橫列總和是多少？兩層呢？",
    ),
)(chained(passed=lambda A: A + eye(A)))
variant("interpret.rollout/not-halved")(folded(stay=1, go=1))


about(
    "interpret.rollout/largest-head",
    en=Explained(
        "You took the largest weight of all heads.",
        "The largest of several shares are no shares of one whole: their rows sum to more than 1. What is asked for is the mean head.",
        hint="What do the rows of your largest weights sum to?",
    ),
    zh_tw=Explained(
        "你取了所有頭中最大的權重。",
        "各取最大的份額，合起來就不再是一個整體的份額：橫列總和大於 1。這一題要的是平均的頭。",
        hint="你取的最大權重，橫列總和是多少？",
    ),
)(chained(head=lambda A: A.amax(dim=0)))
variant("interpret.rollout/largest-head")(folded(heads=lambda maps: maps.sort(dim=1).values[:, -1]))


about(
    "interpret.rollout/each-head-by-itself",
    en=Explained(
        "You rolled out head by head, and averaged at the end.",
        "Head 0 of one layer then passes on only to head 0 of the next. But what a head writes is read by all heads of the next layer: the mean comes first.",
        hint="Who reads what head 0 of the first layer has written?",
    ),
    zh_tw=Explained(
        "你對每個頭各做 rollout，最後才平均。",
        "這樣一層的頭 0 只會傳給下一層的頭 0。可是頭寫下的東西，下一層的每個頭都讀得到：要先平均。",
        hint="第一層的頭 0 寫下的東西，誰會讀？",
    ),
)(
    checked(
        lambda maps: torch.stack(
            [reduce(lambda R, A: (A + eye(A)) / 2 @ R, maps[:, h], eye(maps)) for h in range(maps.shape[1])]
        ).mean(dim=0)
    )
)


@variant("interpret.rollout/each-head-by-itself")
@checked
def _(maps):
    R = eye(maps).expand(maps.shape[1:])
    for layer in maps:
        R = 0.5 * torch.bmm(layer, R) + 0.5 * R
    return R.sum(0) / len(R)


about(
    "interpret.rollout/mean-of-layers",
    en=Explained(
        "You averaged the layers.",
        "What comes to a position in the second layer has already been mixed by the first. Steps that follow each other multiply.",
        hint="From token 0 to position 1, and in the next layer from 1 to 2: where is this way in your result?",
    ),
    zh_tw=Explained(
        "你把各層平均了。",
        "第二層帶到某個位置的，已經是第一層混過的。先後的步驟要相乘。",
        hint="先從詞元 0 到位置 1，下一層再從 1 到 2：這條路在你的結果裡嗎？",
    ),
)(checked(lambda maps: (maps.mean(dim=(0, 1)) + eye(maps)) / 2))
variant("interpret.rollout/mean-of-layers")(
    checked(lambda maps: sum((A.mean(0) + eye(A)) / 2 for A in maps) / len(maps))
)

about(
    "interpret.rollout/last-layer-only",
    en=Explained(
        "You looked at the last layer only.",
        "Its weights say which positions were read, and by then each of them holds a mixture of tokens. Only the product says which tokens.",
        hint="Does your result change when the first layer does?",
    ),
    zh_tw=Explained(
        "你只看了最後一層。",
        "它的權重說的是讀了哪些位置，而那時每個位置裝的都是詞元的混合。要乘起來，才知道是哪些詞元。",
        hint="改變第一層，你的結果會跟著變嗎？",
    ),
)(checked(lambda maps: (maps[-1].mean(dim=0) + eye(maps)) / 2))
variant("interpret.rollout/last-layer-only")(folded(order=lambda layers: layers[-1:]))

about(
    "interpret.rollout/identity-once",
    en=Explained(
        "You added the identity once, after the product.",
        "Every layer has a residual stream to go past it. Added at the end only, a token either passes all layers untouched, or is moved by every one.",
        hint="A token that one layer moves and the other leaves alone: where is it in your result?",
    ),
    zh_tw=Explained(
        "你在乘完之後才加一次單位矩陣。",
        "每一層旁邊都有殘差流。只在最後加，一個詞元就只能完全不動地通過所有層，或是被每一層搬動。",
        hint="一個詞元被某一層搬動、另一層沒有動它：這在你的結果裡嗎？",
    ),
)(checked(lambda maps: (reduce(lambda R, A: A.mean(0) @ R, maps, eye(maps)) + eye(maps)) / 2))


@variant("interpret.rollout/identity-once")
@checked
def _(maps):
    last, *before = (maps.sum(1) / maps.shape[1]).flip(0)
    for A in before:
        last = last.matmul(A)
    return last.add(eye(last)).mul(0.5)


about(
    "interpret.rollout/entry-by-entry",
    en=Explained(
        "You multiplied entry by entry.",
        "From token k to position i there are ways through every position j: the matrix product sums over them. `*` knows only the ways that stay.",
        hint="Which operator is the product of matrices?",
    ),
    zh_tw=Explained(
        "你是逐項相乘的。",
        "從詞元 k 到位置 i，經過每個位置 j 都有一條路：矩陣乘法把它們加起來。`*` 只認得不動的路。",
        hint="矩陣的乘法是哪個運算子？",
    ),
)(checked(lambda maps: torch.stack([(A.mean(0) + eye(A)) / 2 for A in maps]).prod(dim=0)))
variant("interpret.rollout/entry-by-entry")(
    checked(lambda maps: reduce(torch.mul, [A.mean(0).lerp(eye(A), 0.5) for A in maps]))
)


about(
    "interpret.rollout/one-layer-refused",
    en=Explained(
        "You cannot roll out a single layer.",
        "A product of one matrix is that matrix. torch.linalg.multi_dot, and a product that begins by taking two layers, want more.",
        hint="Call it with maps of one layer. With which matrix can a product begin, so that nothing has to be there?",
    ),
    zh_tw=Explained(
        "只有一層時，你算不出 rollout。",
        "一個矩陣的乘積就是它自己。torch.linalg.multi_dot，或一開始就先取兩層的乘法，都至少要兩個。",
        hint="用一層的圖呼叫看看。乘積從哪個矩陣開始，就不需要任何一層？",
    ),
)(checked(lambda maps: torch.linalg.multi_dot([(A.mean(0) + eye(A)) / 2 for A in maps.flip(0)])))


@variant("interpret.rollout/one-layer-refused")
@checked
def _(maps):
    refuse(len(maps) < 2)
    return chained()(None, maps)


about("interpret.rollout/always-float64", **WIDENED)(
    chained(passed=lambda A: (A + torch.eye(len(A), dtype=torch.float64)) / 2, put=lambda R, A: A @ R.double())
)
variant("interpret.rollout/always-float64")(folded(heads=lambda maps: maps.mean(1).to(torch.float64)))

about(
    "interpret.rollout/cut-off",
    en=Explained(
        "No gradient gets through.",
        "Your result has the right numbers and does not know where they came from. `detach`, `no_grad`, `.item()`, `.tolist()`, NumPy, and a tensor made anew cut the thread to the maps.",
        hint="Give it maps with requires_grad=True. After which line is requires_grad of what you have gone?",
    ),
    zh_tw=Explained(
        "梯度傳不過去。",
        "你的結果數值正確，卻不知道這些數值從哪裡來。`detach`、`no_grad`、`.item()`、`.tolist()`、NumPy，以及重新建立的張量，都會切斷和圖的連結。",
        hint="給它 requires_grad=True 的圖。經過哪個敘述之後，手上的東西就不再 requires_grad？",
    ),
)(chained(head=lambda A: A.mean(0).detach()))
variant("interpret.rollout/cut-off")(folded(heads=lambda maps: torch.from_numpy(maps.detach().numpy().mean(axis=1))))

about(
    "interpret.rollout/any-axes",
    en=Explained(
        "You accept maps of other shapes.",
        "Maps of three axes have no layers or no heads, and which of them your mean ran over nobody knows. And a row of one query is stretched by torch to as many as the identity has.",
        hint="Try maps [H, T, T] and [L, H, 1, T]. The given require_shapes can ask.",
    ),
    zh_tw=Explained(
        "你接受了其他形狀的圖。",
        "三軸的圖少了層或頭，你的平均沿著哪一種，沒有人知道。而且只有一個查詢的橫列，torch 會把它撐成和單位矩陣一樣多。",
        hint="試試形狀 [H, T, T] 和 [L, H, 1, T] 的圖。可以用現成的 require_shapes 檢查。",
    ),
)(lambda _, maps: reduce(lambda R, A: (A + eye(A)) / 2 @ R, maps.mean(dim=1), eye(maps)))


@variant("interpret.rollout/any-axes")
def _(_, maps):
    R = torch.eye(maps.shape[-1]).to(maps.dtype)
    for n in range(len(maps)):
        A = maps.mean(1)[n]
        R = torch.matmul(0.5 * A + 0.5 * torch.eye(A.shape[-1]).to(A.dtype), R)
    return R


@about(
    "interpret.rollout/maps-overwritten",
    en=Explained(
        "You write into the maps.",
        "They belong to the caller, who may want to look at them after the rollout. `+=`, `/=` and operations that end in an underscore change what they are given.",
        hint="Print the maps before and after the call.",
    ),
    zh_tw=Explained(
        "你改寫了注意力圖。",
        "它們屬於呼叫你的人，做完 rollout 之後可能還要看。`+=`、`/=` 和名稱以底線結尾的運算，都會改動收到的東西。",
        hint="在呼叫前後各印一次圖。",
    ),
)
@checked
def maps_overwritten(maps):
    R = reduce(lambda R, A: (A + eye(A)) / 2 @ R, maps.mean(dim=1), eye(maps))
    maps.detach().add_(eye(maps)).div_(2)
    return R


@variant("interpret.rollout/maps-overwritten")
@checked
def _(maps):
    R = chained()(None, maps)
    maps.data += eye(maps)
    maps.data /= 2
    return R
