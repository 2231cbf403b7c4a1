/** The order book panel: its controls above, the book below. */
import { Button, Select } from "./controls.tsx";
import { type ReadonlySignal, signal, useComputed, useSignal } from "@preact/signals";
import type { Account } from "../account/account.ts";
import { formatDecimal, formatShort, fromUnits, toUnits } from "../exact/decimal.ts";
import { grouped, showUnits } from "../exact/shown.ts";
import type { Feed } from "../market/feed.ts";
import type { Book, Market } from "../market/port.ts";
import { numbers, terminalWords } from "../words/words.ts";
import { BookSide, groupingSteps, type Rung, type RungLook, rungPrice, rungsOf, sizeOf } from "./book-side.ts";
import { drawPaced } from "./pace.ts";
import { showLast, showSpan, toneOf, turnOf } from "./show.ts";
import { useEffect, useRef } from "preact/hooks";
import { oneOf, type Preferences } from "../preferences.ts";
import type { TerminalContext } from "./page.ts";

// The book: both sides, and the spread between them. Each frame draws one `Book`.

type BookSides = "both" | "bids" | "asks";

/** The user's settings. */
interface BookChoice {
  readonly sides: BookSides;
  /** The price step in units of the last digit; 0 for the market's tick size. */
  readonly step: number;
  readonly unit: "base" | "quote";
  readonly isCumulative: boolean;
}

export interface BookSources {
  readonly feed: Feed;
  readonly account: Account;
  readonly choice: ReadonlySignal<BookChoice>;
  readonly nowMs: ReadonlySignal<number>;
}

const BOOK_ROWS_MAX = 80;
/** The row height if the style sheet does not define one. */
const ROW_PX = 20;
/** The height of the row between the sides, with a margin below the book. */
const SPREAD_PX = 36;
/** How long changed quantities are highlighted, unless the book is drawn again sooner. */
const FLASH_MS = 250;

/** The spread as a percentage of the mid price, with four decimal places. */
function spreadPercent(bid: number, ask: number): string {
  const units = Math.round(((ask - bid) * 2_000_000) / (ask + bid));
  return units === 0 ? numbers.percent(numbers.below(showUnits(1, 4))) : numbers.percent(showUnits(units, 4));
}

function span(className: string): HTMLElement {
  const element = document.createElement("span");
  element.className = className;
  return element;
}

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The prices of rows that contain an order of the account. */
function ownRungs(account: Account, market: Market, step: number): { bids: Set<number>; asks: Set<number> } {
  const own = { bids: new Set<number>(), asks: new Set<number>() };
  for (const { symbol, side, price, status, state } of account.orders.value) {
    if (symbol !== market.symbol || state !== "known" || !/^(NEW|PARTIALLY_FILLED)$/.test(status)) continue;
    const units = toUnits(price, market.priceDigits);
    if (Number.isNaN(units) || units === 0) continue;
    const name = side === "BUY" ? "bids" : "asks";
    own[name].add(rungPrice(units, step, name));
  }
  return own;
}

class BookView {
  readonly element = document.createElement("div");
  readonly #asks = new BookSide("asks");
  readonly #bids = new BookSide("bids");
  readonly #spread = document.createElement("div");
  readonly #last = span("last");
  readonly #apart = span("apart");
  readonly #veil = span("veil");
  readonly #sources: BookSources;
  readonly #isSmall: boolean;
  readonly #stop: () => void;
  readonly #sizes: ResizeObserver;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  /**
   * The key of the shown view. After the view has changed, no rows are highlighted, because the market has not changed.
   */
  #shown = "";
  #rowPx = ROW_PX;
  #calming: ReturnType<typeof setTimeout> | undefined;

  constructor(sources: BookSources, height: { value: number }, isSmall: boolean) {
    this.#sources = sources;
    this.#isSmall = isSmall;
    this.element.className = "book";
    this.element.setAttribute("aria-live", "off");
    this.#spread.className = "spread";
    this.#spread.append(this.#last, this.#apart);
    this.#veil.hidden = true;
    this.element.append(this.#asks.element, this.#spread, this.#bids.element, this.#veil);
    this.#sizes = new ResizeObserver(() => {
      this.#rowPx = Number.parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || ROW_PX;
      height.value = this.element.clientHeight;
    });
    this.#sizes.observe(this.element);
    this.#stop = drawPaced(() => this.#draw(height.value));
  }

  close(): void {
    clearTimeout(this.#calming);
    this.#stop();
    this.#sizes.disconnect();
  }

  /** The side and price of the row that contains this node; null if none. */
  levelAt(target: Node): { readonly side: "bids" | "asks"; readonly price: number } | null {
    const ask = this.#asks.priceAt(target);
    if (ask !== null) return { side: "asks", price: ask };
    const bid = this.#bids.priceAt(target);
    return bid === null ? null : { side: "bids", price: bid };
  }

  #draw(heightPx: number): void {
    const { feed, choice } = this.#sources;
    const market = feed.market.value;
    const book = feed.book.value;
    const { sides, step: chosenStep, unit, isCumulative } = choice.value;
    const isOurs = market !== null && book.symbol === market.symbol;
    const tick = market === null ? 1 : toUnits(market.tickSize, market.priceDigits) || 1;
    const step = Math.max(tick, chosenStep);
    const room = Math.floor(Math.max(0, heightPx - SPREAD_PX) / (sides === "both" ? 2 : 1) / this.#rowPx);
    const rows = Math.min(room, BOOK_ROWS_MAX);
    const askCount = sides === "bids" ? 0 : rows;
    const bidCount = sides === "asks" ? 0 : rows;
    this.#asks.element.hidden = askCount === 0 && sides === "bids";
    this.#bids.element.hidden = bidCount === 0 && sides === "asks";
    const asks = isOurs ? rungsOf(book.asks, "asks", step, Math.max(askCount, 1)) : [];
    const bids = isOurs ? rungsOf(book.bids, "bids", step, Math.max(bidCount, 1)) : [];
    const look = this.#look(market, { unit, isCumulative }, [...asks, ...bids]);
    const own =
      market === null
        ? { bids: new Set<number>(), asks: new Set<number>() }
        : ownRungs(this.#sources.account, market, step);
    const shown = `${market?.symbol}/${step}/${unit}/${book.freshness}`;
    const flashes = shown === this.#shown && !this.#calm.matches;
    this.#shown = shown;
    this.#asks.draw(asks, askCount, look, own.asks, flashes);
    this.#bids.draw(bids, bidCount, look, own.bids, flashes);
    clearTimeout(this.#calming);
    if (flashes) this.#calming = setTimeout(() => [this.#asks, this.#bids].forEach((side) => side.calm()), FLASH_MS);
    this.#drawSpread(market, isOurs ? book : null);
    this.#drawFreshness(book, isOurs);
  }

  #look(market: Market | null, chosen: Pick<RungLook, "unit" | "isCumulative">, rungs: readonly Rung[]): RungLook {
    let most = 0;
    for (const rung of rungs) most = Math.max(most, sizeOf(rung, chosen));
    return {
      priceDigits: market?.priceDigits ?? 0,
      quantityDigits: market?.quantityDigits ?? 0,
      quoteDigits: market?.quoteDigits ?? 0,
      ...chosen,
      isShort: this.#isSmall,
      most,
    };
  }

  #drawSpread(market: Market | null, book: Book | null): void {
    const ticker = market === null ? undefined : this.#sources.feed.tickers.value.get(market.symbol);
    const turn = turnOf(this.#sources.feed.prints.value[0]);
    write(this.#last, showLast(ticker, turn, market?.priceDigits ?? 0));
    this.#last.className = `last ${toneOf(turn)}`;
    const bid = book?.bids[0]?.price;
    const ask = book?.asks[0]?.price;
    if (market === null || bid === undefined || ask === undefined) return write(this.#apart, "");
    write(this.#apart, terminalWords.spread(showUnits(ask - bid, market.priceDigits), spreadPercent(bid, ask)));
  }

  #drawFreshness(book: Book, isOurs: boolean): void {
    const isStale = isOurs && book.freshness === "stale";
    this.#asks.element.classList.toggle("stale", isStale);
    this.#bids.element.classList.toggle("stale", isStale);
    this.#spread.classList.toggle("stale", isStale);
    const isLoading = !isOurs || book.freshness === "loading";
    const isEmpty = !isLoading && book.bids.length === 0 && book.asks.length === 0;
    this.#veil.hidden = !isStale && !isLoading && !isEmpty;
    this.#veil.classList.toggle("calm", !isStale);
    if (isStale) write(this.#veil, terminalWords.staleFor(showSpan(this.#sources.nowMs.value - book.atMs)));
    else write(this.#veil, isLoading ? terminalWords.bookLoading : isEmpty ? terminalWords.bookEmpty : "");
  }
}

// The panel and its controls.

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

/**
 * The panel's settings. They apply to all markets, except the price step, which is kept per market until the page is
 * left.
 */
function bookPreferences(preferences: Preferences) {
  return {
    sides: preferences.remember<BookSides>("book.sides", "both", oneOf("both", "bids", "asks")),
    unit: preferences.remember<"base" | "quote">("book.unit", "base", oneOf("base", "quote")),
    isCumulative: preferences.remember("book.cumulative", true, isBoolean),
    step: signal({ symbol: "", step: 0 }),
  };
}
type Choices = ReturnType<typeof bookPreferences>;
const known = new WeakMap<Preferences, Choices>();

function choicesOf(preferences: Preferences): Choices {
  const choices = known.get(preferences) ?? bookPreferences(preferences);
  known.set(preferences, choices);
  return choices;
}

function steps(market: Market, lastPrice: string): number[] {
  const tick = toUnits(market.tickSize, market.priceDigits) || 1;
  return groupingSteps(tick, toUnits(lastPrice, market.priceDigits) || 0);
}

/** The total quantity of the book up to a price. */
function quantityUpTo(terminal: TerminalContext, side: "bids" | "asks", price: number): number {
  let total = 0;
  for (const level of terminal.feed.book.peek()[side]) {
    if (side === "bids" ? level.price < price : level.price > price) break;
    total += level.quantity;
  }
  return total;
}

/** Fills in the form's price after a click; with Shift, Control or Alt also the total quantity up to that price. */
function pick(terminal: TerminalContext, view: BookView, event: MouseEvent): void {
  const market = terminal.feed.market.peek();
  const level = view.levelAt(event.target as Node);
  if (market === null || level === null) return;
  terminal.ticket.fillPrice(formatDecimal(fromUnits(level.price, market.priceDigits)));
  if (!event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) return;
  const quantity = quantityUpTo(terminal, level.side, level.price);
  terminal.ticket.fillQuantity(formatShort(fromUnits(quantity, market.quantityDigits)));
}

function SideChoice({ choices }: { choices: Choices }) {
  return (
    <>
      {(["both", "bids", "asks"] as const).map((sides) => (
        <Button
          key={sides}
          class="quiet"
          title={terminalWords.bookViews[sides]}
          aria-label={terminalWords.bookViews[sides]}
          aria-pressed={choices.sides.value === sides}
          onClick={() => (choices.sides.value = sides)}
        >
          <svg class="view-glyph" viewBox="0 0 14 14" aria-hidden="true">
            <rect x="1" y="1" width="12" height={sides === "asks" ? 12 : sides === "both" ? 5 : 0} fill="var(--down)" />
            <rect
              x="1"
              y={sides === "both" ? 8 : 1}
              width="12"
              height={sides === "bids" ? 12 : sides === "both" ? 5 : 0}
              fill="var(--up)"
            />
          </svg>
        </Button>
      ))}
    </>
  );
}

/** The asset in which quantities are shown, and the other one. */
function units({ unit }: Choices, { baseAsset, quoteAsset }: Market): [string, string] {
  return unit.value === "base" ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset];
}

function Choosers({ terminal, choices }: { terminal: TerminalContext; choices: Choices }) {
  const market = terminal.feed.market.value;
  // A text that changes only with the number of price digits, so that the selectors are not redrawn at each trade.
  const listed = useComputed(() => {
    const looked = terminal.feed.market.value;
    const ticker = looked === null ? undefined : terminal.feed.tickers.value.get(looked.symbol);
    return looked === null ? "" : steps(looked, ticker?.lastPrice ?? "").join(" ");
  });
  const options = listed.value === "" ? [] : listed.value.split(" ").map(Number);
  return (
    <>
      <SideChoice choices={choices} />
      <Button
        class="quiet"
        title={terminalWords.showPerLevel}
        aria-label={terminalWords.showPerLevel}
        aria-pressed={choices.isCumulative.value}
        onClick={() => (choices.isCumulative.value = !choices.isCumulative.value)}
      >
        Σ
      </Button>
      {market !== null && (
        <Button
          class="quiet"
          title={terminalWords.showIn(...units(choices, market))}
          aria-label={terminalWords.showIn(...units(choices, market))}
          onClick={() => (choices.unit.value = choices.unit.value === "base" ? "quote" : "base")}
        >
          {units(choices, market)[0]}
        </Button>
      )}
      {market !== null && (
        <Select
          aria-label={terminalWords.grouping}
          title={terminalWords.grouping}
          value={choices.step.value.symbol === market.symbol ? choices.step.value.step : (options[0] ?? 0)}
          options={options.map((step) => [step, grouped(formatShort(fromUnits(step, market.priceDigits)))])}
          onChoose={(step) => (choices.step.value = { symbol: market.symbol, step: Number(step) })}
        />
      )}
    </>
  );
}

interface BookProps {
  readonly terminal: TerminalContext;
  /** Whether the book is beside the form of a phone: prices and short quantities, without its controls. */
  readonly isSmall?: boolean;
}

export function BookPanel({ terminal, isSmall = false }: BookProps) {
  const choices = choicesOf(terminal.preferences);
  const place = useRef<HTMLDivElement>(null);
  const height = useSignal(0);
  const choice = useComputed<BookChoice>(() => ({
    sides: choices.sides.value,
    unit: choices.unit.value,
    isCumulative: choices.isCumulative.value,
    step: choices.step.value.symbol === terminal.feed.market.value?.symbol ? choices.step.value.step : 0,
  }));
  useEffect(() => {
    const made = new BookView(
      { feed: terminal.feed, account: terminal.account, choice, nowMs: terminal.nowMs },
      height,
      isSmall,
    );
    // A shortcut for pointers. With the keyboard, the same values can be typed into the form.
    made.element.addEventListener("click", (event) => pick(terminal, made, event));
    place.current?.append(made.element);
    height.value = made.element.clientHeight;
    return () => {
      made.close();
      made.element.remove();
    };
  }, [terminal, choice, height, isSmall]);
  const market = terminal.feed.market.value;
  const asset = choices.unit.value === "base" ? market?.baseAsset : market?.quoteAsset;
  return (
    <section class={isSmall ? "pane small-book" : "pane grow"} aria-label={terminalWords.book}>
      {!isSmall && (
        <div class="pane-head">
          <h2 class="unseen-narrow">{terminalWords.book}</h2>
          <div class="book-tools">
            <Choosers terminal={terminal} choices={choices} />
          </div>
        </div>
      )}
      <div class="book-heads heads">
        <span>
          {terminalWords.price} {!isSmall && <span class="unit">({market?.quoteAsset})</span>}
        </span>
        <span>
          {terminalWords.quantity} {!isSmall && <span class="unit">({asset})</span>}
        </span>
        {!isSmall && <span>{terminalWords.sum}</span>}
      </div>
      <div class="column grow" ref={place} aria-live="off" />
    </section>
  );
}
