/** Keys of the whole page. None works while something is typed, nor with Control, Alt or Meta, which are the browser's. */
import { effect } from "@preact/signals";
import { BLANK, showPrice, showUnits } from "../exact/shown.ts";
import { say } from "../words/words.ts";
import { type Desk, PLACES } from "./desk.ts";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]") !== null;
}

function speakBest({ feed, spoken }: Desk): void {
  const market = feed.market.peek();
  const { bids, asks } = feed.book.peek();
  const [bid] = bids;
  const [ask] = asks;
  if (market === null || bid === undefined || ask === undefined) {
    spoken.value = say.noBestPrices;
    return;
  }
  const text = (price: number): string => showUnits(price, market.priceDigits);
  spoken.value = say.bestPrices(text(bid.price), text(ask.price));
}

function trade(desk: Desk, side: "BUY" | "SELL"): void {
  desk.ticket.side.value = side;
  desk.place.value = "trade";
  desk.ticket.focus();
}

function go(desk: Desk, at: number): void {
  const place = PLACES[at];
  if (place === undefined) return;
  desk.place.value = place;
  document.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
}

/** Whether the key did something. */
function act(desk: Desk, key: string): boolean {
  const { overlay, ticket, preferences } = desk;
  const acts: Readonly<Record<string, () => void>> = {
    "/": () => {
      overlay.value = "markets";
    },
    "?": () => {
      overlay.value = "keyboard";
    },
    b: () => trade(desk, "BUY"),
    s: () => trade(desk, "SELL"),
    m: () => {
      ticket.kind.value = "market";
      ticket.focus();
    },
    l: () => {
      ticket.kind.value = "limit";
      ticket.focus();
    },
    r: () => speakBest(desk),
    t: () => {
      preferences.theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    },
    "1": () => go(desk, 0),
    "2": () => go(desk, 1),
    "3": () => go(desk, 2),
    "4": () => go(desk, 3),
  };
  const chosen = Object.hasOwn(acts, key) ? acts[key] : undefined;
  chosen?.();
  return chosen !== undefined;
}

/** Returns what ends it. */
export function listenToKeys(desk: Desk): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape" && isTyping(event.target)) (event.target as HTMLElement).blur();
    if (isTyping(event.target) || desk.overlay.peek() !== "none" || desk.ask.open.peek() !== null) return;
    if (act(desk, event.key)) event.preventDefault();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** The title of the tab: price and market. */
export function keepTitle({ feed }: Desk): () => void {
  return effect(() => {
    const market = feed.market.value;
    const ticker = market === null ? undefined : feed.tickers.value.get(market.symbol);
    const shown = showPrice(ticker?.lastPrice, market?.priceDigits ?? 0);
    const price = shown === BLANK ? "" : `${shown} `;
    const text = market === null ? say.brand : `${price}${market.baseAsset}/${market.quoteAsset} · ${say.brand}`;
    if (document.title !== text) document.title = text;
  });
}
