"""What goes wrong in the exercise training.checkpoint: one of its two functions is wrong, and the other is the reference's."""

from __future__ import annotations

import copy
from pathlib import Path

import torch

from grader.testing import Explained, misconception, variant


def declare(function, slug, en, zh_tw, first, second):
    """Declare a mistake in one of the two functions that is written in two ways."""
    mistake = f"training.checkpoint/{slug}"
    misconception(mistake, name=f"{function}_checkpoint", en=Explained(*en), zh_tw=Explained(*zh_tw))(first)
    variant(mistake)(second)


def safely(path):
    return torch.load(path, weights_only=True)


def all_of(model, state):
    model.load_state_dict(state)


def optimizer_of(optimizer, state):
    optimizer.load_state_dict(state)


def loading(*, read=safely, model=all_of, optimizer=optimizer_of, generator="generator", own="torch", step=lambda n: n):
    """Load part by part."""
    given = model, optimizer

    def load(ref, path, model, optimizer, the_generator):
        state = read(path)
        given[0](model, state["model"])
        given[1](optimizer, state["optimizer"])
        if generator:
            the_generator.set_state(state[generator])
        if own:
            torch.set_rng_state(state[own])
        return step(state["step"])

    return load


def afterwards(repair):
    """Load as the reference does, then undo a part: `repair(model, optimizer, generator, kept, step)` returns the steps."""

    def load(ref, path, model, optimizer, generator):
        kept = {
            "optimizer": copy.deepcopy(optimizer.state_dict()),
            "rates": [group["lr"] for group in optimizer.param_groups],
            "buffers": {name: each.clone() for name, each in model.named_buffers()},
            "generator": generator.get_state(),
            "torch": torch.get_rng_state(),
        }
        step = ref.originals.load_checkpoint(path, model, optimizer, generator)
        repaired = repair(model, optimizer, generator, kept, step)
        return step if repaired is None else repaired

    return load


def state_of(model, optimizer, generator, step):
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "generator": generator.get_state(),
        "torch": torch.get_rng_state(),
        "cuda": [],
        "step": step,
    }


def saving(*, change=lambda state: state, write=None, first=lambda path, model: None):
    """Put the parts together and write them."""

    def save(ref, path, model, optimizer, generator, step):
        if first(path, model):
            return
        state = change(state_of(model, optimizer, generator, step))
        if write is None:
            beside = Path(path).with_name("other.tmp")
            torch.save(state, beside)
            beside.replace(path)
        else:
            write(state, path)

    return save


def keep_rates(model, optimizer, generator, kept, step):
    for group, lr in zip(optimizer.param_groups, kept["rates"], strict=True):
        group["lr"] = lr


def momentum_only(optimizer, state):
    rates = [group["lr"] for group in optimizer.param_groups]
    optimizer.load_state_dict(state)
    for group, lr in zip(optimizer.param_groups, rates, strict=True):
        group.update(lr=lr)


def parameters_only(model, state):
    given = dict(model.named_parameters())
    with torch.no_grad():
        if set(given) - set(state) or set(state) - set(dict(model.named_buffers())) - set(given):
            raise RuntimeError("another model")
        for name, parameter in given.items():
            parameter.copy_(state[name])


def buffers_back(model, optimizer, generator, kept, step):
    for name, buffer in model.named_buffers():
        buffer.copy_(kept["buffers"][name])


def by_name(model, state):
    model.load_state_dict({**model.state_dict(), **state}, strict=False)


def anew_where_there_is_none(ref, path, *arguments):
    return ref.originals.load_checkpoint(path, *arguments) if Path(path).exists() else 0


def anew(ref, path, *arguments):
    try:
        return loading()(ref, path, *arguments)
    except FileNotFoundError:
        return 0


def single(state):
    return state | {"model": {name: weight.float() for name, weight in state["model"].items()}}


def written_as_float32(state):
    state["model"] = {name: weight.clone().to(torch.float32) for name, weight in state["model"].items()}
    return state


def over_it(state, path):
    with Path(path).open("wb") as file:
        torch.save(state, file)


def remove_first(path, model):
    if path.exists():
        path.unlink()


def removed_and_written(state, path):
    Path(path).unlink(missing_ok=True)
    torch.save(state, Path(path).with_suffix(".new"))
    Path(path).with_suffix(".new").rename(path)


def evaluated(path, model):
    model.eval()


def own_file(path):
    with Path(path).open("rb") as file:
        return torch.load(file, weights_only=False)


declare(
    "load",
    "optimizer-forgotten",
    (
        "You do not load the optimizer.",
        "Its means and its rate begin anew: the first steps after the stop go astray, and the loss jumps.",
        "Which parts of the file do you use?",
    ),
    (
        "你沒有載入最佳化器。",
        "它的動量和學習率都從頭來：接續後的頭幾步會走偏，損失會跳一下。",
        "檔案裡的哪些部分你有用到？",
    ),
    loading(optimizer=lambda *_: None),
    loading(optimizer=lambda optimizer, state: optimizer.load_state_dict(optimizer.state_dict())),
)
declare(
    "load",
    "rate-forgotten",
    (
        "You keep the new optimizer's rate.",
        "An optimizer is two things: what it has gathered for each parameter, and the numbers of its groups. Both were saved.",
        "Print `optimizer.param_groups[0]['lr']` before the stop and after loading.",
    ),
    (
        "你留著新最佳化器的學習率。",
        "最佳化器有兩部分：替每個參數累積的東西，和各組的數值。兩者都存下來了。",
        "印出停下之前和載入之後的 `optimizer.param_groups[0]['lr']`。",
    ),
    loading(optimizer=momentum_only),
    afterwards(keep_rates),
)
declare(
    "load",
    "generator-forgotten",
    (
        "You do not load the generator.",
        "The run goes on with other batches than it would have had, perhaps with those of its beginning.",
        "What does the generator draw next, before the stop and after loading?",
    ),
    (
        "你沒有載入產生器。",
        "接續的訓練拿到的批次和原本會有的不同，也許是開頭用過的那些。",
        "停下之前和載入之後，產生器接下來各抽到什麼？",
    ),
    loading(generator=None),
    afterwards(lambda model, optimizer, generator, kept, step: generator.set_state(kept["generator"]) and None),
)
declare(
    "load",
    "torchs-own-generator-forgotten",
    (
        "You do not load the state of torch's own generator.",
        "Dropout draws from it: the same batches then meet other holes.",
        "What does torch.rand give next, before the stop and after loading?",
    ),
    (
        "你沒有載入 torch 自己的產生器的狀態。",
        "dropout 從它抽樣：同樣的批次會遇到不同的缺口。",
        "停下之前和載入之後，torch.rand 接下來各給出什麼？",
    ),
    loading(own=None),
    afterwards(lambda model, optimizer, generator, kept, step: torch.set_rng_state(kept["torch"])),
)
declare(
    "load",
    "steps-forgotten",
    (
        "You say that no step has been made.",
        "The learning rate is a matter of the step: from 0 on it would warm up once more.",
        "What do you return after saving with step = 7?",
    ),
    (
        "你說一步都還沒走。",
        "學習率由步數決定：從 0 開始就會再暖身一次。",
        "用 step = 7 儲存之後，你回傳什麼？",
    ),
    loading(step=lambda _: 0),
    afterwards(lambda *_: 0),
)
declare(
    "save",
    "next-step-saved",
    (
        "You save one step too many.",
        "What is saved is the number of steps made, as it was handed in. Counted up, a step is left out.",
        "What do you get back after saving with step = 7?",
    ),
    (
        "你多存了一步。",
        "要存的是已經走了幾步，傳進來是多少就是多少。多加一，就會漏掉一步。",
        "用 step = 7 儲存之後，拿回來的是多少？",
    ),
    saving(change=lambda state: state | {"step": state["step"] + 1}),
    lambda ref, path, model, optimizer, generator, step: ref.originals.save_checkpoint(
        path, model, optimizer, generator, -~step
    ),
)
declare(
    "load",
    "parameters-only",
    (
        "You load the parameters, and not the buffers.",
        "A model's state is more than what is learned by gradients: means that it keeps, masks. state_dict has all of it.",
        "Which names are in state_dict, and not in named_parameters?",
    ),
    (
        "你只載入參數，沒有載入緩衝區。",
        "模型的狀態不只有用梯度學的東西，還有它保存的平均、遮罩。state_dict 裡全都有。",
        "哪些名字在 state_dict 裡，卻不在 named_parameters 裡？",
    ),
    loading(model=parameters_only),
    afterwards(buffers_back),
)
declare(
    "save",
    "rounded",
    (
        "You save the weights as float32.",
        "Half of the digits of float64 are gone. A run that shall go on to the last bit needs all of them.",
        "Is the dtype of what you load that of the model?",
    ),
    (
        "你把權重存成 float32。",
        "float64 的位數少了一半。要一個位元都不差地接下去，全部的位數都需要。",
        "你載入的 dtype 和模型的一樣嗎？",
    ),
    saving(change=single),
    saving(change=written_as_float32),
)
declare(
    "save",
    "written-over",
    (
        "You write straight over the older checkpoint.",
        "If the program or the disk fails half-way, the new one is broken and the old one is gone. Write beside it, then rename.",
        "What is in the file after half of the writing?",
    ),
    (
        "你直接寫在舊的檢查點上。",
        "寫到一半，程式或磁碟出錯，新的壞了，舊的也沒了。先寫在旁邊，再改名。",
        "寫到一半時，檔案裡是什麼？",
    ),
    saving(write=torch.save),
    saving(write=over_it),
)
declare(
    "save",
    "older-one-removed-first",
    (
        "You take the older checkpoint away before the new one is there.",
        "In between there is none at all: a crash then costs the whole run. A rename replaces it in one move.",
        "Which checkpoint is there while you write?",
    ),
    (
        "新的還沒寫好，你就先刪掉舊的檢查點。",
        "這中間一個都沒有：這時當掉，整個訓練就沒了。改名可以一次換掉。",
        "你在寫的時候，有哪個檢查點在？",
    ),
    saving(first=remove_first),
    saving(write=removed_and_written),
)
declare(
    "save",
    "switched-to-evaluation",
    (
        "Saving switches the model to evaluation mode.",
        "The training goes on after it, and without dropout from then on.",
        "What is model.training after you have saved?",
    ),
    (
        "儲存時，你把模型切到評估模式。",
        "儲存後訓練還會繼續，之後就都沒有 dropout。",
        "儲存之後，model.training 是什麼？",
    ),
    saving(first=evaluated),
    saving(first=lambda path, model: model.train(mode=False) and None),
)
declare(
    "load",
    "another-model-accepted",
    (
        "You load what fits, and say nothing of the rest.",
        "A part of the model then has the weights that it was made with. Names that are missing or too many are a mistake.",
        "What does strict=False keep quiet about?",
    ),
    (
        "你只載入合得上的，其餘不吭聲。",
        "模型有一部分就停在剛建立時的權重。少了或多了名字，都是出錯了。",
        "strict=False 讓什麼事不會被說出來？",
    ),
    loading(model=lambda model, state: model.load_state_dict(state, strict=False)),
    loading(model=by_name),
)
declare(
    "load",
    "no-file-is-a-beginning",
    (
        "Where there is no file you begin anew.",
        "A wrong path then costs a run: it starts from nothing, and looks as if all were well. FileNotFoundError says so at once.",
        "What do you return for a file that is not there?",
    ),
    (
        "檔案不在時，你就從頭開始。",
        "路徑打錯，就會白跑一次：從零開始，看起來卻一切正常。FileNotFoundError 會馬上說出來。",
        "檔案不存在時，你回傳什麼？",
    ),
    anew_where_there_is_none,
    anew,
)
declare(
    "load",
    "runs-a-strangers-code",
    (
        "You read the file as any Python object there may be.",
        "Such a file can hold code, which runs while it is read. A checkpoint is tensors and plain values: nothing else needs to be read.",
        "What does weights_only=False allow?",
    ),
    (
        "你把檔案當成任何 Python 物件來讀。",
        "這種檔案可以夾帶程式碼，一讀就會執行。檢查點只有張量和普通的值，不需要讀別的。",
        "weights_only=False 允許了什麼？",
    ),
    loading(read=lambda path: torch.load(path, weights_only=False)),
    loading(read=own_file),
)
