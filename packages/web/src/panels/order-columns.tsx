/** Table columns of orders and trades. */
import type { Fill, OrderRow } from "../account/port.ts";
import { decimal, isZero } from "../exact/decimal.ts";
import { listKinds, type ListKind, sellsBought, statusText } from "../account/order-lists.ts";
import { isPending, trailingState } from "../account/own-orders.ts";
import { BLANK, showAmount, showDecimal } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { amountDigits } from "../rules/market-filters.ts";
import type { TimeZone } from "../preferences.ts";
import { listWords, orderWords, preventionWords, tables as words } from "../words/words.ts";
import { typeText } from "./change-orders.ts";
import type { Column } from "./data-table.tsx";
import { averageOf, peggedText, showDateTime, showMoment } from "./show.ts";

export interface ColumnContext {
  readonly markets: ReadonlyMap<string, Market>;
  readonly zone: TimeZone;
  readonly nowMs: number;
  /** The orders of the table: lists are found among them. */
  readonly orders: readonly OrderRow[];
}

const named = words.columns;

function SideMark({ side }: { side: "BUY" | "SELL" }) {
  const isBuy = side === "BUY";
  return <span class={`side-mark ${isBuy ? "up" : "down"}`}>{isBuy ? words.buy : words.sell}</span>;
}

function TimeCell({ timeMs, context: { zone, nowMs } }: { timeMs: number; context: ColumnContext }) {
  return (
    <time class="muted" dateTime={new Date(timeMs).toISOString()} title={showDateTime(timeMs, zone)}>
      {showMoment(timeMs, zone, nowMs)}
    </time>
  );
}

/** Formats a price with the market's digits. Returns "" for zero. */
export function priceText(context: ColumnContext, symbol: string, price: string): string {
  if (isZero(decimal(price))) return BLANK;
  return showDecimal(price, context.markets.get(symbol)?.priceDigits ?? 8);
}

function quantityText(context: ColumnContext, symbol: string, quantity: string): string {
  return showDecimal(quantity, context.markets.get(symbol)?.quantityDigits ?? 8);
}

/** Formats an amount of the quote asset with as many digits for all rows of a market, so that they are aligned. */
function quoteText(context: ColumnContext, symbol: string, amount: string): string {
  if (isZero(decimal(amount))) return BLANK;
  const market = context.markets.get(symbol);
  return market === undefined ? showAmount(amount) : showDecimal(amount, amountDigits(market));
}

const averageText = (context: ColumnContext, order: OrderRow): string =>
  showDecimal(averageOf(order), context.markets.get(order.symbol)?.priceDigits ?? 8);

function TypeCell({ order, kind }: { order: OrderRow; kind: ListKind | undefined }) {
  const isIceberg = order.icebergQty !== "" && !isZero(decimal(order.icebergQty));
  const trailing = trailingState(order);
  return (
    <span class="label">
      {isPending(order) && <span aria-hidden="true">↳</span>}
      {typeText(order)}
      {trailing !== null && order.state === "known" && <span class="tag">{words.trailingStates[trailing]}</span>}
      {order.pegPriceType !== undefined && <span class="tag">{words.pegged(peggedText(order))}</span>}
      {order.timeInForce !== "GTC" && order.timeInForce !== "" && <span class="tag">{order.timeInForce}</span>}
      {isIceberg && <span class="tag">{words.iceberg}</span>}
      {kind !== undefined && (
        <span class="tag" title={listWords.kinds[kind]}>
          {kind}
        </span>
      )}
    </span>
  );
}

function StatusCell({ order, context }: { order: OrderRow; context: ColumnContext }) {
  if (order.state === "sending") return <span class="tag">{words.states.sending}</span>;
  if (order.state === "unknown") return <span class="tag warn">{words.states.unknown}</span>;
  const { preventedQuantity: prevented, selfTradePreventionMode: mode } = order;
  const text = statusText(order, context.orders);
  if (prevented === undefined || mode === undefined) return <span>{text}</span>;
  return <span title={preventionWords.why(mode)}>{preventionWords.prevented(text, showAmount(prevented))}</span>;
}

const plain = <Row,>(label: string, text: (row: Row) => string): Column<Row> => ({ label, show: text, text });

/** Columns of numbers. Cells have the digits of the row's market; the file has the digits that the node sent. */
const numbersOf =
  <Row extends { readonly symbol: string }>(context: ColumnContext) =>
  (shown: typeof priceText, label: string, text: (row: Row) => string): Column<Row> => ({
    ...{ label, isNumber: true, text },
    show: (row) => shown(context, row.symbol, text(row)),
  });

function timeColumn<Row extends { readonly timeMs: number }>(context: ColumnContext): Column<Row> {
  return {
    label: named.time,
    show: ({ timeMs }) => <TimeCell timeMs={timeMs} context={context} />,
    text: ({ timeMs }) => new Date(timeMs).toISOString(),
  };
}

function sideColumn<Row extends { readonly side: "BUY" | "SELL" }>(): Column<Row> {
  return { isHead: true, label: named.side, show: ({ side }) => <SideMark side={side} />, text: ({ side }) => side };
}

/** Columns for both open and closed orders. */
export function orderColumns(context: ColumnContext): Record<string, Column<OrderRow>> {
  const number = numbersOf<OrderRow>(context);
  const kinds = listKinds(context.orders);
  return {
    time: timeColumn(context),
    market: { ...plain<OrderRow>(named.market, ({ symbol }) => symbol), isHead: true },
    type: {
      isHead: true,
      label: named.type,
      show: (order) => <TypeCell order={order} kind={kinds.get(order)} />,
      text: ({ type }) => type,
    },
    side: sideColumn(),
    price: number(priceText, named.price, ({ price }) => price),
    stop: number(priceText, named.stop, ({ stopPrice }) => stopPrice),
    average: {
      ...{ label: named.average, isNumber: true, text: averageOf },
      show: (order) => averageText(context, order),
    },
    filled: number(quantityText, named.filled, ({ executedQty }) => executedQty),
    quantity: {
      ...number(quantityText, named.quantity, ({ origQty }) => origQty),
      show: (order) => (sellsBought(order) ? orderWords.bought : quantityText(context, order.symbol, order.origQty)),
    },
    total: number(quoteText, named.total, ({ cummulativeQuoteQty }) => cummulativeQuoteQty),
    status: {
      label: named.status,
      show: (order) => <StatusCell order={order} context={context} />,
      text: ({ status }) => status,
    },
  };
}

export function fillColumns(context: ColumnContext): Column<Fill>[] {
  const number = numbersOf<Fill>(context);
  return [
    timeColumn(context),
    { ...plain<Fill>(named.market, ({ symbol }) => symbol), isHead: true },
    sideColumn(),
    number(priceText, named.price, ({ price }) => price),
    number(quantityText, named.quantity, ({ quantity }) => quantity),
    number(quoteText, named.total, ({ quoteQuantity }) => quoteQuantity),
    {
      label: named.fee,
      isNumber: true,
      show: ({ commission, commissionAsset }) => (
        <span>
          {showAmount(commission)} <span class="muted">{commissionAsset}</span>
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
