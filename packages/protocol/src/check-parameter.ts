/**
 * Checks of single parameters, prepared once for each endpoint from the endpoint table, and the accessors that turn
 * parameter values into numbers and lists.
 */
import { type Endpoint, needsSignature, type Parameter, type ParameterKind } from "./endpoint.ts";
import {
  type ApiError,
  DUPLICATE_SYMBOLS,
  illegalCharacters,
  invalidData,
  invalidWord,
  overflowed,
  tooManyValues,
} from "./errors.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  DURATION_PATTERN,
  INTEGER_PATTERN,
  isClientOrderId,
  isDecimal,
  isDuration,
  isEd25519Signature,
  isInteger,
  isListenKey,
  isRsaSignature,
  isSignature,
  isSymbol,
  isSymbolList,
  isText,
  LISTEN_KEY_PATTERN,
  SIGNATURE_PATTERN,
  SYMBOL_PATTERN,
  SYMBOLS_PATTERN,
  TEXT_PATTERN,
} from "./patterns.ts";
import { timeZoneOffset, windowSizeMs } from "./shapes/kline-interval.ts";

type Values = ReadonlyMap<string, string>;

/** Undefined if the parameter was not sent. An integer above `Number.MAX_SAFE_INTEGER` is reduced to it. */
export function integerOf(values: Values, name: string): number | undefined {
  const text = values.get(name);
  return text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** Times from this one on are microseconds: as milliseconds, they would be after the year 5000. */
const LEAST_MICROSECONDS = 1e14;

/**
 * The milliseconds of a time; undefined if it was not sent. `round` converts a time between two milliseconds: down for
 * the end of a range, up for its start.
 */
export function timeOf(values: Values, name: string, round = Math.floor): number | undefined {
  const time = integerOf(values, name);
  return time === undefined || time < LEAST_MICROSECONDS ? time : round(time / 1000);
}

/** The `limit` of a list request: the value sent, reduced to the endpoint's maximum, or the endpoint's default. */
export function limitOf(endpoint: Endpoint, values: Values): number {
  const parameter = endpoint.parameters.find(({ name }) => name === "limit");
  if (parameter === undefined) throw new Error(`${endpoint.id} has no limit`);
  const max = parameter.max ?? Number.MAX_SAFE_INTEGER;
  return Math.min(max, Number(values.get(parameter.name) ?? parameter.default ?? max));
}

/** The symbols of a `symbols` parameter that has passed its check. */
export function symbolsOf(text: string): readonly string[] {
  return text === "[]" ? [] : text.slice(2, -2).split('","');
}

interface Range {
  readonly pattern: string;
  readonly test: (text: string) => boolean;
}

const INTEGER: Range = { pattern: INTEGER_PATTERN, test: isInteger };
const TEXT: Range = { pattern: TEXT_PATTERN, test: isText };

/**
 * The range that -1100 prints for each kind of parameter. Kinds for which only listed values are legal have no range.
 */
const RANGES: Readonly<Partial<Record<ParameterKind, Range>>> = {
  symbol: { pattern: SYMBOL_PATTERN, test: isSymbol },
  symbols: { pattern: SYMBOLS_PATTERN, test: isSymbolList },
  string: TEXT,
  timeZone: TEXT,
  windowSize: TEXT,
  decimal: { pattern: DECIMAL_PATTERN, test: isDecimal },
  integer: INTEGER,
  time: INTEGER,
  duration: { pattern: DURATION_PATTERN, test: isDuration },
  limit: INTEGER,
  clientOrderId: { pattern: CLIENT_ORDER_ID_PATTERN, test: isClientOrderId },
  listenKey: { pattern: LISTEN_KEY_PATTERN, test: isListenKey },
  signature: {
    pattern: SIGNATURE_PATTERN,
    test: (text) => isSignature(text) || isEd25519Signature(text) || isRsaSignature(text),
  },
};

export interface ParameterCheck {
  readonly name: string;
  readonly required: boolean;
  readonly repeated: boolean;
  /** If true, `order-request.ts` checks later whether the value may be empty. */
  readonly conditional: boolean;
  /** See `Parameter.replacedBy`. */
  readonly replacedBy: string | undefined;
  /** Tests the range; null for enumerations. */
  readonly test: ((text: string) => boolean) | null;
  /** The -1100 error. */
  readonly illegal: ApiError;
  /** Returns the error for a value in range that is not allowed; null for kinds that allow all. */
  readonly wrongValue: ((text: string) => ApiError | null) | null;
}

export interface EndpointChecks {
  readonly parameters: readonly ParameterCheck[];
  readonly byName: ReadonlyMap<string, ParameterCheck>;
  readonly mayRepeat: ReadonlySet<string>;
  readonly isSigned: boolean;
}

/** The parameters that signed endpoints accept besides their own. Interface 5.5, 5.6. */
export const SIGNED_PARAMETERS: readonly Parameter[] = [
  {
    name: "recvWindow",
    kind: "duration",
    required: false,
    default: "5000",
    note: "Milliseconds with up to 3 decimals, at most 60000.",
  },
  { name: "timestamp", kind: "time", required: true, note: "Milliseconds or microseconds." },
  {
    name: "signature",
    kind: "signature",
    required: true,
    note: "HMAC SHA256, hex; of Ed25519 and RSA keys the signature, base64.",
  },
];

/** The parameters of a signed endpoint on a connection that is logged on: all of the above except the signature. */
const PARAMETERS_ONCE_LOGGED_ON = SIGNED_PARAMETERS.filter(({ kind }) => kind !== "signature");

const CHECKS = new WeakMap<Endpoint, EndpointChecks>();
const CHECKS_ONCE_LOGGED_ON = new WeakMap<Endpoint, EndpointChecks>();

export function checksOf(endpoint: Endpoint, isLoggedOn = false): EndpointChecks {
  const known = isLoggedOn ? CHECKS_ONCE_LOGGED_ON : CHECKS;
  let checks = known.get(endpoint);
  if (checks === undefined) {
    checks = makeChecks(endpoint, isLoggedOn ? PARAMETERS_ONCE_LOGGED_ON : SIGNED_PARAMETERS);
    known.set(endpoint, checks);
  }
  return checks;
}

function makeChecks(endpoint: Endpoint, ofSigned: readonly Parameter[]): EndpointChecks {
  const { parameters: own } = endpoint;
  const isSigned = needsSignature(endpoint);
  const parameters = (isSigned ? [...own, ...ofSigned] : own).map(checkOf);
  return {
    parameters,
    byName: new Map(parameters.map((check) => [check.name, check])),
    mayRepeat: new Set(parameters.filter(({ repeated }) => repeated).map(({ name }) => name)),
    isSigned,
  };
}

function checkOf(parameter: Parameter): ParameterCheck {
  const { name, required } = parameter;
  const repeated = parameter.repeated === true;
  const range = RANGES[parameter.kind];
  const test = range?.test ?? null;
  return {
    name,
    required,
    repeated,
    conditional: parameter.conditional === true,
    replacedBy: parameter.replacedBy,
    test: test !== null && repeated ? (text) => text.split(",").every(test) : test,
    illegal: illegalCharacters(name, range?.pattern ?? (parameter.words ?? BOOLEANS).join("|")),
    wrongValue: wrongValueOf(parameter),
  };
}

const BOOLEANS = ["true", "false"];

function wrongValueOf({ name, kind, words, wrongWord, max, least }: Parameter): ParameterCheck["wrongValue"] {
  const wrong = wrongWord === undefined ? invalidData(name) : invalidWord(wrongWord, name);
  switch (kind) {
    case "enum":
      return wordCheck(words ?? [], wrong);
    case "boolean":
      return wordCheck(BOOLEANS, wrong);
    case "limit":
      return words === undefined ? (text) => (Number(text) === 0 ? wrong : null) : wordCheck(words, wrong);
    case "symbols":
      return symbolListCheck(name, wrong, max);
    case "timeZone":
      return (text) => (timeZoneOffset(text) === null ? wrong : null);
    case "windowSize":
      return (text) => (windowSizeMs(text) === null ? wrong : null);
    case "integer":
      return least === undefined ? null : storedCheck(name, least, max, wrong);
    default:
      return null;
  }
}

function wordCheck(words: readonly string[], wrong: ApiError): (text: string) => ApiError | null {
  const set = new Set(words);
  return (text) => (set.has(text) ? null : wrong);
}

function storedCheck(name: string, least: number, max = Infinity, wrong: ApiError): (text: string) => ApiError | null {
  const tooLarge = overflowed(name);
  return (text) => {
    const value = Number(text);
    if (value < least || value > max) return wrong;
    return value < Number.MAX_SAFE_INTEGER ? null : tooLarge;
  };
}

/** A list must have at least one symbol, at most `max`, and each symbol only once. */
function symbolListCheck(name: string, wrong: ApiError, max = Infinity): (text: string) => ApiError | null {
  return (text) => {
    const symbols = symbolsOf(text);
    if (symbols.length === 0) return wrong;
    if (symbols.length > max) return tooManyValues(name, max);
    return new Set(symbols).size === symbols.length ? null : DUPLICATE_SYMBOLS;
  };
}
