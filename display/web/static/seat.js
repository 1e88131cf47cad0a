import { banner, byId, fill, ruling, toggle, words } from "./draw.js";
import { listen } from "./live.js";
import { chimeIf, speak, speakIf, turn } from "./voice.js";

const body = document.body;
const said = body.dataset;

function show(page) {
  body.classList.toggle("stale", page.stale);
  body.classList.toggle("acts", page.my_turn);
  words(byId("title"), page.title);
  document.title = page.my_turn ? `● ${said.turn}` : page.title;
  banner(page.curtain?.title ?? page.banner?.text ?? "", page.banner?.tone ?? "quiet");
  words(byId("turn"), page.present ? (page.my_turn ? said.turn : page.turn) : said.nobody);
  const [label, amount] = byId("owe").children;
  words(label, page.owe ? page.owe_label : said.nothing);
  words(amount, page.owe);
  words(byId("stack"), page.sign || page.stack || "–");
  words(byId("potlabel"), page.pot_label);
  words(byId("pot"), page.pot);
  fill(byId("ruling"), ...ruling(page.ruling, page.chip_colours, said.unruled));
  words(byId("state"), page.my_turn ? "" : page.state);
  speak(page.spoken);
  turn(page.my_turn);
}

function lost(is) {
  body.classList.toggle("lost", is);
  if (is) banner(said.lost, "bad");
}

toggle("speak", speakIf);
toggle("chime", chimeIf);
listen(`/stream/seat/${said.seat}`, show, lost);
