/** The terminal page: state shared by the panels, keyboard shortcuts, title, sounds and width. */
import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Account } from "../account/account.ts";
import type { Lab } from "../lab/lab.ts";
import { marketAddress, readMarketAddress } from "../market/address.ts";
import type { Feed } from "../market/feed.ts";
import type { Preferences } from "../preferences.ts";
import type { Ask } from "./controls.tsx";
import type { Ticket } from "./ticket.ts";
import { BLANK, showPrice, showUnits } from "../exact/shown.ts";
import { playTone } from "./tone.ts";
import { theVenue } from "./brand.tsx";
import { terminalWords } from "../words/words.ts";

/** A section of the page. Phones show one section at a time; digit keys move the focus to a section. */
export type Place = "chart" | "book" | "trade" | "orders";
export const PLACES: readonly Place[] = ["chart", "book", "trade", "orders"];

/** The dialog that is open over the page. */
export type Overlay = "none" | "markets" | "settings" | "keyboard" | "sign-in" | "lab";

export interface TerminalContext {
  /** The node's URL without a trailing slash. Links start with it, because the page's own address changes. */
  readonly base: string;
  readonly feed: Feed;
  readonly account: Account;
  readonly lab: Lab;
  readonly preferences: Preferences;
  readonly ticket: Ticket;
  readonly ask: Ask;
  readonly overlay: Signal<Overlay>;
  readonly place: Signal<Place>;
  /** The machine's time, updated once a second. */
  readonly nowMs: ReadonlySignal<number>;
  /** The text that screen readers announce. */
  readonly spoken: Signal<string>;
}

// Keyboard shortcuts. They are ignored while the user types, and with Control, Alt or Meta, which the browser uses.

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]") !== null;
}

function speakBest({ feed, spoken }: TerminalContext): void {
  const market = feed.market.peek();
  const { bids, asks } = feed.book.peek();
  const [bid] = bids;
  const [ask] = asks;
  if (market === null || bid === undefined || ask === undefined) {
    spoken.value = terminalWords.noBestPrices;
    return;
  }
  const text = (price: number): string => showUnits(price, market.priceDigits);
  spoken.value = terminalWords.bestPrices(text(bid.price), text(ask.price));
}

function trade(terminal: TerminalContext, side: "BUY" | "SELL"): void {
  terminal.ticket.side.value = side;
  terminal.place.value = "trade";
  terminal.ticket.focus();
}

function go(terminal: TerminalContext, at: number): void {
  const place = PLACES[at];
  if (place === undefined) return;
  terminal.place.value = place;
  document.querySelector<HTMLElement>(`[data-place="${place}"]`)?.focus();
}

/** Handles a shortcut. Returns whether the key is one. */
function handleKey(terminal: TerminalContext, key: string): boolean {
  const { overlay, ticket, preferences } = terminal;
  const actions: Readonly<Record<string, () => void>> = {
    "/": () => {
      overlay.value = "markets";
    },
    "?": () => {
      overlay.value = "keyboard";
    },
    b: () => trade(terminal, "BUY"),
    s: () => trade(terminal, "SELL"),
    m: () => {
      ticket.kind.value = "market";
      ticket.focus();
    },
    l: () => {
      ticket.kind.value = "limit";
      ticket.focus();
    },
    r: () => speakBest(terminal),
    t: () => {
      preferences.theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    },
    "1": () => go(terminal, 0),
    "2": () => go(terminal, 1),
    "3": () => go(terminal, 2),
    "4": () => go(terminal, 3),
  };
  const chosen = Object.hasOwn(actions, key) ? actions[key] : undefined;
  chosen?.();
  return chosen !== undefined;
}

/** Listens to keyboard shortcuts. The returned function stops it. */
export function listenToKeys(terminal: TerminalContext): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape" && isTyping(event.target)) (event.target as HTMLElement).blur();
    if (isTyping(event.target) || terminal.overlay.peek() !== "none" || terminal.ask.open.peek() !== null) return;
    if (handleKey(terminal, event.key)) event.preventDefault();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/**
 * Keeps the shown market in the page's address, so that a reload, a bookmark, a second tab and the browser's history
 * lead to it. The returned function stops it.
 */
export function keepAddress({ base, feed }: TerminalContext): () => void {
  // Browsers may fetch an icon again after the address has changed.
  for (const icon of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]")) icon.href = new URL(icon.href).href;
  const read = (): void => {
    const { symbol } = readMarketAddress(location.href);
    if (symbol !== null) feed.select(symbol);
  };
  read();
  const end = effect(() => {
    const symbol = feed.market.value?.symbol;
    const { symbol: before } = readMarketAddress(location.href);
    if (symbol === undefined || symbol === before) return;
    // The root, and a symbol in lower case, are other addresses of the same page.
    const isSame = before === null || before.toUpperCase() === symbol;
    history[isSame ? "replaceState" : "pushState"](null, "", marketAddress(base, symbol));
  });
  window.addEventListener("popstate", read);
  return () => {
    end();
    window.removeEventListener("popstate", read);
  };
}

/** Keeps price and market in the page's title. The returned function stops it. */
export function keepTitle({ feed }: TerminalContext): () => void {
  return effect(() => {
    const market = feed.market.value;
    const ticker = market === null ? undefined : feed.tickers.value.get(market.symbol);
    const shown = showPrice(ticker?.lastPrice, market?.priceDigits ?? 0);
    const price = shown === BLANK ? "" : `${shown} `;
    const text =
      market === null ? theVenue().name : `${price}${market.baseAsset}/${market.quoteAsset} · ${theVenue().name}`;
    if (document.title !== text) document.title = text;
  });
}

// Plays a short tone when an order of the account is filled, if sounds are on.

/** The frequency of the tone: purchases sound higher than sales. */
const PITCH_HZ = { BUY: 880, SELL: 587 };
/** The maximum age of a fill that makes a sound. Older fills were fetched, not just reported. */
const FRESH_MS = 5_000;

export function keepSounds({ account, feed, preferences }: TerminalContext): () => void {
  let lastKey = "";
  return effect(() => {
    const [newest] = account.fills.value;
    const key = newest === undefined ? "" : `${newest.symbol}/${newest.tradeId}/${newest.side}`;
    if (key === lastKey) return;
    lastKey = key;
    // Fills have the exchange's time, from which this machine's clock may differ.
    const nowMs = Date.now() + (feed.clockOffsetMs.peek() ?? 0);
    if (newest === undefined || !preferences.sounds.value || nowMs - newest.timeMs > FRESH_MS) return;
    playTone(PITCH_HZ[newest.side]);
  });
}

// The layout by width: panes side by side, two columns, or one section at a time.

export type PageWidth = "huge" | "wide" | "middle" | "narrow";

/** The least width of each layout in pixels, as in the style sheets. */
const LEAST_PX = { huge: 2200, wide: 1024, middle: 768 } as const;

/** The layout for the window's width, updated while the page is open. */
export function watchPageWidth(): ReadonlySignal<PageWidth> {
  const queries = (["huge", "wide", "middle"] as const).map(
    (name) => [name, matchMedia(`(min-width: ${LEAST_PX[name]}px)`)] as const,
  );
  const now = (): PageWidth => queries.find(([, { matches }]) => matches)?.[0] ?? "narrow";
  const pageWidth = signal(now());
  for (const [, query] of queries) {
    query.addEventListener("change", () => {
      pageWidth.value = now();
    });
  }
  return pageWidth;
}
