"""What `grader path` says: the unit as a map."""

from __future__ import annotations

from grader.words.said import Said

MINUTES = Said("{minutes} min", "{minutes} 分鐘")
POINTS = Said("{points:g} points", "{points:g} 分")
DONE = Said("{done} of {count} done", "完成 {done}／{count}")
AFTER = Said(" (after {names})", "（在 {names} 之後）")
ALSO_AFTER = Said(" (and after {names})", "（也在 {names} 之後）")
CHANGED = Said(" (changed since it was checked)", "（檢查之後有修改過）")
SUM = Said("all", "總計")
