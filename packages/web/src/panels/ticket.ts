/** The contents of the order form: numbers as the node writes them, and its choices. */
import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PegPriceType, SelfTradePreventionMode } from "@pricetime/protocol";
import type { OcoDraft, OrderDraft, OtoDraft } from "../account/port.ts";
import type { Market } from "../market/port.ts";
import { type ExitField, exitFieldsOf, otoDraftOf } from "../rules/pending-orders.ts";
import { hasPrice, needsTimeInForce, type OrderType, type TimeInForce, waits } from "../rules/draft.ts";
import {
  add,
  compare,
  decimal,
  formatDecimal,
  formatShort,
  HUNDRED,
  isOnStep,
  leastDigits,
  multiply,
  NONE,
  parseDecimal,
  stepDown,
  stepUp,
  subtract,
} from "../exact/decimal.ts";

/**
 * The order kinds of the form. When a stop price is reached, the order becomes a limit order if it has a price,
 * otherwise a market order.
 */
export const KINDS = [
  ...(["limit", "market", "stop-limit", "take-profit-limit", "stop", "take-profit", "trailing-stop", "oco"] as const),
] as const;
export type Kind = (typeof KINDS)[number];

export const FIELDS = [
  ...(["price", "limitStopPrice", "stopPrice", "stopLimitPrice", "quantity", "quoteQuantity", "icebergQty"] as const),
  ...(["trailingDelta", "pegLevel", "takeProfitPrice", "stopLossPrice"] as const),
] as const;
export type FieldName = (typeof FIELDS)[number];

export interface Ticket {
  readonly side: Signal<"BUY" | "SELL">;
  readonly kind: Signal<Kind>;
  readonly fields: Readonly<Record<FieldName, Signal<string>>>;
  /** Whether a market order's amount is in the quote asset. */
  readonly byQuote: Signal<boolean>;
  /** The type of an OCO's limit leg. */
  readonly limitType: Signal<OrderType>;
  readonly timeInForce: Signal<TimeInForce>;
  readonly isPostOnly: Signal<boolean>;
  /** The price of the book that the order takes in place of a typed one; null if it takes none. */
  readonly pegPriceType: Signal<PegPriceType | null>;
  /** What happens at another order of the account; null for what the market does by default. */
  readonly prevention: Signal<SelfTradePreventionMode | null>;
  /** Whether the stop leg of an OCO, or the stop loss of an order, follows the price and so has no stop price. */
  readonly isTrailing: Signal<boolean>;
  readonly isIceberg: Signal<boolean>;
  /** Whether a limit order places a take profit or a stop loss when it is filled. */
  readonly hasExits: Signal<boolean>;
  /** Increases when the form should receive the focus. */
  readonly focused: ReadonlySignal<number>;
  focus(): void;
  fillPrice(price: string): void;
  fillQuantity(quantity: string): void;
  /** Clears the form after a change of market. */
  clear(): void;
}

/** The order types in the interface. */
const TYPES: Readonly<Record<Kind, string>> = {
  ...{ limit: "LIMIT", market: "MARKET", oco: "OCO", "trailing-stop": "STOP_LOSS" },
  ...{ stop: "STOP_LOSS", "stop-limit": "STOP_LOSS_LIMIT" },
  ...{ "take-profit": "TAKE_PROFIT", "take-profit-limit": "TAKE_PROFIT_LIMIT" },
};

/** The order kinds that the market's `orderTypes` allow. */
export function kindsOf(market: Market): Kind[] {
  return KINDS.filter((kind) => {
    if (kind === "oco") return market.ocoAllowed;
    return market.orderTypes.includes(TYPES[kind]) && (kind !== "trailing-stop" || market.allowTrailingStop);
  });
}

/** The kinds whose price may be taken from the book. */
export const mayPeg = (kind: Kind): boolean =>
  kind === "limit" || kind === "stop-limit" || kind === "take-profit-limit";
/** The price of the book that the order takes; null if it has a typed price, or none. */
export const pegOf = ({ kind, pegPriceType }: Pick<Ticket, "kind" | "pegPriceType">): PegPriceType | null =>
  mayPeg(kind.value) ? pegPriceType.value : null;
/** An order that takes the best price of the other side executes immediately. */
export const mayBePostOnly = (ticket: Ticket, { orderTypes }: Market): boolean =>
  ticket.kind.value === "limit" && pegOf(ticket) !== "MARKET_PEG" && orderTypes.includes("LIMIT_MAKER");
export const isPostOnlyOf = (ticket: Ticket, market: Market): boolean =>
  ticket.isPostOnly.value && mayBePostOnly(ticket, market);

type Shape = Pick<Ticket, "kind" | "byQuote" | "limitType" | "pegPriceType" | "isTrailing">;

/** The fields of an order kind, in keyboard order. */
export function fieldsOf({ kind, byQuote, limitType, pegPriceType, isTrailing }: Shape): FieldName[] {
  const price = pegOf({ kind, pegPriceType }) === null ? "price" : "pegLevel";
  const stop: FieldName = isTrailing.value ? "trailingDelta" : "stopPrice";
  const fields: Readonly<Record<Kind, FieldName[]>> = {
    limit: [price, "quantity"],
    market: [byQuote.value ? "quoteQuantity" : "quantity"],
    ...{ "stop-limit": ["stopPrice", price, "quantity"], "take-profit-limit": ["stopPrice", price, "quantity"] },
    ...{ stop: ["stopPrice", "quantity"], "take-profit": ["stopPrice", "quantity"] },
    "trailing-stop": ["trailingDelta", "stopPrice", "stopLimitPrice", "quantity"],
    oco: [...limitFieldsOf(limitType.value), stop, "stopLimitPrice", "quantity"],
  };
  return fields[kind.value];
}

function limitFieldsOf(limitType: OrderType): FieldName[] {
  if (!waits(limitType)) return ["price"];
  return hasPrice(limitType) ? ["limitStopPrice", "price"] : ["limitStopPrice"];
}

/** The fields for a clicked price level: the first that the order kind has is filled in, otherwise the stop price. */
const FILLED_BY_A_LEVEL: readonly FieldName[] = ["price", "limitStopPrice"];

export function openTicket(): Ticket {
  const focused = signal(0);
  const kind = signal<Kind>("limit");
  const byQuote = signal(false);
  const limitType = signal<OrderType>("LIMIT_MAKER");
  const pegPriceType = signal<PegPriceType | null>(null);
  const prevention = signal<SelfTradePreventionMode | null>(null);
  const [isTrailing, isIceberg, hasExits] = [signal(false), signal(false), signal(false)];
  const fields = Object.fromEntries(FIELDS.map((name) => [name, signal("")])) as Record<FieldName, Signal<string>>;
  return {
    side: signal<"BUY" | "SELL">("BUY"),
    kind,
    fields,
    byQuote,
    limitType,
    timeInForce: signal<TimeInForce>("GTC"),
    isPostOnly: signal(false),
    pegPriceType,
    prevention,
    isTrailing,
    isIceberg,
    hasExits,
    focused,
    focus: () => {
      focused.value++;
    },
    fillPrice: (price) =>
      batch(() => {
        pegPriceType.value = null;
        const names = fieldsOf({ kind, byQuote, limitType, pegPriceType, isTrailing });
        fields[FILLED_BY_A_LEVEL.find((name) => names.includes(name)) ?? "stopPrice"].value = price;
      }),
    fillQuantity: (quantity) =>
      batch(() => {
        byQuote.value = false;
        fields.quantity.value = quantity;
      }),
    clear: () =>
      batch(() => {
        for (const field of Object.values(fields)) field.value = "";
        pegPriceType.value = null;
        prevention.value = null;
        isTrailing.value = false;
        isIceberg.value = false;
        hasExits.value = false;
      }),
  };
}

/** The order as typed, complete or not: validation reports missing fields. For an OCO, see `ocoDraftOf`. */
export function draftOf(ticket: Ticket, market: Market): OrderDraft {
  const kind = ticket.kind.value;
  if (kind === "trailing-stop") return trailingDraftOf(ticket, market);
  const names = fieldsOf(ticket);
  const type = isPostOnlyOf(ticket, market) ? "LIMIT_MAKER" : TYPES[kind];
  const hasIceberg = isIcebergOf(ticket, market);
  const value = (name: FieldName): string => ticket.fields[name].value.trim();
  const timeInForce = timeInForceOf(ticket, market);
  return {
    symbol: market.symbol,
    side: ticket.side.value,
    type,
    ...(needsTimeInForce(type) && { timeInForce }),
    ...(names.includes("quantity") && { quantity: value("quantity") }),
    ...(names.includes("quoteQuantity") && { quoteOrderQty: value("quoteQuantity") }),
    ...(names.includes("price") && { price: value("price") }),
    ...peggedOf(ticket),
    ...(names.includes("stopPrice") && { stopPrice: value("stopPrice") }),
    ...(hasIceberg && { icebergQty: value("icebergQty") }),
    ...preventedOf(ticket, market),
  };
}

/** The mode of self-trade prevention to send: none if it is the default of the market. */
export function preventedOf(ticket: Ticket, market: Market): Pick<OrderDraft, "selfTradePreventionMode"> {
  const { defaultSelfTradePreventionMode: byDefault, allowedSelfTradePreventionModes: allowed } = market;
  const mode = ticket.prevention.value;
  return mode === null || mode === byDefault || !allowed.includes(mode) ? {} : { selfTradePreventionMode: mode };
}

function peggedOf(ticket: Ticket): Pick<OrderDraft, "pegPriceType" | "pegOffsetType" | "pegOffsetValue"> {
  const pegPriceType = pegOf(ticket);
  if (pegPriceType === null) return {};
  const pegOffsetValue = ticket.fields.pegLevel.value.trim();
  return /^0*$/.test(pegOffsetValue)
    ? { pegPriceType }
    : { pegPriceType, pegOffsetType: "PRICE_LEVEL", pegOffsetValue };
}

/** The distance of a trailing stop, which is typed in percent, in basis points. */
function trailingDeltaOf({ fields }: Ticket): string {
  const percent = fields.trailingDelta.value.trim();
  const distance = parseDecimal(percent);
  return distance === null ? percent : formatShort(multiply(distance, HUNDRED));
}

/**
 * A trailing stop as typed. With an activation price, it follows the price once that moved in the account's favor, as a
 * take-profit order; without one, from now.
 */
function trailingDraftOf(ticket: Ticket, market: Market): OrderDraft {
  const value = (name: FieldName): string => ticket.fields[name].value.trim();
  const [stopPrice, price] = [value("stopPrice"), value("stopLimitPrice")];
  return {
    symbol: market.symbol,
    side: ticket.side.value,
    type: `${stopPrice === "" ? "STOP_LOSS" : "TAKE_PROFIT"}${price === "" ? "" : "_LIMIT"}`,
    trailingDelta: trailingDeltaOf(ticket),
    quantity: value("quantity"),
    ...(stopPrice !== "" && { stopPrice }),
    ...(price !== "" && { price, timeInForce: timeInForceOf(ticket, market) }),
    ...preventedOf(ticket, market),
  };
}

/** Whether the order (or an OCO's limit leg) has a price, so that it can be an iceberg order in the book. */
export const mayBeIceberg = (ticket: Ticket, { icebergAllowed }: Market): boolean =>
  icebergAllowed && fieldsOf(ticket).some((name) => name === "price" || name === "pegLevel");
export const isIcebergOf = (ticket: Ticket, market: Market): boolean =>
  ticket.isIceberg.value && mayBeIceberg(ticket, market);

/** Whether the order can only be GTC: icebergs, and limit orders at the best price of their own side. */
export const isAlwaysGtc = (ticket: Ticket, market: Market): boolean =>
  isIcebergOf(ticket, market) || (ticket.kind.value === "limit" && pegOf(ticket) === "PRIMARY_PEG");

/** The time in force to send, as the form shows it. */
export function timeInForceOf(ticket: Ticket, market: Market): TimeInForce {
  return isAlwaysGtc(ticket, market) ? "GTC" : ticket.timeInForce.value;
}

/** The OCO as typed. A stop leg without a price becomes a market order when triggered. */
export function ocoDraftOf(ticket: Ticket, market: Market): OcoDraft {
  const { price, limitStopPrice, stopPrice, stopLimitPrice, quantity, icebergQty } = ticket.fields;
  const limitType = ticket.limitType.value;
  const stopLimit = stopLimitPrice.value.trim();
  const timeInForce = timeInForceOf(ticket, market);
  return {
    symbol: market.symbol,
    side: ticket.side.value,
    quantity: quantity.value.trim(),
    limitType,
    ...(hasPrice(limitType) && { price: price.value.trim() }),
    ...(waits(limitType) && { limitStopPrice: limitStopPrice.value.trim() }),
    ...(needsTimeInForce(limitType) && { limitTimeInForce: timeInForce }),
    ...(ticket.isTrailing.value ? { trailingDelta: trailingDeltaOf(ticket) } : { stopPrice: stopPrice.value.trim() }),
    ...(stopLimit !== "" && { stopLimitPrice: stopLimit, stopLimitTimeInForce: timeInForce }),
    ...(isIcebergOf(ticket, market) && { limitIcebergQty: icebergQty.value.trim() }),
    ...preventedOf(ticket, market),
  };
}

/** Whether the order can have exits in the market. */
export const mayHaveExits = (ticket: Ticket, market: Market): boolean =>
  ticket.kind.value === "limit" && exitFieldsOf(market).length > 0;

/** Whether the stop loss follows the price. */
export const isTrailingExit = ({ isTrailing }: Ticket, market: Market): boolean =>
  isTrailing.value && market.allowTrailingStop && exitFieldsOf(market).includes("stopLossPrice");

/** The list of an order and its exits as typed; null if the order has none. */
export function exitsOf(ticket: Ticket, working: OrderDraft, market: Market): OtoDraft | null {
  if (!ticket.hasExits.value || !mayHaveExits(ticket, market)) return null;
  const offered = exitFieldsOf(market);
  const typed = (name: ExitField): string => (offered.includes(name) ? ticket.fields[name].value.trim() : "");
  const takeProfitPrice = typed("takeProfitPrice");
  const loss = isTrailingExit(ticket, market)
    ? { stopLossPrice: "", trailingDelta: trailingDeltaOf(ticket) }
    : { stopLossPrice: typed("stopLossPrice") };
  return otoDraftOf(working, { takeProfitPrice, ...loss }, market);
}

/** The value of a field after arrow keys: `by` steps higher or lower, at least zero. A value between two steps moves to the next step. */
export function stepped(text: string, step: string, digits: number, by: number): string {
  const from = parseDecimal(text) ?? NONE;
  const size = decimal(step);
  const one = size.units === 0n ? { units: 1n, digits } : size;
  if (!isOnStep(from, one)) return formatDecimal(by > 0 ? stepUp(from, one) : stepDown(from, one), digits);
  const way = multiply(one, { units: BigInt(Math.abs(by)), digits: 0 });
  const to = by > 0 ? add(from, way) : subtract(from, way);
  return formatDecimal(compare(to, NONE) < 0 ? NONE : to, Math.max(digits, leastDigits(one)));
}
