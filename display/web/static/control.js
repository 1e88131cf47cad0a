import { banner, byId, fill, make, ruling } from "./draw.js";
import { listen } from "./live.js";
import { lost, show } from "./table.js";

const body = document.body;
const main = document.querySelector("main");
const NAMES = { Enter: "enter", Backspace: "backspace", Escape: "esc", " ": "space", ArrowLeft: "left", ArrowRight: "right" };
let page = null;
let sending = Promise.resolve();

const post = (path, value) =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) });

// One after the other, so that they arrive as they were pressed; each names the picture that it was pressed on.
function press(what) {
  if (!page) return;
  const told = { desk: page.desk, at: page.at, ...what };
  sending = sending.then(async () => {
    const answer = await post("/press", told).catch(() => null);
    if (!answer) lost(true);
    else if (answer.status === 409) banner(body.dataset.late, "busy");
    else if (answer.status === 401 || answer.status === 410) location.reload();
  });
}

function draw(told) {
  page = told;
  main.hidden = false;
  show({ view: told.view, spoken: told.spoken });
  fill(byId("controls"), ...told.controls.map((group) => make("div", "group", ...group.map(control))));
  fill(byId("history"), ...told.history.map((one) => make("li", "", ...ruling(one, told.view.chip_colours, ""))));
  fillHelp(told.view.help);
}

function control(one) {
  const made = make("button", `${one.tone} ${one.wide ? "wide" : ""}`, one.label);
  made.type = "button";
  made.dataset.keys = one.keys.join(",");
  if (one.tone === "off") made.setAttribute("disabled", "");
  return made;
}

function fillHelp(help) {
  document.querySelector("dialog")?.remove();
  if (!help) return;
  const shown = make("dialog", "", make("h2", "", help.title),
    make("dl", "", ...help.lines.map(([keys, what]) => make("div", "", make("dt", "", keys), make("dd", "", what)))));
  body.append(shown);
  shown.show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#controls button");
  const choice = event.target.closest("#question li");
  const seat = event.target.closest("#seats > li");
  if (event.target.closest("dialog")) press({ keys: ["esc"] });
  else if (button) press({ keys: button.dataset.keys.split(",") });
  else if (choice) press({ keys: chosen(choice.dataset.number) });
  else if (seat) press({ seat: Number(seat.dataset.seat) });
});

const chosen = (number) => ("words" in page.view.act ? ["esc", "v", number, "enter"] : ["esc", number]);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
  if (event.target.matches("button, a") && (event.key === "Enter" || event.key === " ")) return;
  const key = NAMES[event.key] ?? (event.key.length === 1 ? event.key : "");
  if (!key) return;
  event.preventDefault();
  press({ keys: [key] });
});

byId("enter").addEventListener("submit", async (event) => {
  event.preventDefault();
  await enter(byId("key").value);
});

async function enter(key) {
  const answer = await post("/enter", key).catch(() => null);
  if (answer?.ok) start();
  else banner(body.dataset.wrong, "bad");
}

// A key in the address behind # never travels to the server by itself; it is taken out of sight at once.
async function begin() {
  const key = decodeURIComponent(location.hash.slice(1));
  if (key) {
    history.replaceState(null, "", location.pathname + location.search);
    await enter(key);
    return;
  }
  const answer = await fetch("/role").catch(() => null);
  if (answer?.ok) start();
  else byId("enter").hidden = false;
}

function start() {
  byId("enter").hidden = true;
  banner("", "quiet");
  listen(body.dataset.stream, draw, lost);
}

begin();
