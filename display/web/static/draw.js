// Parts that pages share. They lay out what the table said, and decide nothing.
export const byId = (id) => document.getElementById(id);

export function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside.filter((one) => one !== null && one !== ""));
  return made;
}

export function words(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

// Replaces what is inside only where it differs, so that a screen reader repeats nothing.
export function fill(element, ...inside) {
  const made = make("div", "", ...inside);
  if (element.innerHTML !== made.innerHTML) element.replaceChildren(...made.childNodes);
  element.hidden = !element.childNodes.length;
}

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

export function card(face) {
  const suit = face.at(-1);
  const rank = face.slice(0, -1).replace("T", "10");
  return make("span", `card ${suit}`, make("b", "", rank), make("i", "", SUITS[suit] ?? suit));
}

export function boardCard(one) {
  if (one.kind === "face") return make("li", "", card(one.face));
  return make("li", "", make("span", `card ${one.kind}`));
}

function short(value) {
  for (const [unit, letter] of [[1000000, "M"], [1000, "K"]]) {
    if (value >= unit && value % (unit / 10) === 0) return `${value / unit}${letter}`;
  }
  return `${value}`;
}

// A stack is a list of [value, count]; the house's own colours come first, then the usual ones of look.css.
export function chips(stack, colours) {
  const house = new Map(colours);
  return make("span", "chips", ...stack.map(([value, count]) => {
    const disc = make("span", `chip v${value}`, short(value));
    if (house.has(value)) disc.classList.add(`c-${house.get(value)}`);
    return make("span", "pile", make("span", "count", `${count}×`), disc);
  }));
}

export function ruling(part, colours, none) {
  if (!part) return [make("p", "unruled", none)];
  const note = part.note ? make("span", "note", part.note) : "";
  const move = part.chips_label
    ? make("p", `move ${part.chips_tone}`, make("span", "", part.chips_label), " ",
        make("strong", "", part.chips_amount), " ", part.chips.length ? chips(part.chips, colours) : "")
    : "";
  return [
    make("p", part.provisional ? "headline pencil" : "headline", part.headline, " ", note),
    move,
    part.waits ? make("p", "why", part.waits) : "",
    part.sentence ? make("p", "why", part.sentence) : "",
    part.seen.length ? make("p", "seen", make("span", "", part.seen_title), " ", chips(part.seen, colours)) : "",
    ...part.doubts.map((doubt) => make("p", "doubt", doubt)),
    part.rule ? make("p", "rule", part.rule) : "",
  ];
}

export function banner(text, tone) {
  const shown = byId("banner");
  words(shown, text);
  shown.className = tone;
}

// A switch that stays as it was left.
export function toggle(id, changed) {
  const button = byId(id);
  const set = (on) => {
    button.setAttribute("aria-pressed", on);
    localStorage.setItem(id, on ? "1" : "");
    changed(on);
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  set(localStorage.getItem(id) === "1");
}
