/** The checks of single parameters, made ready from the table once an endpoint. */
import { type Endpoint, isSigned, type Parameter, type ParameterKind } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  INTEGER_PATTERN,
  isClientOrderId,
  isDecimal,
  isInteger,
  isListenKey,
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
import { DUPLICATE_VALUES, illegalCharacters, invalidData, invalidWord } from "./refusals.ts";
import { symbolsOf } from "./sent-values.ts";

interface Range {
  readonly pattern: string;
  readonly test: (text: string) => boolean;
}

const INTEGER: Range = { pattern: INTEGER_PATTERN, test: isInteger };

/** What is absent has no range: its words decide. */
const RANGES: Readonly<Partial<Record<ParameterKind, Range>>> = {
  symbol: { pattern: SYMBOL_PATTERN, test: isSymbol },
  symbols: { pattern: SYMBOLS_PATTERN, test: isSymbolList },
  string: { pattern: TEXT_PATTERN, test: isText },
  decimal: { pattern: DECIMAL_PATTERN, test: isDecimal },
  integer: INTEGER,
  limit: INTEGER,
  clientOrderId: { pattern: CLIENT_ORDER_ID_PATTERN, test: isClientOrderId },
  listenKey: { pattern: LISTEN_KEY_PATTERN, test: isListenKey },
  signature: { pattern: SIGNATURE_PATTERN, test: isSignature },
};

export interface ParameterCheck {
  readonly name: string;
  readonly required: boolean;
  readonly repeated: boolean;
  /** Its emptiness is judged later. */
  readonly conditional: boolean;
  /** Null for enumerations. */
  readonly test: ((text: string) => boolean) | null;
  /** -1100. */
  readonly illegal: ApiError;
  /** The error of a value in range that is none of those allowed; null for kinds that allow all. */
  readonly wrongValue: ((text: string) => ApiError | null) | null;
}

export interface EndpointChecks {
  readonly parameters: readonly ParameterCheck[];
  readonly byName: ReadonlyMap<string, ParameterCheck>;
  readonly mayRepeat: ReadonlySet<string>;
  readonly isSigned: boolean;
}

/** What signed endpoints take besides their own. Interface 5.5, 5.6. */
export const SIGNED_PARAMETERS: readonly Parameter[] = [
  { name: "recvWindow", kind: "integer", required: false, default: "5000", note: "Milliseconds, at most 60000." },
  { name: "timestamp", kind: "integer", required: true, note: "Milliseconds." },
  { name: "signature", kind: "signature", required: true, note: "HMAC SHA256, hex." },
];

const CHECKS = new WeakMap<Endpoint, EndpointChecks>();

export function checksOf(endpoint: Endpoint): EndpointChecks {
  let checks = CHECKS.get(endpoint);
  if (checks === undefined) {
    checks = makeChecks(endpoint);
    CHECKS.set(endpoint, checks);
  }
  return checks;
}

function makeChecks({ security, parameters: own }: Endpoint): EndpointChecks {
  const parameters = (isSigned(security) ? [...own, ...SIGNED_PARAMETERS] : own).map(checkOf);
  return {
    parameters,
    byName: new Map(parameters.map((check) => [check.name, check])),
    mayRepeat: new Set(parameters.filter(({ repeated }) => repeated).map(({ name }) => name)),
    isSigned: isSigned(security),
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
    test: test !== null && repeated ? (text) => text.split(",").every(test) : test,
    illegal: illegalCharacters(name, range?.pattern ?? (parameter.words ?? BOOLEANS).join("|")),
    wrongValue: wrongValueOf(parameter),
  };
}

const BOOLEANS = ["true", "false"];

function wrongValueOf({ name, kind, words, wrongWord }: Parameter): ParameterCheck["wrongValue"] {
  const wrong = wrongWord === undefined ? invalidData(name) : invalidWord(wrongWord, name);
  switch (kind) {
    case "enum":
      return wordCheck(words ?? [], wrong);
    case "boolean":
      return wordCheck(BOOLEANS, wrong);
    case "limit":
      return words === undefined ? (text) => (Number(text) === 0 ? wrong : null) : wordCheck(words, wrong);
    case "symbols":
      return symbolListCheck(wrong);
    default:
      return null;
  }
}

function wordCheck(words: readonly string[], wrong: ApiError): (text: string) => ApiError | null {
  const set = new Set(words);
  return (text) => (set.has(text) ? null : wrong);
}

/** A list names at least one symbol, and none twice. */
function symbolListCheck(wrong: ApiError): (text: string) => ApiError | null {
  return (text) => {
    const symbols = symbolsOf(text);
    if (symbols.length === 0) return wrong;
    return new Set(symbols).size === symbols.length ? null : DUPLICATE_VALUES;
  };
}
