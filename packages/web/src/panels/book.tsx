/** The order book's panel: its controls above, the drawn book below. */
import { signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatDecimal, formatShort } from "../exact/decimal.ts";
import { fromUnits, toUnits } from "../exact/units.ts";
import type { Market } from "../market/port.ts";
import { oneOf, type Preferences } from "../preferences.ts";
import { say } from "../words/words.ts";
import { type BookChoice, type BookSides, BookView } from "./book-view.ts";
import type { Desk } from "./desk.ts";
import { groupingSteps } from "./ladder.ts";

// The panel and its controls.

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

/** Kept for all markets, but for the step, which is each market's own and holds for the visit. */
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

/** How much of the book stands up to that price. */
function quantityUpTo(desk: Desk, side: "bids" | "asks", price: number): number {
  let total = 0;
  for (const level of desk.feed.book.peek()[side]) {
    if (side === "bids" ? level.price < price : level.price > price) break;
    total += level.quantity;
  }
  return total;
}

/** A click fills the form's price; with Shift, Control or Alt also how much stands up to there. */
function pick(desk: Desk, view: BookView, event: MouseEvent): void {
  const market = desk.feed.market.peek();
  const level = view.levelAt(event.target as Node);
  if (market === null || level === null) return;
  desk.ticket.fillPrice(formatDecimal(fromUnits(level.price, market.priceDigits)));
  if (!event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) return;
  const quantity = quantityUpTo(desk, level.side, level.price);
  desk.ticket.fillQuantity(formatShort(fromUnits(quantity, market.quantityDigits)));
}

function SideChoice({ choices }: { choices: Choices }) {
  return (
    <>
      {(["both", "bids", "asks"] as const).map((sides) => (
        <button
          key={sides}
          type="button"
          class="quiet"
          title={say.bookViews[sides]}
          aria-label={say.bookViews[sides]}
          aria-pressed={choices.sides.value === sides}
          onClick={() => {
            choices.sides.value = sides;
          }}
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
        </button>
      ))}
    </>
  );
}

/** The asset in which quantities are shown, and the other one. */
function units({ unit }: Choices, { baseAsset, quoteAsset }: Market): [string, string] {
  return unit.value === "base" ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset];
}

function Choosers({ desk, choices }: { desk: Desk; choices: Choices }) {
  const market = desk.feed.market.value;
  // As text, which is the same until the price has another number of digits: the choosers are not drawn with each trade.
  const listed = useComputed(() => {
    const looked = desk.feed.market.value;
    const ticker = looked === null ? undefined : desk.feed.tickers.value.get(looked.symbol);
    return looked === null ? "" : steps(looked, ticker?.lastPrice ?? "").join(" ");
  });
  const options = listed.value === "" ? [] : listed.value.split(" ").map(Number);
  return (
    <>
      <SideChoice choices={choices} />
      <button
        type="button"
        class="quiet"
        title={say.showPerLevel}
        aria-label={say.showPerLevel}
        aria-pressed={choices.isCumulative.value}
        onClick={() => {
          choices.isCumulative.value = !choices.isCumulative.value;
        }}
      >
        Σ
      </button>
      {market !== null && (
        <button
          type="button"
          class="quiet"
          title={say.showIn(...units(choices, market))}
          aria-label={say.showIn(...units(choices, market))}
          onClick={() => {
            choices.unit.value = choices.unit.value === "base" ? "quote" : "base";
          }}
        >
          {units(choices, market)[0]}
        </button>
      )}
      {market !== null && (
        <select
          aria-label={say.grouping}
          title={say.grouping}
          value={choices.step.value.symbol === market.symbol ? choices.step.value.step : (options[0] ?? 0)}
          onChange={(event) => {
            choices.step.value = { symbol: market.symbol, step: Number(event.currentTarget.value) };
          }}
        >
          {options.map((step) => (
            <option key={step} value={step}>
              {formatShort(fromUnits(step, market.priceDigits))}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

export function BookPanel({ desk }: { desk: Desk }) {
  const choices = choicesOf(desk.preferences);
  const place = useRef<HTMLDivElement>(null);
  const height = useSignal(0);
  const choice = useComputed<BookChoice>(() => ({
    sides: choices.sides.value,
    unit: choices.unit.value,
    isCumulative: choices.isCumulative.value,
    step: choices.step.value.symbol === desk.feed.market.value?.symbol ? choices.step.value.step : 0,
  }));
  useEffect(() => {
    const made = new BookView({ feed: desk.feed, account: desk.account, choice, nowMs: desk.nowMs }, height);
    // A shorter way to what the form's fields do by keyboard.
    made.element.addEventListener("click", (event) => pick(desk, made, event));
    place.current?.append(made.element);
    height.value = made.element.clientHeight;
    return () => {
      made.close();
      made.element.remove();
    };
  }, [desk, choice, height]);
  const market = desk.feed.market.value;
  const asset = choices.unit.value === "base" ? market?.baseAsset : market?.quoteAsset;
  return (
    <section class="pane grow" aria-label={say.book}>
      <div class="pane-head">
        <h2 class="unseen-narrow">{say.book}</h2>
        <Choosers desk={desk} choices={choices} />
      </div>
      <div class="book-heads heads">
        <span>
          {say.price} ({market?.quoteAsset})
        </span>
        <span>
          {say.quantity} ({asset})
        </span>
        <span>{say.sum}</span>
      </div>
      <div class="column grow" ref={place} aria-live="off" />
    </section>
  );
}
