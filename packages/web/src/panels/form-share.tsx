/** A slider over what is available, and buttons for quarters of it. */
import type { Signal } from "@preact/signals";
import { compare, type Decimal, decimal, formatShort, NONE, parseDecimal } from "../exact/decimal.ts";
import { fromUnits } from "../exact/units.ts";
import { showDecimal } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { portionOf, quotePortionOf } from "../rules/portion.ts";
import { form as words, numbers } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import type { Ticket } from "./ticket.ts";

const QUARTERS = [25, 50, 75, 100];

/** At which price a purchase is counted: the dearest that the form names. */
function dearest({ kind, fields }: Ticket, desk: Desk, market: Market): Decimal {
  const ask = desk.feed.book.peek().asks[0];
  if (kind.peek() === "market") return ask === undefined ? NONE : fromUnits(ask.price, market.priceDigits);
  const prices = [fields.price, ...(kind.peek() === "limit" ? [] : [fields.stopPrice, fields.stopLimitPrice])];
  const known = prices.map((field) => parseDecimal(field.peek()) ?? NONE);
  return known.reduce((most, price) => (compare(price, most) > 0 ? price : most), NONE);
}

/** Fills the quantity with that share of what is free. */
function fill(desk: Desk, market: Market, percent: number): void {
  const { ticket, account } = desk;
  const balances = account.balances.peek();
  const amount = (asset: string): Decimal => decimal(balances.get(asset)?.free ?? "0");
  const free = { base: amount(market.baseAsset), quote: amount(market.quoteAsset) };
  const side = ticket.side.peek();
  // What a purchase at the market costs is not known before: it is given as an amount of the quote asset.
  if (ticket.kind.peek() === "market" && side === "BUY") {
    ticket.byQuote.value = true;
    ticket.fields.quoteQuantity.value = textOf(quotePortionOf(market, percent, free));
    return;
  }
  ticket.fillQuantity(textOf(portionOf(market, side, percent, free, dearest(ticket, desk, market))));
}

const textOf = (value: Decimal): string => (value.units === 0n ? "" : formatShort(value));

export function FormShare({ desk, market, share }: { desk: Desk; market: Market; share: Signal<number> }) {
  const { ticket, account } = desk;
  const isBuy = ticket.side.value === "BUY";
  const asset = isBuy ? market.quoteAsset : market.baseAsset;
  const free = account.balances.value.get(asset)?.free;
  const set = (percent: number): void => {
    share.value = percent;
    fill(desk, market, percent);
  };
  return (
    <div class="slider">
      <p class="available">
        <span>{words.available}</span>
        <span>
          <b>{showDecimal(free ?? "0", isBuy ? Math.max(2, market.priceDigits) : market.quantityDigits)}</b> {asset}
        </span>
      </p>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={share.value}
        aria-label={words.share}
        aria-valuetext={numbers.percent(share.value)}
        ref={(slider) => slider?.style.setProperty("--share", `${share.value}%`)}
        onInput={(event) => set(Number(event.currentTarget.value))}
      />
      <div class="shares">
        {QUARTERS.map((percent) => (
          <button key={percent} type="button" onClick={() => set(percent)}>
            {numbers.percent(percent)}
          </button>
        ))}
      </div>
    </div>
  );
}
