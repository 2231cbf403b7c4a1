/** Notices of fills and expirations of the account's orders: side, quantity, average price and fee. */
import {
  add,
  compare,
  type Decimal,
  decimal,
  divideDown,
  formatShort,
  isZero,
  leastDigits,
  NONE,
} from "../exact/decimal.ts";
import { grouped, showValue } from "../exact/shown.ts";
import { ACCOUNT, listNotices } from "../words/words.ts";
import { fillKey, fillOfReport, isOver, isPending, type ReportEvent, rowOfReport } from "./own-orders.ts";
import type { OrderRow } from "./port.ts";
import { describe, noticeKey, type Notices } from "./trading-parts.ts";

/** The fills of an open order that this page has received. */
interface Received {
  readonly quantity: Decimal;
  /** The fees by asset. */
  readonly fees: ReadonlyMap<string, Decimal>;
  /** The decimal places of the finest price. */
  readonly priceDigits: number;
}

const NOTHING: Received = { quantity: NONE, fees: new Map(), priceDigits: 2 };

export class FillNotices {
  readonly #notices: Notices;
  readonly #orders = new Map<string, Received>();
  /** The last trade of each open order, because a stream may repeat events after a reconnect. */
  readonly #last = new Map<string, string>();

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  /**
   * Notifies the user of a fill, an expiration, or the placement of a pending order. Cancellations are shown when their
   * request returns. `before` is the order as it was known.
   */
  onReport(event: ReportEvent, before?: OrderRow): void {
    const row = rowOfReport(event);
    const key = noticeKey(row);
    if (event.x === "TRADE") this.#add(key, event);
    const fill = fillText(row, this.#orders.get(key) ?? NOTHING);
    if (event.x === "TRADE" && event.X === "FILLED") this.#notices.notify("good", ACCOUNT.filled(fill), key);
    if (event.x === "TRADE" && event.X === "PARTIALLY_FILLED")
      this.#notices.notify("plain", ACCOUNT.partlyFilled(fill), key);
    if (event.X === "EXPIRED") this.#expired(row, fill, before);
    if (event.x === "NEW" && before !== undefined && isPending(before) && !isPending(row))
      this.#notices.notify("good", listNotices.released(describe(row)), key);
    if (event.X === "EXPIRED_IN_MATCH") this.#notices.notify("plain", ACCOUNT.expiredInMatch(describe(row), fill), key);
    if (!isOver(row)) return;
    this.#orders.delete(key);
    this.#last.delete(key);
  }

  #expired(row: OrderRow, fill: string, before: OrderRow | undefined): void {
    const { expiryReason, orderListId } = row;
    const key = noticeKey(row);
    if (expiryReason === "OTO_PHASE_ONE_EXPIRED")
      return this.#notices.notify("plain", listNotices.phaseOneExpired(describe(row)), key);
    if (expiryReason === "REJECTED" && orderListId !== -1)
      return this.#notices.notify("bad", listNotices.rejected(describe(row)), key);
    // A leg of an OCO expires when the other one executes, which has its own notice.
    const isExpected = expiryReason === undefined || expiryReason === "OCO_TRIGGER";
    if (orderListId === -1 || !isExpected || before?.status === "PENDING_NEW")
      this.#notices.notify("plain", ACCOUNT.expired(describe(row), fill), key);
  }

  #add(key: string, event: ReportEvent): void {
    const fill = fillOfReport(event);
    const { price, quantity, commission, commissionAsset } = fill;
    const trade = fillKey(fill);
    if (this.#last.get(key) === trade) return;
    this.#last.set(key, trade);
    const before = this.#orders.get(key) ?? NOTHING;
    const fees = new Map(before.fees);
    if (commissionAsset !== "") fees.set(commissionAsset, add(fees.get(commissionAsset) ?? NONE, decimal(commission)));
    this.#orders.set(key, {
      quantity: add(before.quantity, decimal(quantity)),
      fees,
      priceDigits: Math.max(before.priceDigits, leastDigits(decimal(price))),
    });
  }
}

/** The filled part of an order with its average price. The fees are named if the page has received all fills. */
function fillText(row: OrderRow, { quantity, fees, priceDigits }: Received): string {
  const { side, symbol, executedQty, origQty, cummulativeQuoteQty } = row;
  const executed = decimal(executedQty);
  if (isZero(executed)) return "";
  const isWhole = compare(executed, decimal(origQty)) >= 0;
  const average = divideDown(decimal(cummulativeQuoteQty), executed, priceDigits);
  const named = compare(quantity, executed) === 0 ? [...fees] : [];
  return ACCOUNT.fill(
    side,
    grouped(formatShort(executed)),
    isWhole ? "" : grouped(formatShort(decimal(origQty))),
    symbol,
    showValue(average),
    named.map(([asset, fee]) => `${grouped(formatShort(fee))} ${asset}`),
  );
}
