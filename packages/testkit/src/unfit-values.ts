/** Values that are invalid for every parameter of a kind, and valid requests in which to send them. */
import type { ParameterKind } from "@pricetime/protocol";

/** Byte sequences that are not valid text. */
export const BROKEN: readonly (readonly [fault: string, value: string])[] = [
  ["half an escape", "%4"],
  ["not an escape", "%zz"],
  ["not UTF-8", "%FF"],
  ["overlong UTF-8", "%C0%80"],
  ["raw byte that is not UTF-8", "\xff"],
];

const NUMBER_FAULTS: readonly (readonly [fault: string, value: string])[] = [
  ["wrong type", "abc"],
  ["negative", "-1"],
  ["plus sign", "%2B1"],
  ["space before", "%201"],
  ["exponent", "1e-7"],
  ["hexadecimal", "0x10"],
  ["infinite", "Infinity"],
  ["too many digits", "1".repeat(21)],
  ["non-ASCII digit", "%EF%BC%91"],
  ["raw non-ASCII", "\xc3\xa9"],
  ["NUL", "%00"],
];
const INTEGER_FAULTS = [...NUMBER_FAULTS, ["fraction", "1.5"] as const];

/** Values that are invalid for a kind of parameter: out of range, or not in its list. */
export const UNFIT: Readonly<Partial<Record<ParameterKind, readonly (readonly [fault: string, value: string])[]>>> = {
  symbol: [
    ["wrong case", "btcusdt"],
    ["wrong characters", "BTC%2FUSDT"],
    ["too long", "A".repeat(21)],
    ["huge", "A".repeat(1000)],
    ["non-ASCII", "%C3%89"],
    ["raw non-ASCII", "\xc3\x89"],
    ["NUL", "%00"],
  ],
  symbols: [
    ["no list", "BTCUSDT"],
    ["wrong case", "%5B%22btcusdt%22%5D"],
    ["open list", "%5B%22BTCUSDT%22"],
    ["numbers", "%5B1%5D"],
    ["object", "%7B%7D"],
    ["non-ASCII", "%5B%22%C3%89%22%5D"],
  ],
  integer: INTEGER_FAULTS,
  limit: INTEGER_FAULTS,
  decimal: [
    ...NUMBER_FAULTS,
    ["too many decimals", `0.${"1".repeat(21)}`],
    ["no digit before the point", ".5"],
    ["no digit behind the point", "5."],
    ["two points", "1.2.3"],
    ["comma", "1,5"],
    ["huge", "9".repeat(500)],
  ],
  clientOrderId: [
    ["wrong characters", "my%20order"],
    ["plus is a space", "my+order"],
    ["too long", "a".repeat(37)],
    ["huge", "a".repeat(1000)],
    ["non-ASCII", "%C3%A9"],
    ["raw non-ASCII", "\xc3\xa9"],
    ["NUL", "%00"],
  ],
  listenKey: [
    ["wrong characters", "a-b"],
    ["too long", "a".repeat(65)],
    ["non-ASCII", "%C3%A9"],
    ["NUL", "%00"],
  ],
  signature: [
    ["wrong characters", "z".repeat(64)],
    ["too short", "a".repeat(63)],
    ["too long", "a".repeat(65)],
    ["base64", "%2B".repeat(64)],
    ["non-ASCII", "%C3%A9"],
  ],
  enum: [
    ["wrong enum", "NONSENSE"],
    ["number", "9"],
    ["prototype", "constructor"],
    ["huge", "A".repeat(1000)],
    ["non-ASCII", "%C3%A9"],
    ["raw non-ASCII", "\xc3\xa9"],
    ["NUL", "%00"],
  ],
  string: [
    ["NUL", "%00"],
    ["too long", "a".repeat(257)],
  ],
  boolean: [
    ["wrong type", "1"],
    ["wrong case", "TRUE"],
  ],
};

type Request = Readonly<Record<string, string>>;

const MARKET_BY_QUOTE: Request = { side: "BUY", type: "MARKET", quoteOrderQty: "1" };
const LIMIT: Request = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "1" };
const STOP_LOSS_LIMIT: Request = { ...LIMIT, type: "STOP_LOSS_LIMIT", stopPrice: "1" };
const TRAILING: Request = { ...STOP_LOSS_LIMIT, trailingDelta: "100" };
/** The peg of an order, whose parameters start with the name of the order in a list. */
function peg(prefix = ""): Request {
  const fields = { PegPriceType: "PRIMARY_PEG", PegOffsetType: "PRICE_LEVEL", PegOffsetValue: "1" };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [prefix === "" ? `p${name.slice(1)}` : `${prefix}${name}`, value]),
  );
}
const ORDERS = [LIMIT, MARKET_BY_QUOTE, STOP_LOSS_LIMIT, TRAILING, { ...LIMIT, ...peg() }];

const OCO: Request = { side: "SELL", quantity: "1", price: "3", stopPrice: "1" };
const OCO_LIMIT: Request = { ...OCO, stopLimitPrice: "1", stopLimitTimeInForce: "GTC" };
const OCO_ICEBERG: Request = { ...OCO_LIMIT, stopIcebergQty: "0.5" };
const OCO_TRAILING: Request = { ...OCO, trailingDelta: "100" };

const BELOW: Request = {
  belowType: "STOP_LOSS_LIMIT",
  belowPrice: "1",
  belowStopPrice: "1",
  belowTimeInForce: "GTC",
};
const MAKER_ABOVE: Request = { side: "SELL", quantity: "1", aboveType: "LIMIT_MAKER", abovePrice: "3", ...BELOW };
const PROFIT_ABOVE: Request = {
  ...MAKER_ABOVE,
  aboveType: "TAKE_PROFIT_LIMIT",
  aboveStopPrice: "3",
  aboveTimeInForce: "GTC",
};
const BOTH_TRAIL: Request = { ...PROFIT_ABOVE, aboveTrailingDelta: "100", belowTrailingDelta: "100" };
const BOTH_PEGGED: Request = { ...PROFIT_ABOVE, ...peg("above"), ...peg("below") };

const WORKING: Request = {
  ...{ workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "1", workingQuantity: "1" },
  pendingSide: "SELL",
};
const OTO_LIMIT: Request = { ...WORKING, pendingType: "LIMIT", pendingPrice: "2", pendingTimeInForce: "GTC" };
const OTO_STOP: Request = { ...OTO_LIMIT, pendingType: "STOP_LOSS_LIMIT", pendingStopPrice: "1" };
const OTO_TRAILING: Request = { ...OTO_STOP, pendingTrailingDelta: "100" };
const PENDING_BELOW: Request = {
  ...{ pendingBelowType: "STOP_LOSS_LIMIT", pendingBelowPrice: "1", pendingBelowStopPrice: "1" },
  pendingBelowTimeInForce: "GTC",
};
const OTOCO_MAKER: Request = {
  ...{ ...WORKING, pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "3" },
  ...PENDING_BELOW,
};
const OTOCO_PROFIT: Request = {
  ...{ ...WORKING, pendingAboveType: "TAKE_PROFIT_LIMIT", pendingAbovePrice: "3", pendingAboveStopPrice: "3" },
  ...{ pendingAboveTimeInForce: "GTC", ...PENDING_BELOW },
};
const OTOCO_TRAILING: Request = { ...OTOCO_PROFIT, pendingAboveTrailingDelta: "100", pendingBelowTrailingDelta: "100" };
const OTO_PEGGED: Request = { ...OTO_LIMIT, ...peg("working"), ...peg("pending") };
const OTOCO_PEGGED: Request = {
  ...{ ...OTOCO_PROFIT, ...peg("working") },
  ...{ ...peg("pendingAbove"), ...peg("pendingBelow") },
};
const OPO = [OTO_LIMIT, OTO_STOP, OTO_TRAILING, OTO_PEGGED];
const OPOCO = [OTOCO_MAKER, OTOCO_PROFIT, OTOCO_TRAILING, OTOCO_PEGGED];
const withQuantity = (request: Request): Request => ({ ...request, pendingQuantity: "1" });

const WITHDRAWAL: Request = { amount: "1", address: "an-address" };
const TRANSFER: Request = { amount: "1", asset: "BTC" };

/** Valid requests by endpoint. The first one is used for parameters that fit any request. */
const PLACINGS: Readonly<Record<string, readonly Request[]>> = {
  "order.place": ORDERS,
  "order.test": ORDERS,
  "order.cancelReplace": ORDERS,
  "orderList.place": [OCO, OCO_LIMIT, OCO_ICEBERG, OCO_TRAILING],
  "orderList.place.oco": [MAKER_ABOVE, PROFIT_ABOVE, BOTH_TRAIL, BOTH_PEGGED],
  "orderList.place.oto": OPO.map(withQuantity),
  "orderList.place.otoco": OPOCO.map(withQuantity),
  "orderList.place.opo": OPO,
  "orderList.place.opoco": OPOCO,
  "wapi.withdraw": [{ ...WITHDRAWAL, asset: "BTC" }],
  "capital.withdraw": [{ ...WITHDRAWAL, coin: "BTC" }],
  "wapi.subAccountTransfer": [{ ...TRANSFER, fromEmail: "trader@example.org", toEmail: "sub@example.org" }],
  "subAccount.transfer": [{ ...TRANSFER, toEmail: "sub@example.org" }],
};

/**
 * Returns a valid request in which to test a parameter, without the symbol and common parameters; undefined for
 * endpoints that place no orders and move no money.
 */
export function placingOf(endpointId: string, parameter: string): Request | undefined {
  const requests = PLACINGS[endpointId];
  return requests?.find((request) => parameter in request) ?? requests?.[0];
}
