/** Interface 6 and 10.3, field by field. */
import { type Fields, words } from "./shape.ts";
import { ORDER_STATUS } from "./shapes.ts";

const BALANCES = [{ a: "string", f: "decimal", l: "decimal" }] as const;

/** 6.1, with what later clients read. */
export const ACCOUNT_INFO: Fields = {
  e: words("outboundAccountInfo"),
  E: "time",
  m: "integer",
  t: "integer",
  b: "integer",
  s: "integer",
  T: "boolean",
  W: "boolean",
  D: "boolean",
  u: "time",
  B: BALANCES,
  P: ["string"],
};

/** 6.2 */
export const ACCOUNT_POSITION: Fields = { e: words("outboundAccountPosition"), E: "time", u: "time", B: BALANCES };

/** 6.3; of fills `n` is a decimal and `N` an asset. */
export const EXECUTION_REPORT: Fields = {
  e: words("executionReport"),
  E: "time",
  s: "string",
  c: "string",
  S: words("BUY", "SELL"),
  o: "string",
  f: words("GTC", "IOC", "FOK"),
  q: "decimal",
  p: "decimal",
  P: "decimal",
  F: "decimal",
  g: "integer",
  C: "string",
  x: words("NEW", "TRADE", "CANCELED", "REPLACED", "EXPIRED", "TRADE_PREVENTION"),
  X: ORDER_STATUS,
  r: words("NONE"),
  i: "integer",
  l: "decimal",
  z: "decimal",
  L: "decimal",
  n: "numeric",
  N: "any",
  T: "time",
  t: "integer",
  I: "integer",
  w: "boolean",
  m: "boolean",
  M: "boolean",
  O: "time",
  Z: "decimal",
  Y: "decimal",
  Q: "decimal",
  "W?": "time",
  "V?": "string",
  "d?": "integer",
  "D?": "integer",
  "gP?": "string",
  "gOT?": "string",
  "gOV?": "integer",
  "gp?": "decimal",
  "j?": "integer",
  "J?": "integer",
  "eR?": "string",
  "v?": "integer",
  "A?": "decimal",
  "B?": "decimal",
  "u?": "integer",
  "U?": "integer",
  "Cs?": "string",
  "pl?": "decimal",
  "pL?": "decimal",
  "pY?": "decimal",
};

/** 6.4 */
export const LIST_STATUS: Fields = {
  e: words("listStatus"),
  E: "time",
  s: "string",
  g: "integer",
  c: words("OCO"),
  l: words("EXEC_STARTED", "UPDATED", "ALL_DONE"),
  L: words("EXECUTING", "ALL_DONE"),
  r: words("NONE"),
  C: "string",
  T: "time",
  O: [{ s: "string", i: "integer", c: "string" }],
};

/** 6.7 */
export const BALANCE_UPDATE: Fields = { e: words("balanceUpdate"), E: "time", a: "string", d: "decimal", T: "time" };

/** 6.8 */
export const LISTEN_KEY_EXPIRED: Fields = { e: words("listenKeyExpired"), E: "time", listenKey: "string" };

// 10.3

export const STREAM_TRADE: Fields = {
  e: words("trade"),
  E: "time",
  s: "string",
  t: "integer",
  p: "decimal",
  q: "decimal",
  b: "integer",
  a: "integer",
  T: "time",
  m: "boolean",
  M: words(true),
};
export const STREAM_AGG_TRADE: Fields = {
  e: words("aggTrade"),
  E: "time",
  s: "string",
  a: "integer",
  p: "decimal",
  q: "decimal",
  f: "integer",
  l: "integer",
  T: "time",
  m: "boolean",
  M: words(true),
};
export const STREAM_KLINE: Fields = {
  e: words("kline"),
  E: "time",
  s: "string",
  k: {
    t: "time",
    T: "time",
    s: "string",
    i: "string",
    f: "integer",
    L: "integer",
    o: "decimal",
    c: "decimal",
    h: "decimal",
    l: "decimal",
    v: "decimal",
    n: "integer",
    x: "boolean",
    q: "decimal",
    V: "decimal",
    Q: "decimal",
    B: words("0"),
  },
};
export const STREAM_MINI_TICKER: Fields = {
  e: words("24hrMiniTicker"),
  E: "time",
  s: "string",
  c: "decimal",
  o: "decimal",
  h: "decimal",
  l: "decimal",
  v: "decimal",
  q: "decimal",
};
export const STREAM_TICKER: Fields = {
  ...STREAM_MINI_TICKER,
  e: words("24hrTicker"),
  p: "decimal",
  P: "numeric",
  w: "decimal",
  x: "decimal",
  Q: "decimal",
  b: "decimal",
  B: "decimal",
  a: "decimal",
  A: "decimal",
  O: "time",
  C: "time",
  F: "integer",
  L: "integer",
  n: "integer",
};
export const STREAM_BOOK_TICKER: Fields = {
  u: "integer",
  s: "string",
  b: "decimal",
  B: "decimal",
  a: "decimal",
  A: "decimal",
};
export const STREAM_REFERENCE_PRICE: Fields = { e: words("referencePrice"), s: "string", r: "any", t: "time" };
export const STREAM_LEVELS: Fields = { lastUpdateId: "integer", bids: [["decimal"]], asks: [["decimal"]] };
export const STREAM_DEPTH: Fields = {
  e: words("depthUpdate"),
  E: "time",
  s: "string",
  U: "integer",
  u: "integer",
  b: [["decimal"]],
  a: [["decimal"]],
};
