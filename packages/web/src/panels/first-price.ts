/** The price that the order form has before anybody types one. */
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { showDecimal } from "../exact/shown.ts";
import type { Desk } from "./desk.ts";
import type { FieldName } from "./ticket.ts";

const PRICE: FieldName = "price";

/** A field with the focus is about to be typed in: a price that arrived then would precede what is typed. */
function isBeingTyped(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement && activeElement.name === PRICE;
}

/** A new market begins with its last price, once that is known, and nothing else; what was typed meanwhile stands. */
export function useFirstPrice({ feed, ticket }: Desk): void {
  const shown = useRef("");
  const isPriced = useRef(false);
  useSignalEffect(() => {
    const market = feed.market.value;
    if (market === null) return;
    if (shown.current !== market.symbol) {
      if (shown.current !== "") ticket.clear();
      shown.current = market.symbol;
      isPriced.current = false;
    }
    if (isPriced.current) return;
    const ticker = feed.tickers.value.get(market.symbol);
    if (ticker === undefined) return;
    isPriced.current = true;
    const price = ticket.fields[PRICE];
    if (price.peek() !== "" || isBeingTyped() || !/[1-9]/.test(ticker.lastPrice)) return;
    price.value = showDecimal(ticker.lastPrice, market.priceDigits).replaceAll(",", "");
  });
}
