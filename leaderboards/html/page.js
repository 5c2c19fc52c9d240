"use strict";
// Everything that players wrote enters the page as text (textContent), never as markup.
const matches = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

function make(tag, name, text) {
  const found = document.createElement(tag);
  if (name) found.className = name;
  if (text !== undefined) found.textContent = text;
  return found;
}

function sortBy(head) {
  const table = head.closest("table"), body = table.tBodies[0];
  const place = [...head.parentNode.children].indexOf(head);
  const down = head.getAttribute("aria-sort") !== "descending" && !(head.dataset.up && !head.hasAttribute("aria-sort"));
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.children[place].dataset.v ?? row.children[place].textContent;
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
    return down ? -order : order;
  });
  body.append(...rows);
}

function filterRows() {
  const wanted = byId("filter").value.toLowerCase();
  for (const row of document.querySelectorAll("table.board tbody tr"))
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
}

function label(match) {
  const seats = match.entrants.map((name, seat) => `${name} ${match.payoffs[seat]}`).join(" : ");
  return `match ${match.id} · ${match.game} · ${seats}`;
}

function listMatches(chosen) {
  const select = byId("match");
  select.replaceChildren(...chosen.map(match => {
    const option = make("option", "", label(match));
    option.value = match.id;
    return option;
  }));
  byId("none").hidden = chosen.length > 0;
  showMatch();
}

function showMatch() {
  const match = matches.find(found => String(found.id) === byId("match").value);
  byId("chat").replaceChildren(...(match ? chat(match) : []));
}

function chat(match) {
  const parts = [make("h3", "", label(match))];
  let round = -1;
  for (const tick of match.ticks) {
    for (const turn of tick.turns) {
      if (turn.round !== round) parts.push(make("div", "round", `round ${turn.round + 1}`));
      round = turn.round;
      parts.push(bubble(match, turn));
    }
    if (tick.rewards.some(reward => reward !== 0))
      parts.push(make("div", "paid", tick.rewards.map((r, seat) => `${match.entrants[seat]} ${r < 0 ? "" : "+"}${r}`).join("   ")));
  }
  const paid = match.entrants.map((name, seat) => `${name} ${match.payoffs[seat]}`).join(", ");
  return [...parts, make("div", "end", `${match.ending} after ${match.rounds} rounds: ${paid}`), make("pre", "", match.render)];
}

function bubble(match, turn) {
  const found = make("div", turn.seat % 2 ? "turn right" : "turn");
  found.append(make("div", "who", `${match.entrants[turn.seat]} (${match.roles[turn.seat]})`));
  if (turn.observation) found.append(folded("what it was told", turn.observation));
  if (turn.thought) found.append(folded("what it thought", turn.thought));
  found.append(make("div", "said", turn.reply === "" ? "(says nothing)" : turn.reply));
  if (turn.illegal) found.append(make("div", "illegal", `illegal, ${turn.move === null ? "forfeits" : "counts as " + turn.move}: ${turn.illegal}`));
  return found;
}

function folded(title, text) {
  const found = make("details");
  found.append(make("summary", "", title), make("div", "", text));
  return found;
}

function step(by) {
  const select = byId("match");
  select.selectedIndex = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + by));
  showMatch();
}

for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => sortBy(button.parentNode));
for (const cell of document.querySelectorAll(".cell"))
  cell.addEventListener("click", () => {
    const pair = [cell.dataset.row, cell.dataset.column];
    listMatches(matches.filter(match => match.game === cell.dataset.game && pair.every(name => match.entrants.includes(name))
      && match.entrants.every(name => pair.includes(name))));
    byId("reader").scrollIntoView();
  });
byId("filter").addEventListener("input", filterRows);
byId("match").addEventListener("change", showMatch);
byId("all").addEventListener("click", () => listMatches(matches));
byId("before").addEventListener("click", () => step(-1));
byId("after").addEventListener("click", () => step(1));
listMatches(matches);
