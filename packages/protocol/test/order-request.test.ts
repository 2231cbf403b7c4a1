/** The parameters that each type of order requires and rejects. Interface 3.2, 4.2. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError, ORDER_TYPES, orderRequest, type OrderRequest, parseRequest } from "@pricetime/protocol";
import { endpointOf } from "./endpoint.ts";

const PLACE = endpointOf("POST", "/api/v3/order");
const SIGNED = `timestamp=1&signature=${"a".repeat(64)}`;

/** "ok", or code and text; `text` as in `LIMIT timeInForce=GTC price=1`. */
function outcome(text: string, baseDecimals = 8, quoteDecimals = 8): string {
  const [type, ...pairs] = text.split(" ");
  const request = parseRequest(PLACE, ["symbol=A&side=BUY", `type=${type}`, ...pairs, SIGNED].join("&"), "");
  assert.ok(!isApiError(request), JSON.stringify(request));
  const order = orderRequest(request.values, baseDecimals, quoteDecimals);
  return isApiError(order) ? `${order.code} ${order.msg}` : "ok";
}

const VALUES = {
  timeInForce: "GTC",
  quantity: "2",
  quoteOrderQty: "3",
  price: "4",
  stopPrice: "5",
  icebergQty: "1",
} as const;
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as Name[];

/** One row for each type: r required, - rejected, o optional; MARKET takes exactly one of its two quantities. */
const TABLE = `
                   timeInForce quantity quoteOrderQty price stopPrice icebergQty
LIMIT              r           r        -             r     -         o
MARKET             -           1        1             -     -         -
LIMIT_MAKER        -           r        -             r     -         o
STOP_LOSS          -           r        -             -     r         -
STOP_LOSS_LIMIT    r           r        -             r     r         o
TAKE_PROFIT        -           r        -             -     r         -
TAKE_PROFIT_LIMIT  r           r        -             r     r         o
`;
const ROWS = TABLE.trim()
  .split("\n")
  .slice(1)
  .map((row) => row.trim().split(/\s+/))
  .map(([type, ...marks]) => ({ type: type ?? "", mark: (name: Name) => marks[NAMES.indexOf(name)] }));

test("the table of types has every type", () => {
  assert.deepEqual(ROWS.map(({ type }) => type).sort(), [...ORDER_TYPES].sort());
});

const pair = (name: Name): string => `${name}=${VALUES[name]}`;
const line = (type: string, names: readonly Name[]): string => [type, ...names.map(pair)].join(" ");
const missing = (name: string): string =>
  `-1102 Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;

test("each type accepts its required and optional parameters", () => {
  for (const { type, mark } of ROWS) {
    const needed = NAMES.filter((name) => mark(name) === "r" || (type === "MARKET" && name === "quantity"));
    assert.equal(outcome(line(type, needed)), "ok", type);
    for (const name of NAMES.filter((one) => mark(one) === "o")) {
      assert.equal(outcome(line(type, [...needed, name])), "ok", `${type} ${name}`);
    }
  }
  assert.equal(outcome("MARKET quoteOrderQty=1"), "ok");
});

test("required parameters must be sent and not be empty", () => {
  for (const { type, mark } of ROWS) {
    const needed = NAMES.filter((name) => mark(name) === "r");
    for (const name of needed) {
      const others = line(
        type,
        needed.filter((one) => one !== name),
      );
      assert.equal(outcome(others), missing(name));
      assert.equal(outcome(`${others} ${name}=`), missing(name));
    }
  }
  const either = "-1102 Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!";
  assert.equal(outcome("MARKET"), either);
  assert.equal(outcome("MARKET quantity="), either);
  assert.equal(outcome("MARKET quantity= quoteOrderQty=1"), "-1105 Parameter 'quantity' was empty.");
});

test("parameters that a type does not have are rejected", () => {
  for (const { type, mark } of ROWS) {
    const needed = NAMES.filter((name) => mark(name) === "r" || (type === "MARKET" && name === "quantity"));
    for (const name of NAMES.filter((one) => mark(one) === "-")) {
      assert.equal(outcome(line(type, [...needed, name])), `-1106 Parameter '${name}' sent when not required.`, type);
      // icebergQty is optional wherever it is allowed, so that an empty value is reported at once.
      if (name === "icebergQty") continue;
      assert.equal(outcome(`${line(type, needed)} ${name}=`), `-1106 Parameter '${name}' sent when not required.`);
    }
  }
  assert.equal(outcome("MARKET quantity=1 quoteOrderQty=1"), "-1106 Parameter 'quoteOrderQty' sent when not required.");
});

test("precision is reported before zero, both by the symbol's assets", () => {
  const stop = (price: string, quantity: string, stopPrice: string): string =>
    `STOP_LOSS_LIMIT timeInForce=GTC price=${price} quantity=${quantity} stopPrice=${stopPrice}`;
  const tooPrecise = "-1111 Precision is over the maximum defined for this asset.";
  assert.equal(outcome(stop("1.12", "1.123", "1.12"), 3, 2), "ok");
  assert.equal(outcome(stop("1.123", "1.123", "1.12"), 3, 2), tooPrecise);
  assert.equal(outcome(stop("1.12", "1.1234", "1.12"), 3, 2), tooPrecise);
  assert.equal(outcome(stop("1.12", "1.123", "1.121"), 3, 2), tooPrecise);
  assert.equal(outcome(stop("0.001", "0", "1"), 3, 2), tooPrecise);
  assert.equal(outcome(`${stop("1", "1", "1")} icebergQty=0.1234`, 3, 2), tooPrecise);
  assert.equal(outcome("MARKET quoteOrderQty=1.123", 3, 2), tooPrecise);
  assert.equal(outcome("MARKET quantity=1.1", 0, 2), tooPrecise);
  assert.equal(outcome("MARKET quantity=1", 0, 2), "ok");
  assert.equal(outcome(stop("0", "1", "1")), "-1013 Invalid price.");
  assert.equal(outcome(stop("1", "0.00000000", "1")), "-1013 Invalid quantity.");
  assert.equal(outcome(stop("1", "1", "000.0")), "-1013 Invalid stopPrice.");
  assert.equal(outcome(stop("0", "0", "0")), "-1013 Invalid quantity.");
  assert.equal(outcome("MARKET quoteOrderQty=0"), "-1013 Invalid quoteOrderQty.");
});

test("trailing zeros do not count as precision", () => {
  const order = (zeros: string): string =>
    `STOP_LOSS_LIMIT timeInForce=GTC price=1.12${zeros} quantity=18.0${zeros} stopPrice=1.1${zeros} icebergQty=2.${zeros}`;
  assert.equal(outcome(order("0"), 0, 2), "ok");
  assert.equal(outcome(order("000000"), 0, 2), "ok");
  assert.equal(outcome("MARKET quoteOrderQty=31000.50000000", 0, 2), "ok");
  assert.equal(outcome("MARKET quantity=0.000", 0, 2), "-1013 Invalid quantity.");
});

test("an iceberg must be GTC", () => {
  const limit = (tif: string, iceberg: string): string =>
    `LIMIT timeInForce=${tif} price=1 quantity=1 icebergQty=${iceberg}`;
  assert.equal(outcome(limit("GTC", "0.5")), "ok");
  assert.equal(outcome(limit("IOC", "0.5")), "-1014 Unsupported order combination.");
  assert.equal(outcome(limit("FOK", "0.5")), "-1014 Unsupported order combination.");
  assert.equal(outcome(limit("FOK", "0.00")), "ok");
});

test("a pegged order needs no price; an offset has both parts, and a peg", () => {
  const limit = "LIMIT timeInForce=GTC quantity=1";
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG`), "ok");
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG price=2`), "ok");
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG price=`), missing("price"));
  assert.equal(outcome(`${limit} pegPriceType=MARKET_PEG price=0`), "-1013 Invalid price.");
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG pegOffsetType=PRICE_LEVEL pegOffsetValue=100`), "ok");
  assert.equal(outcome("LIMIT_MAKER quantity=1 pegPriceType=PRIMARY_PEG"), "ok");
  assert.equal(outcome("STOP_LOSS_LIMIT timeInForce=IOC quantity=1 stopPrice=1 pegPriceType=MARKET_PEG"), "ok");
  const together = "-1128 Fields [pegOffsetType, pegOffsetValue] must be sent together or omitted entirely.";
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG pegOffsetType=PRICE_LEVEL`), together);
  assert.equal(outcome(`${limit} pegPriceType=PRIMARY_PEG pegOffsetValue=1`), together);
  const offset = "pegOffsetType=PRICE_LEVEL pegOffsetValue=1";
  const extra = "-1106 Parameter 'pegOffsetType' sent when not required.";
  assert.equal(outcome(`${limit} price=1 ${offset}`), extra);
  // The engine rejects the types that have no price: -2010.
  assert.equal(outcome("MARKET quantity=1 pegPriceType=MARKET_PEG"), "ok");
  assert.equal(outcome("STOP_LOSS quantity=1 stopPrice=1 pegPriceType=MARKET_PEG"), "ok");
});

test("parameters that were not sent have their defaults", () => {
  const order = (text: string): OrderRequest => {
    const values = new Map(text.split(" ").map((one) => one.split("=") as [string, string]));
    const request = orderRequest(values, 8, 8);
    assert.ok(!isApiError(request));
    return request;
  };
  assert.deepEqual(order("symbol=A side=SELL type=MARKET quantity=1"), {
    symbol: "A",
    side: "SELL",
    type: "MARKET",
    timeInForce: "GTC",
    quantity: "1",
    quoteOrderQty: "",
    price: "",
    stopPrice: "",
    icebergQty: "",
    newClientOrderId: "",
    newOrderRespType: "FULL",
  });
  const limit = "symbol=A side=BUY type=LIMIT timeInForce=IOC quantity=1.50 price=2 newClientOrderId=x icebergQty=0";
  const { timeInForce, quantity, icebergQty, newClientOrderId, newOrderRespType } = order(limit);
  assert.deepEqual(
    [timeInForce, quantity, icebergQty, newClientOrderId, newOrderRespType],
    ["IOC", "1.50", "", "x", "FULL"],
  );
  assert.equal(order("symbol=A side=BUY type=LIMIT_MAKER quantity=1 price=2").newOrderRespType, "ACK");
  assert.equal(order("symbol=A side=BUY type=STOP_LOSS quantity=1 stopPrice=2").newOrderRespType, "ACK");
  assert.equal(order("symbol=A side=BUY type=MARKET quantity=1 newOrderRespType=RESULT").newOrderRespType, "RESULT");
});
