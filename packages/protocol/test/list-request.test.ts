/** The parameters that both endpoints for order lists require and reject. Interface 4.3, 7.7 and 3.5. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aboveBelowRequest, isApiError, type ListRequest, ocoRequest, parseRequest } from "@pricetime/protocol";
import { endpointOf } from "./endpoint.ts";

const SIGNED = `timestamp=1&signature=${"a".repeat(64)}`;

function read(path: string, text: string, baseDecimals = 8, quoteDecimals = 8): ListRequest | string {
  const request = parseRequest(endpointOf("POST", path), `symbol=A&${text.replaceAll(" ", "&")}&${SIGNED}`, "");
  if (isApiError(request)) return `${request.code} ${request.msg}`;
  assert.equal(request.unread, null, text);
  const reader = path === "/api/v3/order/oco" ? ocoRequest : aboveBelowRequest;
  const list = reader(request.values, baseDecimals, quoteDecimals);
  return isApiError(list) ? `${list.code} ${list.msg}` : list;
}

const oco = (text: string, base?: number, quote?: number) =>
  read("/api/v3/order/oco", `side=SELL quantity=2 price=5 stopPrice=3 ${text}`, base, quote);
const pair = (text: string, base?: number, quote?: number) =>
  read("/api/v3/orderList/oco", `quantity=2 ${text}`, base, quote);

const LIMIT_MAKER = { type: "LIMIT_MAKER", timeInForce: "GTC", price: "5", stopPrice: "", icebergQty: "" };
const STOP_LOSS = { type: "STOP_LOSS", timeInForce: "GTC", price: "", stopPrice: "3", icebergQty: "" };
const LIST = { symbol: "A", side: "SELL", quantity: "2", listClientOrderId: "", newOrderRespType: "RESULT" };

test("order/oco: a maker and a stop order, which is a stop limit order if a price is sent", () => {
  assert.deepEqual(oco("listClientOrderId="), "-1105 Parameter 'listClientOrderId' was empty.");
  assert.deepEqual(oco(""), {
    ...LIST,
    stopLeg: { ...STOP_LOSS, prefix: "stop", clientOrderId: "" },
    limitLeg: { ...LIMIT_MAKER, prefix: "limit", clientOrderId: "" },
  });
  const ids = "listClientOrderId=l limitClientOrderId=m stopClientOrderId=s newOrderRespType=FULL";
  const limit = "stopLimitPrice=2 stopLimitTimeInForce=GTC stopIcebergQty=1 limitIcebergQty=0.5";
  assert.deepEqual(oco(`${ids} ${limit}`), {
    ...LIST,
    listClientOrderId: "l",
    newOrderRespType: "FULL",
    stopLeg: { ...STOP_LOSS, prefix: "stop", type: "STOP_LOSS_LIMIT", price: "2", icebergQty: "1", clientOrderId: "s" },
    limitLeg: { ...LIMIT_MAKER, prefix: "limit", icebergQty: "0.5", clientOrderId: "m" },
  });
});

test("orderList/oco: each order may be pegged, and then needs no price", () => {
  const legs = "side=SELL aboveType=LIMIT_MAKER belowType=STOP_LOSS_LIMIT belowTimeInForce=GTC belowStopPrice=3";
  const missing = (name: string) => `-1102 Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
  const above = "abovePegPriceType=PRIMARY_PEG";
  const below = "belowPegPriceType=MARKET_PEG belowPegOffsetType=PRICE_LEVEL belowPegOffsetValue=2";
  assert.equal(typeof pair(`${legs} ${above} ${below}`), "object");
  assert.equal(pair(`${legs} ${above}`), missing("belowPrice"));
  assert.equal(pair(`${legs} ${below}`), missing("abovePrice"));
  const together = "-1128 Fields [abovePegOffsetType, abovePegOffsetValue] must be sent together or omitted entirely.";
  assert.equal(pair(`${legs} ${above} abovePegOffsetValue=1 ${below}`), together);
});

test("order/oco: a stop limit price and its parameters require each other", () => {
  for (const [sent, name] of [
    ["stopLimitTimeInForce=GTC", "stopLimitTimeInForce"],
    ["stopIcebergQty=1", "stopIcebergQty"],
    ["stopIcebergQty=1 stopLimitTimeInForce=GTC", "stopLimitTimeInForce"],
  ] as const) {
    assert.equal(oco(sent), `-1106 Parameter '${name}' sent when not required.`);
  }
  assert.equal(
    oco("stopLimitPrice=2"),
    "-1128 Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
  );
});

test("order/oco: errors of precision, then zeros, then icebergs that are not GTC", () => {
  const tooPrecise = "-1111 Precision is over the maximum defined for this asset.";
  const limit = (price: string, timeInForce = "GTC"): string =>
    `stopLimitPrice=${price} stopLimitTimeInForce=${timeInForce}`;
  assert.equal(oco(limit("2.123"), 2, 2), tooPrecise);
  assert.equal(oco("limitIcebergQty=0.001", 2, 8), tooPrecise);
  assert.equal(oco(`${limit("0")} stopIcebergQty=0.001`, 2, 8), tooPrecise);
  assert.equal(oco(limit("0")), "-1013 Invalid stopLimitPrice.");
  assert.equal(oco(`${limit("0", "FOK")} stopIcebergQty=1`), "-1013 Invalid stopLimitPrice.");
  assert.equal(oco(`${limit("2", "IOC")} stopIcebergQty=1`), "-1014 Unsupported order combination.");
  const none = oco(`${limit("2", "FOK")} stopIcebergQty=0`);
  assert.ok(typeof none === "object" && none.stopLeg.timeInForce === "FOK" && none.stopLeg.icebergQty === "");
});

/** One row for each type: r required, - rejected, o optional. */
const LEGS = `
                   TimeInForce Price StopPrice IcebergQty
LIMIT_MAKER        -           r     -         o
STOP_LOSS          -           -     r         -
STOP_LOSS_LIMIT    r           r     r         o
TAKE_PROFIT        -           -     r         -
TAKE_PROFIT_LIMIT  r           r     r         o
`;
const NAMES = ["TimeInForce", "Price", "StopPrice", "IcebergQty"] as const;
const VALUES = { TimeInForce: "GTC", Price: "5", StopPrice: "3", IcebergQty: "1" } as const;
type Name = (typeof NAMES)[number];
const ROWS = LEGS.trim()
  .split("\n")
  .slice(1)
  .map((row) => row.trim().split(/\s+/))
  .map(([type = "", ...marks]) => ({ type, mark: (name: Name) => marks[NAMES.indexOf(name)] }));

const legText = (place: string, type: string, names: readonly Name[]): string =>
  [`${place}Type=${type}`, ...names.map((name) => `${place}${name}=${VALUES[name]}`)].join(" ");
const needs = (type: string): Name[] =>
  NAMES.filter((name) => ROWS.find((row) => row.type === type)?.mark(name) === "r");
const isStop = (type: string): boolean => type.startsWith("STOP_LOSS");

test("orderList/oco: each leg requires and rejects the parameters of its order type", () => {
  for (const place of ["above", "below"]) {
    for (const { type, mark } of ROWS) {
      const side = (place === "above") === isStop(type) ? "BUY" : "SELL";
      const other = legText(
        place === "above" ? "below" : "above",
        isStop(type) ? "LIMIT_MAKER" : "STOP_LOSS",
        needs(isStop(type) ? "LIMIT_MAKER" : "STOP_LOSS"),
      );
      const send = (names: readonly Name[], more = "") =>
        pair([`side=${side}`, legText(place, type, names), other, more].join(" ").trim());
      const needed = needs(type);
      assert.equal(typeof send(needed), "object", `${place} ${type} ${JSON.stringify(send(needed))}`);
      for (const name of NAMES) {
        const full = `${place}${name}`;
        if (mark(name) === "r") {
          const missing = `-1102 Mandatory parameter '${full}' was not sent, was empty/null, or malformed.`;
          const others = needed.filter((one) => one !== name);
          assert.equal(send(others), missing);
          assert.equal(send(others, `${full}=`), missing);
        } else if (mark(name) === "-") {
          assert.equal(send([...needed, name]), `-1106 Parameter '${full}' sent when not required.`, type);
        } else {
          assert.equal(typeof send([...needed, name]), "object");
        }
      }
    }
  }
});

test("orderList/oco: the stop leg is below for a SELL, above for a BUY; other pairs are rejected", () => {
  const types = ROWS.map(({ type }) => type);
  for (const side of ["BUY", "SELL"]) {
    for (const above of types) {
      for (const below of types) {
        const text = [`side=${side}`, legText("above", above, needs(above)), legText("below", below, needs(below))];
        const got = pair(text.join(" "));
        const [stop, limit] = side === "SELL" ? [below, above] : [above, below];
        if (!isStop(stop) || isStop(limit)) {
          assert.equal(got, "-1014 Unsupported order combination.", text.join(" "));
        } else {
          assert.ok(typeof got === "object");
          assert.deepEqual([got.stopLeg.type, got.limitLeg.type], [stop, limit]);
        }
      }
    }
  }
});

test("orderList/oco: invalid types, precision, zeros and client ids", () => {
  const legs = (above: string, below: string) =>
    `side=SELL aboveType=LIMIT_MAKER ${above} belowType=STOP_LOSS ${below}`;
  assert.equal(
    pair("side=SELL aboveType=LIMIT abovePrice=5 belowType=STOP_LOSS belowStopPrice=3"),
    "-1116 Invalid orderType.",
  );
  assert.equal(pair(legs("abovePrice=0", "belowStopPrice=3")), "-1013 Invalid abovePrice.");
  assert.equal(pair(legs("abovePrice=5", "belowStopPrice=0")), "-1013 Invalid belowStopPrice.");
  const tooPrecise = "-1111 Precision is over the maximum defined for this asset.";
  assert.equal(pair(legs("abovePrice=5.123", "belowStopPrice=3"), 8, 2), tooPrecise);
  assert.equal(pair(legs("abovePrice=5 aboveIcebergQty=0.123", "belowStopPrice=3"), 2, 8), tooPrecise);
  const named = pair(legs("abovePrice=5 aboveClientOrderId=a", "belowStopPrice=3 belowClientOrderId=b"));
  assert.ok(typeof named === "object");
  assert.deepEqual([named.limitLeg.clientOrderId, named.stopLeg.clientOrderId], ["a", "b"]);
  const iceberg =
    "side=SELL aboveType=TAKE_PROFIT_LIMIT abovePrice=5 aboveStopPrice=5 aboveTimeInForce=IOC aboveIcebergQty=1";
  assert.equal(pair(`${iceberg} belowType=STOP_LOSS belowStopPrice=3`), "-1014 Unsupported order combination.");
});
