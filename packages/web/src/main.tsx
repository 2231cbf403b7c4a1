/** The entry point of the terminal. */
import "./style/font.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/data-table.css";
import "./style/layout.css";
import "./style/header.css";
import "./style/book.css";
import "./style/form.css";
import "./style/tables.css";
import "./style/period-chart.css";
import "./style/portfolio.css";
import "./style/chart-menus.css";
import "./style/chart.css";
import "./style/chart-orders.css";
import "./style/depth.css";
import "./style/lab.css";
import "./style/account.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { Account } from "./account/account.ts";
import { afterFirstBook, loadStage } from "./chart/load-stage.ts";
import { type LabFacts, Lab } from "./lab/lab.ts";
import { readMarketAddress } from "./market/address.ts";
import { Feed } from "./market/feed.ts";
import { openAsk } from "./panels/controls.tsx";
import { keepAlerts } from "./panels/keep-alerts.ts";
import {
  type TerminalContext,
  keepAddress,
  keepSounds,
  keepTitle,
  listenToKeys,
  type Overlay,
  type Place,
  watchPageWidth,
} from "./panels/page.ts";
import { Terminal } from "./panels/terminal.tsx";
import { storeOf } from "./pages/browser.ts";
import { keepNumbers, keepTheme, openPreferences } from "./preferences.ts";
import { openTicket } from "./panels/ticket.ts";
import { Rest } from "./wire/rest.ts";
import { Streams } from "./wire/streams.ts";
import { SessionNote } from "./wire/session.ts";
import { MACHINE } from "./wire/world.ts";

const CLOCK_EVERY_MS = 1_000;

const place = document.getElementById("terminal");
if (place === null) throw new Error("the page has no place for the terminal");

const preferences = openPreferences(storeOf(() => localStorage));
keepTheme(preferences);
window.addEventListener("storage", () => preferences.reread());
keepNumbers(preferences);

const { base } = readMarketAddress(location.href);
const rest = new Rest(base, MACHINE);
const streams = new Streams(`${base.replace(/^http/, "ws")}/stream`, MACHINE);
const feed = new Feed({ rest, streams, world: MACHINE, symbol: preferences.symbol.peek() });
const account = new Account({
  rest,
  streams,
  world: MACHINE,
  market: feed.market,
  store: storeOf(() => sessionStorage),
  note: new SessionNote(
    storeOf(() => localStorage),
    MACHINE,
  ),
});
const lab = new Lab({
  base,
  world: MACHINE,
  facts: () => rest.terminalFacts<LabFacts>(),
  connection: streams.state,
});
window.addEventListener("online", () => streams.retryNow());

const nowMs = signal(Date.now());
setInterval(() => {
  nowMs.value = Date.now();
}, CLOCK_EVERY_MS);

const terminal: TerminalContext = {
  base,
  feed,
  account,
  lab,
  preferences,
  ticket: openTicket(),
  ask: openAsk(),
  overlay: signal<Overlay>("none"),
  place: signal<Place>("chart"),
  nowMs,
  spoken: signal(""),
};
effect(() => {
  const market = feed.market.value;
  if (market !== null) preferences.symbol.value = market.symbol;
});
keepAddress(terminal);
keepTitle(terminal);
keepSounds(terminal);
keepAlerts(terminal);
listenToKeys(terminal);
render(<Terminal terminal={terminal} pageWidth={watchPageWidth()} />, place);
afterFirstBook(feed.book, loadStage);
