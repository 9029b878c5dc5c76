"use strict";
// The table of all submissions: sorted and filtered here, and only the rows in view are drawn. Text goes in as text, never as HTML.
(() => {
  const [ID, STATUS, SCORE, COUNTED, LATE, PASSED, EXERCISES, MISTAKES, SECONDS, PLACE] = Array(10).keys();
  const BEYOND = 12;
  const get = (id) => document.getElementById(id);
  const data = JSON.parse(get("data").textContent);
  const pane = get("window");
  const table = get("table");
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  const order = new Intl.Collator(undefined, { numeric: true });
  const KEYS = {
    id: (row) => row[ID], status: (row) => row[STATUS], score: (row) => row[SCORE], counted: (row) => row[COUNTED],
    late: (row) => row[LATE], passed: (row) => row[PASSED] / (row[EXERCISES] || 1), seconds: (row) => row[SECONDS],
    mistakes: (row) => (row[MISTAKES].length ? data.mistakes[row[MISTAKES][0]][0] : null),
  };
  const searched = data.rows.map((row) =>
    [row[ID], ...row[MISTAKES].flatMap((n) => data.mistakes[n])].join("\n").toLowerCase());

  let found = data.rows.map((_, n) => n);
  let sorted = { column: "id", down: false };
  let height = 40;
  let whole = false;
  const drawn = new Map();
  const above = spacer();
  const below = spacer();

  function element(name, content = [], attributes = {}) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...[content].flat());
    return made;
  }

  function spacer() {
    return element("tr", [], { "aria-hidden": "true", class: "spacer" });
  }

  // Both languages, of which the style sheet shows one.
  function both([en, zh], names = {}) {
    const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => names[name]);
    return [element("span", fill(en), { lang: "en" }), element("span", fill(zh), { lang: "zh-TW" })];
  }

  const chinese = () => get("in-zh").checked;
  const points = (score) => (score === null ? "–" : String(Math.round(score * 100) / 100));

  function drawnStatus(row) {
    const [name, sign, ...words] = data.statuses[row[STATUS]];
    const shape = element("span", sign, { class: "sign", "aria-hidden": "true" });
    return element("span", [shape, " ", ...both(words)], { class: `status ${name}` });
  }

  function drawnMistakes(row) {
    const named = row[MISTAKES].map((n) => data.mistakes[n]);
    const words = [0, 1].map((language) => named.map((each) => each[1 + language]).join(" "));
    return element("td", named.length ? both(words) : [], { class: "cut", title: named.map((each) => each[0]).join(", ") });
  }

  function line(n, index) {
    const row = data.rows[n];
    const link = element("a", row[ID], { href: row[PLACE] ?? `${encodeURIComponent(row[ID])}/${data.report}` });
    const number = (text) => element("td", text, { class: "number" });
    const cells = [element("th", link, { scope: "row", class: "cut" }), element("td", drawnStatus(row)), number(points(row[SCORE]))];
    if (data.counted) cells.push(number(points(row[COUNTED])), number(row[LATE] ? String(row[LATE]) : ""));
    cells.push(number(`${row[PASSED]} / ${row[EXERCISES]}`), number(row[SECONDS].toFixed(2)), drawnMistakes(row));
    return element("tr", cells, { "aria-rowindex": index + 2 });
  }

  function draw() {
    const first = whole ? 0 : Math.max(0, Math.floor(pane.scrollTop / height) - BEYOND);
    const end = whole ? found.length : Math.min(found.length, Math.ceil((pane.scrollTop + pane.clientHeight) / height) + BEYOND);
    const held = body.contains(document.activeElement);
    for (const [index, row] of drawn) {
      if (index < first || index >= end) {
        row.remove();
        drawn.delete(index);
      }
    }
    let next = above.nextSibling;
    for (let index = first; index < end; index += 1) {
      if (!drawn.has(index)) {
        drawn.set(index, line(found[index], index));
        body.insertBefore(drawn.get(index), next);
      }
      next = drawn.get(index).nextSibling;
    }
    above.style.height = `${first * height}px`;
    below.style.height = `${(found.length - end) * height}px`;
    // Whoever scrolls the link away that has the focus goes on from the table.
    if (held && !body.contains(document.activeElement)) pane.focus({ preventScroll: true });
  }

  function redraw() {
    drawn.clear();
    body.replaceChildren(above, below);
    pane.scrollTop = 0;
    draw();
    const row = drawn.get(0);
    if (row) height = row.getBoundingClientRect().height || height;
    draw();
  }

  function compare(key, sign) {
    return (a, b) => {
      const [x, y] = [key(data.rows[a]), key(data.rows[b])];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return sign * (typeof x === "string" ? order.compare(x, y) : x - y) || a - b;
    };
  }

  function update() {
    const text = get("search").value.trim().toLowerCase();
    const status = get("status").value;
    const mistake = get("mistake").value;
    found = data.rows.map((_, n) => n).filter((n) =>
      (!text || searched[n].includes(text)) &&
      (status === "" || data.rows[n][STATUS] === Number(status)) &&
      (mistake === "" || data.rows[n][MISTAKES].includes(Number(mistake))));
    found.sort(compare(KEYS[sorted.column], sorted.down ? -1 : 1));
    for (const header of headers) {
      if (header.dataset.column === sorted.column) header.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    }
    table.setAttribute("aria-rowcount", found.length + 1);
    const told = both(data.words.showing, { n: found.length, total: data.rows.length });
    get("showing").replaceChildren(...told, ...(found.length ? [] : [" ", ...both(data.words.none)]));
    redraw();
  }

  // An option holds text alone, so its language is chosen here.
  function label() {
    const language = chinese() ? 1 : 0;
    const options = (select, named) => {
      const kept = select.value;
      select.replaceChildren(element("option", data.words.any[language], { value: "" }), ...named.map(([text, value]) => element("option", text, { value })));
      select.value = kept;
    };
    const there = new Set(data.rows.map((row) => row[STATUS]));
    options(get("status"), data.statuses.map((words, n) => [words[2 + language], n]).filter(([, n]) => there.has(n)));
    options(get("mistake"), data.mistakes.map((words, n) => [words[1 + language], n]));
  }

  function only(mistake) {
    get("search").value = "";
    get("status").value = "";
    get("mistake").value = mistake;
    update();
  }

  for (const header of headers) {
    header.firstElementChild.addEventListener("click", () => {
      const { column } = header.dataset;
      sorted = { column, down: sorted.column === column && !sorted.down };
      update();
    });
  }
  for (const button of document.querySelectorAll("button.filter")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      only(button.dataset.mistake);
      get("everybody").scrollIntoView();
      pane.focus({ preventScroll: true });
    });
  }
  get("search").addEventListener("input", update);
  get("status").addEventListener("change", update);
  get("mistake").addEventListener("change", update);
  get("reset").addEventListener("click", () => only(""));
  for (const id of ["in-en", "in-zh"]) get(id).addEventListener("change", label);
  pane.addEventListener("scroll", draw, { passive: true });
  window.addEventListener("resize", draw);
  // On paper there is nothing to scroll.
  window.addEventListener("beforeprint", () => { whole = true; draw(); });
  window.addEventListener("afterprint", () => { whole = false; draw(); });

  get("submissions").hidden = false;
  label();
  update();
})();
