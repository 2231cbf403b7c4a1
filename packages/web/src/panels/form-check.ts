/** Validates the order form while the user fills it in. */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { OcoDraft, OrderDraft, OtoDraft } from "../account/port.ts";
import type { Book, Market } from "../market/port.ts";
import { checkOco, checkOrder } from "../rules/check-order.ts";
import type { Circumstances, Problem } from "../rules/draft.ts";
import { checkExits } from "../rules/pending-orders.ts";
import type { TerminalContext } from "./page.ts";
import { useSlowly } from "./pace.ts";
import { draftOf, exitsOf, type FieldName, FIELDS, ocoDraftOf } from "./ticket.ts";

/** How often the form is checked against the current book. */
const LOOK_EVERY_MS = 250;

export interface Check {
  readonly market: Market;
  readonly book: Book | null;
  readonly lastPrice: string | null;
  readonly draft: OrderDraft | null;
  readonly oco: OcoDraft | null;
  /** The list of `draft` and its exits, if it has any. */
  readonly oto: OtoDraft | null;
  readonly problems: readonly Problem[];
}

const PLACES: Partial<Record<Problem["field"], FieldName>> = {
  ...{ quoteOrderQty: "quoteQuantity", pegOffsetValue: "pegLevel" },
  ...{ limitIcebergQty: "icebergQty", stopIcebergQty: "icebergQty" },
};

/** The form field beside which a problem is shown; null if the problem concerns the whole form. */
export const placeOf = ({ field }: Problem): FieldName | null =>
  PLACES[field] ?? FIELDS.find((name) => name === field) ?? null;

/**
 * Whether a problem prevents sending the order. Problems with the market or the balance do not: the node decides about
 * them.
 */
export const isFatal = ({ kind }: Problem): boolean => kind === "form" || kind === "filter";

/** The data against which an order on a market is validated. */
export function circumstancesOf(terminal: TerminalContext, market: Market, book: Book): Circumstances {
  const { feed, account } = terminal;
  const balances = account.balances.value;
  const isKnown = account.session.value !== null && account.freshness.value === "live";
  return {
    market,
    averagePrice: feed.averagePrice.value,
    referencePrice: feed.referencePrice.value,
    lastPrice: feed.tickers.peek().get(market.symbol)?.lastPrice ?? null,
    book: book.symbol === market.symbol && book.freshness === "live" ? book : null,
    openOrders: account.orders.value.filter(({ state }) => state === "known"),
    free: isKnown
      ? { base: balances.get(market.baseAsset)?.free ?? "0", quote: balances.get(market.quoteAsset)?.free ?? "0" }
      : null,
    commission: account.commission.value,
  };
}

/** The result of the validation, updated continuously; null if no market is selected. */
export function useCheck(terminal: TerminalContext): ReadonlySignal<Check | null> {
  const slowBook = useSlowly(terminal.feed.book, LOOK_EVERY_MS);
  return useComputed(() => {
    const market = terminal.feed.market.value;
    if (market === null) return null;
    const around = circumstancesOf(terminal, market, slowBook.value);
    const { book, lastPrice } = around;
    if (terminal.ticket.kind.value === "oco") {
      const oco = ocoDraftOf(terminal.ticket, market);
      return { market, book, lastPrice, draft: null, oco, oto: null, problems: checkOco(oco, around) };
    }
    const draft = draftOf(terminal.ticket, market);
    const oto = exitsOf(terminal.ticket, draft, market);
    if (oto !== null) return { market, book, lastPrice, draft, oco: null, oto, problems: checkExits(oto, around) };
    const found = checkOrder(draft, around);
    // The field of a trailing stop's price is that of an OCO's stop leg, because both may be empty.
    const problems =
      terminal.ticket.kind.value !== "trailing-stop"
        ? found
        : found.map((one): Problem => (one.field === "price" ? { ...one, field: "stopLimitPrice" } : one));
    return { market, book, lastPrice, draft, oco: null, oto: null, problems };
  });
}
