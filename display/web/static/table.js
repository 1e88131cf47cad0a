import { banner, boardCard, byId, card, chips, fill, make, ruling, toggle, words } from "./draw.js";
import { listen } from "./live.js";
import { speak, speakIf } from "./voice.js";

const body = document.body;

export function show(page) {
  const view = page.view;
  body.classList.toggle("stale", view.stale);
  words(byId("line"), view.curtain ? view.curtain.title : view.top.left);
  banner(view.curtain ? view.curtain.hint : (view.banner?.text ?? view.behind), view.banner?.tone ?? "quiet");
  byId("felt").hidden = Boolean(view.curtain);
  const [label, pot] = byId("pot").children;
  label.textContent = view.pot_label;
  pot.textContent = view.pot;
  fill(byId("board"), ...view.board.map(boardCard));
  fill(byId("pots"), ...view.pots.map((one) =>
    make("li", "", `${one.label} `, make("b", "", one.amount), one.seats.length ? make("small", "", ` ${one.seats.join(" ")}`) : "")));
  seats(view);
  fill(byId("ruling"), ...ruling(view.ruling, view.chip_colours, view.no_ruling));
  fill(byId("question"), ...question(view));
  fill(byId("turn"), ...turn(view.act));
  fill(byId("notices"), ...view.notices.map((one) => make("li", one.level, one.text)));
  speak(page.spoken);
  performance.mark("drawn");
}

let drawn = "";  // the seats that stand there

function seats(view) {
  const count = view.seats.length;
  const list = byId("seats");
  const told = JSON.stringify([view.seats, view.chip_colours]);
  if (told === drawn) return;
  drawn = told;
  const made = view.seats.map((one) => seat(one, view.chip_colours));
  list.replaceChildren(...made);
  list.dataset.count = count;
  [...list.children].forEach((element, index) => place(element, index, count));
}

// Clockwise, the dealer below, as he sees it: seat 1 on his left.
function place(element, index, count) {
  const gap = 52;
  const angle = ((90 + gap / 2 + ((360 - gap) * (index + 0.5)) / count) * Math.PI) / 180;
  const soft = (x) => Math.sign(x) * Math.abs(x) ** 0.8;
  element.style.setProperty("--x", soft(Math.cos(angle)).toFixed(4));
  element.style.setProperty("--y", soft(Math.sin(angle)).toFixed(4));
}

function seat(one, colours) {
  const look = ["spot", one.look, one.to_act ? "acts" : "", one.asked ? "asked" : "", one.doubtful ? "doubtful" : "",
    one.selected ? "selected" : "", one.level ?? ""].filter(Boolean).join(" ");
  const box = make("div", "box",
    make("p", "name", make("span", "number", `${one.seat}`), one.name ? make("span", "who", one.name) : "",
      one.button ? make("abbr", "button", "D") : ""),
    make("p", "stack", one.sign || one.stack),
    one.won ? make("p", "won", one.won) : make("p", "foot", one.foot),
    one.mark ? make("p", "mark", one.mark) : "",
    one.shown.length ? make("p", "shown", ...one.shown.map(card)) : "");
  const made = make("li", look, box, bet(one.bet, colours));
  made.dataset.seat = one.seat;
  return made;
}

function bet(one, colours) {
  if (!one) return "";
  const lying = one.chips?.length ? chips(one.chips, colours) : make("span", "chips", make("span", "chip any", ""));
  return make("p", one.moving ? "bet pencil" : "bet", lying, one.amount ? make("strong", "", one.amount) : "",
    one.change ? make("span", "change", `↩ ${one.change}`) : "", one.back ? make("span", "change", `↩ ${one.back}`) : "",
    one.missing ? make("span", "missing", `+ ${one.missing}`) : "");
}

function question(view) {
  const asked = view.question;
  if (!asked) return [];
  return [
    make("h2", "", asked.title),
    make("p", "", asked.text),
    asked.why ? make("p", "why", asked.why) : "",
    asked.seen.length ? make("p", "seen", `${asked.seen_title} `, chips(asked.seen, view.chip_colours)) : "",
    make("ol", "choices", ...asked.choices.map((one) => {
      const line = make("li", "", make("b", "", `${one.number}`), make("span", "", one.label),
        one.chips.length ? chips(one.chips, view.chip_colours) : "", one.rule ? make("small", "", one.rule) : "");
      line.dataset.number = one.number;
      return line;
    })),
    asked.hint ? make("p", "hint", asked.hint) : "",
  ];
}

function turn(act) {
  if ("turn" in act) {
    return [
      make("h2", "", act.who, " ", make("small", "", act.turn)),
      make("p", "owes", act.call_label ? make("span", "", `${act.call_label} `) : "", make("strong", "", act.call)),
      make("p", "raise", act.raise_label, " ", make("b", "", act.raise_to), act.most ? ` · ${act.most}` : ""),
    ];
  }
  if ("words" in act) return [make("h2", "", act.who), make("p", "owes", make("strong", "", act.words)), make("p", "hint", act.hint)];
  return [make("h2", "", act.name), ...act.lines.map((line) => make("p", act.won ? "owes" : "", line)), act.keys ? make("p", "hint", act.keys) : ""];
}

export function lost(is) {
  body.classList.toggle("lost", is);
  if (is) banner(body.dataset.lost, "bad");
}

toggle("speak", speakIf);
if (!body.dataset.stream) listen("/stream/table", show, lost);
