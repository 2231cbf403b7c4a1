/**
 * Invalid requests, generated from the endpoint table: every endpoint, parameter, fault and placement, with the
 * expected rejection. Used by the tests of the protocol package and of a complete gateway.
 *
 * The expected results are derived from Interface 7.7 and not taken from the parser.
 */
import {
  type Endpoint,
  ENDPOINTS,
  isSigned,
  type KnownEndpoint,
  type Parameter,
  type ParameterKind,
} from "@pricetime/protocol";
import { BROKEN, placingOf, UNFIT } from "./unfit-values.ts";

export type Placement =
  /** All parameters are in the query. */
  | "query"
  | "body"
  /** The fault is in the query, and the body has a valid value. The query takes precedence. */
  | "both"
  /** The fault is in the body, but a valid value in the query takes precedence. */
  | "hidden";

export interface Refusal {
  readonly code: number;
  readonly msg?: string;
}

export interface FaultCase {
  readonly endpoint: KnownEndpoint;
  readonly fault: string;
  readonly parameter: string;
  readonly placement: Placement;
  /** The query as sent, without the parameters that `completed` adds. */
  readonly query: string;
  readonly body: string;
  /** 'accepted' means that the parameters are valid. A complete exchange may still reject the request. */
  readonly expected: Refusal | "accepted";
  /** The parameters that `completed` does not add, because the fault concerns them. */
  readonly omits: readonly string[];
}

/** Valid values by parameter, for tests in which the defaults of this file do not fit. */
export type GoodValues = Readonly<Record<string, string>>;

/**
 * Returns query and body with the timestamp and signature of a signed endpoint. `sign` returns the signature of a
 * payload.
 */
export function completed(
  { endpoint, query, body, placement, omits }: FaultCase,
  nowMs: number,
  sign: (payload: string) => string,
): { readonly query: string; readonly body: string } {
  if (!isSigned(endpoint.security)) return { query, body };
  const inBody = placement === "body" && endpoint.method !== "GET";
  const add = (name: string, value: string): void => {
    if (omits.includes(name)) return;
    if (inBody) body = join(body, `${name}=${value}`);
    else query = join(query, `${name}=${value}`);
  };
  add("timestamp", String(nowMs));
  add("signature", omits.includes("signature") ? "" : sign(query + (endpoint.method === "GET" ? "" : body)));
  return { query, body };
}

export function faultCases(good: GoodValues = {}): FaultCase[] {
  return ENDPOINTS.flatMap((endpoint) => {
    const parameters = isSigned(endpoint.security) ? [...endpoint.parameters, ...SIGNED] : endpoint.parameters;
    return [
      ...parameters.flatMap((parameter) => casesOf(endpoint, parameter, goodFor(endpoint, parameter.name, good))),
      ...wholeRequestCases(endpoint, goodFor(endpoint, "", good)),
    ];
  });
}

const SIGNED: readonly Parameter[] = [
  { name: "recvWindow", kind: "duration", required: false },
  { name: "timestamp", kind: "time", required: true },
  { name: "signature", kind: "signature", required: true },
];

const GOOD: Readonly<Record<ParameterKind, string>> = {
  symbol: "BTCUSDT",
  symbols: "%5B%22BTCUSDT%22%2C%22ETHUSDT%22%5D",
  timeZone: "%2B8:00",
  windowSize: "4h",
  string: "text",
  decimal: "1",
  integer: "1",
  time: "1",
  duration: "1.5",
  limit: "5",
  enum: "",
  clientOrderId: "my-order.1:a/b_C",
  listenKey: "a".repeat(64),
  boolean: "true",
  signature: "0".repeat(64),
};
const GOOD_TIME_MS = "1499827319559";

interface Pair {
  readonly name: string;
  /** The value as sent, including escapes. */
  readonly value: string;
}

function goodPair(parameter: Parameter, good: GoodValues): Pair {
  const { name, kind, words } = parameter;
  if (name === "timestamp") return { name, value: GOOD_TIME_MS };
  if (name === "recvWindow") return { name, value: "60000" };
  return { name, value: good[name] ?? words?.[0] ?? parameter.least?.toString() ?? GOOD[kind] };
}

const goodFor = (endpoint: Endpoint, under: string, good: GoodValues): GoodValues => ({
  ...placingOf(endpoint.id, under),
  ...good,
});

/** Returns the valid parameters that a request needs besides the one under test. */
function companions(endpoint: Endpoint, under: string, good: GoodValues): Pair[] {
  const { either, parameters } = endpoint;
  const names = new Set(parameters.filter(({ required }) => required).map(({ name }) => name));
  for (const name of Object.keys(placingOf(endpoint.id, under) ?? {})) names.add(name);
  if (either !== undefined && !either.includes(under)) names.add(either[1]);
  names.delete(under);
  return parameters.filter(({ name }) => names.has(name)).map((parameter) => goodPair(parameter, good));
}

// Faults of a single parameter.

interface Fault {
  readonly fault: string;
  /** The `name=value` pairs of the parameter, as sent. */
  readonly sent: string;
  readonly expected: Refusal | "accepted";
  /** The rejection when the fault is in the body and the query has a valid value; absent if the request is accepted. */
  readonly hidden?: Refusal;
}

function casesOf(endpoint: KnownEndpoint, parameter: Parameter, good: GoodValues): FaultCase[] {
  const { name } = parameter;
  const others = companions(endpoint, name, good).map(pairText);
  const omits = name === "timestamp" || name === "signature" ? [name] : [];
  const make = (fault: string, placement: Placement, query: string, body: string, expected: Refusal | "accepted") => ({
    endpoint,
    fault,
    parameter: name,
    placement,
    query,
    body,
    expected,
    omits,
  });
  const goodText = pairText(goodPair(parameter, good));
  const takesBody = endpoint.method !== "GET";
  const cases: FaultCase[] = [];
  for (const { fault, sent, expected, hidden } of faultsOf(endpoint, parameter, good)) {
    const all = join(...others, sent);
    cases.push(make(fault, "query", all, "", expected));
    if (!takesBody) continue;
    cases.push(make(fault, "body", "", all, expected));
    // A valid timestamp or signature would conflict with the one that `completed` adds. A fault with another name has
    // no valid value to conflict with.
    if (omits.length > 0 || !sent.startsWith(name)) continue;
    cases.push(make(fault, "both", sent, join(...others, goodText), expected));
    cases.push(make(fault, "hidden", join(goodText, ...others), sent, hidden ?? "accepted"));
  }
  if (takesBody && omits.length === 0)
    cases.push(make("in both", "both", goodText, join(...others, goodText), "accepted"));
  if (!takesBody && parameter.required && omits.length === 0) {
    cases.push(make("in the body of a GET", "body", join(...others), goodText, mandatory(name)));
  }
  return cases;
}

function faultsOf(endpoint: Endpoint, parameter: Parameter, good: GoodValues): Fault[] {
  const { name, kind } = parameter;
  const faults: Fault[] = [
    { fault: "missing", sent: "", expected: missing(endpoint, parameter) },
    { fault: "empty", sent: `${name}=`, expected: empty(endpoint, parameter) },
    { fault: "empty without =", sent: name, expected: empty(endpoint, parameter) },
    {
      fault: "wrong case of the name",
      sent: otherCase(name, pairText(goodPair(parameter, good))),
      expected: misnamed(endpoint, parameter),
    },
  ];
  const twice = `${pairText(goodPair(parameter, good))}&${pairText(goodPair(parameter, good))}`;
  if (parameter.repeated !== true) {
    faults.push({ fault: "repeated", sent: twice, expected: DUPLICATE, hidden: DUPLICATE });
  }
  for (const [fault, value] of BROKEN) {
    faults.push({ fault, sent: `${name}=${value}`, expected: illegal(parameter), hidden: illegal(parameter) });
  }
  for (const [fault, value] of UNFIT[kind] ?? []) {
    faults.push({ fault, sent: `${name}=${value}`, expected: unfit(parameter) });
  }
  for (const [fault, value, expected] of specialFaults(endpoint, parameter)) {
    faults.push({ fault, sent: `${name}=${value}`, expected });
  }
  return faults;
}

const PATTERNS: Readonly<Partial<Record<ParameterKind, string>>> = {
  symbol: "^[A-Z0-9-_.]{1,20}$",
  integer: "^[0-9]{1,20}$",
  limit: "^[0-9]{1,20}$",
  decimal: "^([0-9]{1,20})(\\.[0-9]{1,20})?$",
  clientOrderId: "^[.A-Z:/a-z0-9_-]{1,36}$",
  signature: "^[A-Fa-f0-9]{64}$",
  listenKey: "^[a-zA-Z0-9]{1,64}$",
};

const BAD_TIME: Refusal = { code: -1115, msg: "Invalid timeInForce." };
const BAD_TYPE: Refusal = { code: -1116, msg: "Invalid orderType." };
const BAD_SIDE: Refusal = { code: -1117, msg: "Invalid side." };
const BAD_PEG: Refusal = { code: -1210, msg: "Invalid pegPriceType." };
const BAD_OFFSET: Refusal = { code: -1211, msg: "Invalid pegOffsetType." };
const LEGS = ["above", "below", "working", "pending", "pendingAbove", "pendingBelow"];
const WORD_ERRORS: Readonly<Record<string, Refusal>> = {
  timeInForce: BAD_TIME,
  stopLimitTimeInForce: BAD_TIME,
  ...Object.fromEntries(LEGS.map((prefix) => [`${prefix}TimeInForce`, BAD_TIME])),
  type: BAD_TYPE,
  ...Object.fromEntries(LEGS.map((prefix) => [`${prefix}Type`, BAD_TYPE])),
  pegPriceType: BAD_PEG,
  ...Object.fromEntries(LEGS.map((prefix) => [`${prefix}PegPriceType`, BAD_PEG])),
  pegOffsetType: BAD_OFFSET,
  ...Object.fromEntries(LEGS.map((prefix) => [`${prefix}PegOffsetType`, BAD_OFFSET])),
  side: BAD_SIDE,
  workingSide: BAD_SIDE,
  pendingSide: BAD_SIDE,
  interval: { code: -1120, msg: "Invalid interval." },
  newOrderRespType: { code: -1136, msg: "Invalid newOrderRespType." },
  symbolStatus: { code: -1122, msg: "Invalid symbolStatus." },
  cancelRestrictions: { code: -1145, msg: "Invalid cancelRestrictions" },
};

const DUPLICATE: Refusal = { code: -1101, msg: "Duplicate values for a parameter detected." };
const SYMBOL_TWICE: Refusal = { code: -1151, msg: "Symbol is present multiple times in the list." };
const BAD_PRECISION: Refusal = { code: -1111, msg: "Precision is over the maximum defined for this asset." };
const TOO_OLD: Refusal = { code: -1021, msg: "Timestamp for this request is outside of the recvWindow." };
const AHEAD: Refusal = { code: -1021, msg: "Timestamp for this request was 1000ms ahead of the server's time." };

const mandatory = (name: string): Refusal => ({
  code: -1102,
  msg: `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
});
const invalidData = (name: string): Refusal => ({ code: -1130, msg: `Data sent for paramter '${name}' is not valid.` });

function illegal({ name, kind }: Parameter): Refusal {
  const pattern = PATTERNS[kind];
  if (pattern === undefined) return { code: -1100 };
  return { code: -1100, msg: `Illegal characters found in parameter '${name}'; legal range is '${pattern}'.` };
}

/** Order types and ticker types have their own error codes; account types have none. */
function wordError({ name, words }: Parameter): Refusal {
  if (name === "type" && words?.includes("MINI") === true) return { code: -1139, msg: "Invalid ticker type." };
  const isOfOrders = name !== "type" || words?.includes("LIMIT") === true;
  return (isOfOrders ? WORD_ERRORS[name] : undefined) ?? invalidData(name);
}

function unfit(parameter: Parameter): Refusal {
  if (parameter.kind === "enum" || parameter.kind === "boolean") {
    return wordError(parameter);
  }
  return illegal(parameter);
}

function missing(endpoint: Endpoint, { name, required, conditional }: Parameter): Refusal | "accepted" {
  if (required) return mandatory(name);
  const special = MISSING[name] ?? missingOfPeg(name);
  if (special !== undefined) return special;
  if (conditional === true && placingOf(endpoint.id, name)?.[name] !== undefined) return mandatory(name);
  if (endpoint.either?.includes(name) === true) return either(endpoint.either[0], endpoint.either[1]);
  return "accepted";
}

const either = (one: string, other: string): Refusal => ({
  code: -1102,
  msg: `Param '${one}' or '${other}' must be sent, but both were empty/null!`,
});

/** The rejections for missing parameters that are required only if another parameter is present. */
const MISSING: Readonly<Record<string, Refusal>> = {
  quoteOrderQty: either("quantity", "quoteOrderQty"),
  stopLimitPrice: { code: -1106, msg: "Parameter 'stopLimitTimeInForce' sent when not required." },
  stopLimitTimeInForce: {
    code: -1128,
    msg: "Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
  },
};

/** An offset without its peg, or half of an offset. */
function missingOfPeg(name: string): Refusal | undefined {
  const [, before, part] = /^(.*)peg(PriceType|OffsetType|OffsetValue)$/i.exec(name) ?? [];
  if (before === undefined) return undefined;
  const [type, value] = ["OffsetType", "OffsetValue"].map((each) => `${before}${before === "" ? "p" : "P"}eg${each}`);
  return part === "PriceType"
    ? { code: -1106, msg: `Parameter '${type}' sent when not required.` }
    : { code: -1128, msg: `Fields [${type}, ${value}] must be sent together or omitted entirely.` };
}

function empty(endpoint: Endpoint, parameter: Parameter): Refusal {
  const asMissing = missing(endpoint, parameter);
  const isReported = asMissing === "accepted" || /^stopLimit|peg\w+$/i.test(parameter.name);
  return isReported ? { code: -1105, msg: `Parameter '${parameter.name}' was empty.` } : asMissing;
}

/** Returns the rejection for a parameter whose name is in the wrong case, which counts as an unknown parameter. */
function misnamed(endpoint: Endpoint, parameter: Parameter): Refusal | "accepted" {
  const asMissing = missing(endpoint, parameter);
  if (parameter.required || endpoint.either?.includes(parameter.name) === true) return asMissing;
  return isSigned(endpoint.security) ? { code: -1104 } : "accepted";
}

type Special = readonly [fault: string, value: string, expected: Refusal | "accepted"];

/** Faults that depend on the endpoint or the parameter, not only on its kind. */
function specialFaults(endpoint: Endpoint, parameter: Parameter): Special[] {
  const { name, kind, words } = parameter;
  if (name === "recvWindow") {
    const tooWide: Refusal = { code: -1131, msg: "recvWindow must be less than 60000" };
    return [
      ["greatest", "60000", "accepted"],
      ["too great", "60001", tooWide],
      ["huge", "9".repeat(20), tooWide],
    ];
  }
  if (name === "timestamp") {
    return [
      ["zero", "0", TOO_OLD],
      ["in seconds", GOOD_TIME_MS.slice(0, -3), TOO_OLD],
      ["long ago", GOOD_TIME_MS, TOO_OLD],
      ["huge", "9".repeat(20), AHEAD],
    ];
  }
  if (name === "signature")
    return [["wrong", "0".repeat(64), { code: -1022, msg: "Signature for this request is not valid." }]];
  switch (kind) {
    case "integer":
      if (name.endsWith("OffsetValue")) return levelFaults(name);
      return isStored(name) ? storedFaults(name) : COUNTED_FAULTS;
    case "limit":
      return limitFaults(name, words);
    case "decimal":
      return placingOf(endpoint.id, name) === undefined ? [] : amountFaults(name);
    case "symbols":
      return [
        ["empty list", "%5B%5D", invalidData(name)],
        ["a symbol twice", "%5B%22BTCUSDT%22%2C%22BTCUSDT%22%5D", SYMBOL_TWICE],
      ];
    case "timeZone":
      return [["a minute too far", "14:01", invalidData(name)]];
    case "windowSize":
      return [["a day too long", "8d", invalidData(name)]];
    case "enum": {
      const error = wordError(parameter);
      return words?.includes("1m") === true ? wrongCase("1H", error) : wrongCase(inOtherCase(words?.[0] ?? ""), error);
    }
    default:
      return [];
  }
}

const COUNTED_FAULTS: Special[] = [
  ["zero", "0", "accepted"],
  ["leading zeros", "0001", "accepted"],
  ["huge", "9".repeat(20), "accepted"],
];

const isStored = (name: string): boolean => /(strategy(Id|Type)|trailingDelta)$/i.test(name);

/** The offset of a pegged order. */
function levelFaults(name: string): Special[] {
  return [
    ["zero", "0", invalidData(name)],
    ["greatest", "100", "accepted"],
    ["leading zeros", "0100", "accepted"],
    ["too great", "101", invalidData(name)],
    ["huge", "9".repeat(20), invalidData(name)],
  ];
}

/** Numbers that are stored with the order. */
function storedFaults(name: string): Special[] {
  const tooSmall: Refusal = { code: -1134, msg: "strategyType was less than 1000000." };
  const isType = name.endsWith("Type");
  const zero = /delta$/i.test(name) ? invalidData(name) : "accepted";
  return [
    ["zero", "0", isType ? tooSmall : zero],
    ["one too small", "999999", isType ? tooSmall : "accepted"],
    ["leading zeros", "0001000000", "accepted"],
    ["huge", "9".repeat(20), { code: -1108, msg: `Parameter '${name}' overflowed.` }],
  ];
}

const inOtherCase = (word: string): string => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase());

/** Returns a value in the wrong case. If it has no letters, a space is put in front of it instead. */
const wrongCase = (value: string, expected: Refusal): Special[] => [
  ["wrong case", /[a-z]/i.test(value) ? value : `%20${value}`, expected],
];

function limitFaults(name: string, words: readonly string[] | undefined): Special[] {
  const listed = words !== undefined;
  return [
    ["zero", "0", invalidData(name)],
    ["zeros", "000", invalidData(name)],
    ["over the maximum", "10000", listed ? invalidData(name) : "accepted"],
    ["huge", "9".repeat(20), listed ? invalidData(name) : "accepted"],
    ["between the values of a list", "7", listed ? invalidData(name) : "accepted"],
  ];
}

function amountFaults(name: string): Special[] {
  const zero: Refusal | "accepted" = /icebergQty$/i.test(name) ? "accepted" : { code: -1013, msg: `Invalid ${name}.` };
  return [
    ["zero", "0", zero],
    ["zero with decimals", "0.00000000", zero],
    ["nine decimals", "0.123456789", BAD_PRECISION],
    ["nine decimals and a zero", "0.1234567890", BAD_PRECISION],
    ["nine decimals, all zeros", "1.000000000", "accepted"],
  ];
}

// Faults that concern the entire request.

function wholeRequestCases(endpoint: KnownEndpoint, good: GoodValues): FaultCase[] {
  const all = companions(endpoint, "", good).map(pairText);
  const unread: Refusal | "accepted" = isSigned(endpoint.security) ? { code: -1104 } : "accepted";
  const many = Array.from({ length: 101 }, (_, i) => `p${i}=1`).join("&");
  const tooMany: Refusal = { code: -1101, msg: "Too many parameters sent for this endpoint." };
  const faults: (readonly [fault: string, sent: string, expected: Refusal | "accepted"])[] = [
    ["nothing wrong", "", "accepted"],
    ["stray ampersands", "&&", "accepted"],
    ["unknown", "nonsense=1", unread],
    ["unknown without a name", "=1", unread],
    ["unknown, non-ASCII", "%C3%A9=%C3%A9", unread],
    ["prototype", "__proto__=1", unread],
    ["constructor", "constructor=1", unread],
    ["unknown twice", "nonsense=1&nonsense=2", DUPLICATE],
    ["unknown with half an escape", "nonsense=%4", { code: -1100, msg: "Illegal characters found in a parameter." }],
    ["half an escape in a name", "%4=1", { code: -1100, msg: "Illegal characters found in a parameter." }],
    ["too many", many, tooMany],
    ["JSON", '{"symbol":"BTCUSDT"}', unread],
  ];
  for (const names of endpoint.exclusive ?? []) {
    const sentAnyway = new Set(companions(endpoint, "", good).map(({ name }) => name));
    const pairs = endpoint.parameters
      .filter(({ name }) => names.includes(name) && !sentAnyway.has(name))
      .map((one) => goodPair(one, good));
    faults.push([
      "two that exclude each other",
      join(...pairs.map(pairText)),
      { code: -1128, msg: "Combination of optional parameters invalid." },
    ]);
  }
  return faults.flatMap(([fault, sent, expected]) => {
    const base = { endpoint, fault, parameter: "", expected, omits: [] };
    const inQuery: FaultCase = { ...base, placement: "query", query: join(...all, sent), body: "" };
    const inBody: FaultCase = { ...base, placement: "body", query: "", body: join(...all, sent) };
    return endpoint.method === "GET" ? [inQuery] : [inQuery, inBody];
  });
}

const pairText = ({ name, value }: Pair): string => `${name}=${value}`;
const join = (...pieces: readonly string[]): string => pieces.filter((piece) => piece !== "").join("&");
const otherCase = (name: string, pair: string): string =>
  `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}${pair.slice(name.length)}`;
