import { boardCard, byId, fill, make, ruling, words } from "./draw.js";
import { listen } from "./live.js";

// What was heard waits here: a stream that is late shows the table as late as its picture. An hour at most.
const delay_ms = Math.min(3600, Math.max(0, Number(new URLSearchParams(location.search).get("delay")) || 0)) * 1000;
const body = document.body;

function show({ view }) {
  body.hidden = Boolean(view.curtain);
  words(byId("line"), view.top.left);
  fill(byId("board"), ...view.board.map(boardCard));
  const [label, pot] = byId("pot").children;
  label.textContent = view.pot_label;
  pot.textContent = view.pot;
  fill(byId("seats"), ...view.seats.filter((one) => one.look !== "empty").map((one) =>
    make("li", `${one.look} ${one.to_act ? "acts" : ""}`, make("span", "", one.name || `${one.seat}`),
      make("small", "", one.won || one.sign || one.stack), one.bet?.amount ? make("b", "", one.bet.amount) : "")));
  const told = view.ruling && !view.ruling.provisional ? view.ruling : null;
  fill(byId("ruling"), ...(told ? ruling(told, view.chip_colours, "") : []));
  body.classList.toggle("lost", view.stale);
}

listen("/stream/table", (page) => setTimeout(show, delay_ms, page), (is) => setTimeout(() => is && body.classList.add("lost"), delay_ms));
