/** The columns of orders and trades in tables. */
import type { Fill, OrderRow } from "../account/port.ts";
import { decimal, divideDown, formatDecimal, isZero } from "../exact/decimal.ts";
import { BLANK, grouped, showDecimal } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { tables as words } from "../words/words.ts";
import type { Column } from "./data-table.tsx";
import { showDateTime } from "./show.ts";

export interface ColumnContext {
  readonly markets: ReadonlyMap<string, Market>;
  readonly zone: TimeZone;
  readonly nowMs: number;
}

const named = words.columns;
/** Decimal places of the values that a node sends. */
const SAVED_DIGITS = 8;

function SideMark({ side }: { side: "BUY" | "SELL" }) {
  const isBuy = side === "BUY";
  return <span class={`side-mark ${isBuy ? "up" : "down"}`}>{isBuy ? words.buy : words.sell}</span>;
}

function TimeCell({ timeMs, context: { zone, nowMs } }: { timeMs: number; context: ColumnContext }) {
  return (
    <time class="muted" dateTime={new Date(timeMs).toISOString()} title={showDateTime(timeMs, zone)}>
      {showDateTime(timeMs, zone, nowMs)}
    </time>
  );
}

/** A price with the market's digits; empty for zero. */
export function priceText(context: ColumnContext, symbol: string, price: string): string {
  if (isZero(decimal(price))) return BLANK;
  return showDecimal(price, context.markets.get(symbol)?.priceDigits ?? 8);
}

function quantityText(context: ColumnContext, symbol: string, quantity: string): string {
  return showDecimal(quantity, context.markets.get(symbol)?.quantityDigits ?? 8);
}

function averageText(context: ColumnContext, { symbol, executedQty, cummulativeQuoteQty }: OrderRow): string {
  const executed = decimal(executedQty);
  if (isZero(executed)) return BLANK;
  const digits = context.markets.get(symbol)?.priceDigits ?? 8;
  return grouped(formatDecimal(divideDown(decimal(cummulativeQuoteQty), executed, digits), digits));
}

/** For a file, with all digits of the interface's prices; empty if nothing was traded. */
function savedAverage({ executedQty, cummulativeQuoteQty }: OrderRow): string {
  const executed = decimal(executedQty);
  if (isZero(executed)) return "";
  return formatDecimal(divideDown(decimal(cummulativeQuoteQty), executed, SAVED_DIGITS), SAVED_DIGITS);
}

const typeText = (type: string): string => words.types[type] ?? type;

function TypeCell({ order }: { order: OrderRow }) {
  const isIceberg = order.icebergQty !== "" && !isZero(decimal(order.icebergQty));
  return (
    <span class="label">
      {typeText(order.type)}
      {order.timeInForce !== "GTC" && order.timeInForce !== "" && <span class="tag">{order.timeInForce}</span>}
      {isIceberg && <span class="tag">{words.iceberg}</span>}
      {order.orderListId !== -1 && <span class="tag">{words.list}</span>}
    </span>
  );
}

function StatusCell({ order }: { order: OrderRow }) {
  if (order.state === "sending") return <span class="tag">{words.states.sending}</span>;
  if (order.state === "unknown") return <span class="tag warn">{words.states.unknown}</span>;
  if (order.state === "known") return <span>{words.statuses[order.status] ?? order.status}</span>;
  const { refusal } = order;
  return (
    <span class="label refused">
      <span class="tag bad">{words.states.failed}</span>
      {refusal !== null && `${refusal.message}${refusal.code === null ? "" : ` (${refusal.code})`}`}
    </span>
  );
}

/** The columns that open and closed orders share. */
export function orderColumns(context: ColumnContext): Record<string, Column<OrderRow>> {
  return {
    time: {
      label: named.time,
      show: (order) => <TimeCell timeMs={order.timeMs} context={context} />,
      text: (order) => new Date(order.timeMs).toISOString(),
    },
    market: { label: named.market, show: ({ symbol }) => symbol, text: ({ symbol }) => symbol },
    type: { label: named.type, show: (order) => <TypeCell order={order} />, text: ({ type }) => type },
    side: { label: named.side, show: ({ side }) => <SideMark side={side} />, text: ({ side }) => side },
    price: {
      label: named.price,
      isNumber: true,
      show: (order) => priceText(context, order.symbol, order.price),
      text: ({ price }) => price,
    },
    stop: {
      label: named.stop,
      isNumber: true,
      show: (order) => priceText(context, order.symbol, order.stopPrice),
      text: ({ stopPrice }) => stopPrice,
    },
    average: {
      label: named.average,
      isNumber: true,
      show: (order) => averageText(context, order),
      text: savedAverage,
    },
    filled: {
      label: named.filled,
      isNumber: true,
      show: (order) => quantityText(context, order.symbol, order.executedQty),
      text: ({ executedQty }) => executedQty,
    },
    quantity: {
      label: named.quantity,
      isNumber: true,
      show: (order) => quantityText(context, order.symbol, order.origQty),
      text: ({ origQty }) => origQty,
    },
    total: {
      label: named.total,
      isNumber: true,
      show: (order) => showDecimal(order.cummulativeQuoteQty, context.markets.get(order.symbol)?.quoteDigits ?? 8),
      text: ({ cummulativeQuoteQty }) => cummulativeQuoteQty,
    },
    status: { label: named.status, show: (order) => <StatusCell order={order} />, text: ({ status }) => status },
  };
}

export function fillColumns(context: ColumnContext): Column<Fill>[] {
  return [
    {
      label: named.time,
      show: (fill) => <TimeCell timeMs={fill.timeMs} context={context} />,
      text: (fill) => new Date(fill.timeMs).toISOString(),
    },
    { label: named.market, show: ({ symbol }) => symbol, text: ({ symbol }) => symbol },
    { label: named.side, show: ({ side }) => <SideMark side={side} />, text: ({ side }) => side },
    {
      label: named.price,
      isNumber: true,
      show: (fill) => priceText(context, fill.symbol, fill.price),
      text: ({ price }) => price,
    },
    {
      label: named.quantity,
      isNumber: true,
      show: (fill) => quantityText(context, fill.symbol, fill.quantity),
      text: ({ quantity }) => quantity,
    },
    {
      label: named.total,
      isNumber: true,
      show: (fill) => showDecimal(fill.quoteQuantity, context.markets.get(fill.symbol)?.quoteDigits ?? 8),
      text: ({ quoteQuantity }) => quoteQuantity,
    },
    {
      label: named.fee,
      isNumber: true,
      show: (fill) => (
        <span>
          {showDecimal(fill.commission, 8)} <span class="muted">{fill.commissionAsset}</span>
        </span>
      ),
      text: ({ commission }) => commission,
    },
    { label: named.feeAsset, text: ({ commissionAsset }) => commissionAsset },
    {
      label: named.role,
      show: ({ isMaker }) => <span class="muted">{isMaker ? words.maker : words.taker}</span>,
      text: ({ isMaker }) => (isMaker ? "maker" : "taker"),
    },
  ];
}
