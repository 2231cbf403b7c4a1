/** The warnings of the order form and its confirmation, with the limits of the settings. */
import type { OrderDraft } from "../account/port.ts";
import { cutTo, type Decimal } from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";
import { legsOf } from "../rules/check-order.ts";
import {
  BOOK_PERCENT,
  firstValueLimit,
  limitOf,
  PRICE_PERCENT,
  type WarningLimits,
  warningsOf,
} from "../rules/warnings.ts";
import type { Check } from "./form-check.ts";
import { costsOf } from "./order-amounts.ts";
import type { TerminalContext } from "./page.ts";
import { quoteAssets, worthIn } from "./show.ts";

type Terminal = Pick<TerminalContext, "feed" | "account" | "preferences">;

const VALUE_DIGITS = 2;

/** The most common quote asset, in which values of orders are compared with the limit. */
export function valueAssetOf({ feed }: Terminal): string {
  return quoteAssets(feed.markets.value.values())[0] ?? "";
}

function valueOf({ feed }: Terminal, amount: Decimal, { quoteAsset }: Market, inAsset: string): Decimal | null {
  return worthIn(amount, quoteAsset, inAsset, feed.tickers.peek(), quoteAssets(feed.markets.peek().values()));
}

/** The default limit of an order's value; null if the market has none or no price converts it. */
export function firstValueOf(terminal: Terminal): Decimal | null {
  const market = terminal.feed.market.value;
  const first = market === null ? null : firstValueLimit(market);
  const value = market === null || first === null ? null : valueOf(terminal, first, market, valueAssetOf(terminal));
  return value && cutTo(value, VALUE_DIGITS);
}

function limitsOf(terminal: Terminal): WarningLimits {
  const { warnPrice, warnValue, warnBook } = terminal.preferences;
  return {
    pricePercent: limitOf(warnPrice.value, PRICE_PERCENT),
    value: limitOf(warnValue.value, firstValueOf(terminal)),
    valueAsset: valueAssetOf(terminal),
    bookPercent: limitOf(warnBook.value, BOOK_PERCENT),
  };
}

/** The warnings about an order, or about both legs of an order list. */
export function warningTexts(terminal: Terminal, { market, book, draft, oco, lastPrice }: Check): readonly string[] {
  const limits = limitsOf(terminal);
  const rates = terminal.account.commission.value;
  const drafts: readonly OrderDraft[] = draft !== null ? [draft] : oco === null ? [] : legsOf(oco);
  const texts = drafts.flatMap((one) => {
    const { total, estimate } = costsOf(one, market, book, rates, lastPrice);
    const value = total === null ? null : valueOf(terminal, total, market, limits.valueAsset);
    return warningsOf(one, { market, book, lastPrice }, { total, estimate, value }, limits);
  });
  return [...new Set(texts)];
}
