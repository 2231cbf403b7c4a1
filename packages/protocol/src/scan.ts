/**
 * Scans `name=value&name=value` as received (latin1, one character per byte) in one pass and without regular
 * expressions. Only names and values with an escape are copied.
 */

/** The maximum number of parameters of one request, query and body together. */
export const MAX_PARAMETERS = 100;

export interface Scan {
  /**
   * Decoded names and values. Only the first value of each name counts; the values of a repeatable name are joined by
   * commas.
   */
  readonly values: Map<string, string>;
  count: number;
  hasDuplicates: boolean;
  /**
   * The name of the first parameter that cannot be decoded; "" if the name itself cannot be decoded; null if there is
   * none.
   */
  broken: string | null;
  /** The start of the signature's `name=value` pair in this part; -1 if there is none. */
  signatureStart: number;
  signatureEnd: number;
}

const AMPERSAND = 38;
const PERCENT = 37;
const PLUS = 43;
const NINE = 57;
const EQUALS = 61;

/** `mayRepeat` names the repeatable parameters. Stops after `MAX_PARAMETERS`: see `count`. */
export function scanPart(part: string, mayRepeat: ReadonlySet<string>): Scan {
  const scan: Scan = {
    values: new Map(),
    count: 0,
    hasDuplicates: false,
    broken: null,
    signatureStart: -1,
    signatureEnd: -1,
  };
  const { length } = part;
  let start = 0;
  while (start < length && scan.count <= MAX_PARAMETERS) {
    let equals = -1;
    let nameEscaped = false;
    let escaped = false;
    let at = start;
    for (; at < length; at++) {
      const c = part.charCodeAt(at);
      if (c === AMPERSAND) break;
      if (c === EQUALS && equals === -1) {
        equals = at;
        nameEscaped = escaped;
        escaped = false;
      } else if (c === PERCENT || c === PLUS || c > 127) {
        escaped = true;
      }
    }
    if (at > start) {
      const nameEnd = equals === -1 ? at : equals;
      const name = textOf(part, start, nameEnd, equals === -1 ? escaped : nameEscaped);
      const value = equals === -1 ? "" : textOf(part, equals + 1, at, escaped);
      addPair(scan, name, value, mayRepeat);
      if (name === "signature" && scan.signatureStart === -1) {
        scan.signatureStart = start;
        scan.signatureEnd = at;
      }
    }
    start = at + 1;
  }
  return scan;
}

function addPair(scan: Scan, name: string | null, value: string | null, mayRepeat: ReadonlySet<string>): void {
  scan.count++;
  if (name === null || value === null) {
    scan.broken ??= name ?? "";
    return;
  }
  const before = scan.values.get(name);
  if (before === undefined) scan.values.set(name, value);
  else if (mayRepeat.has(name)) scan.values.set(name, `${before},${value}`);
  else scan.hasDuplicates = true;
}

/** The signed form of the part: the text without the signature's pair and one adjacent `&`. */
export function withoutSignature(part: string, { signatureStart, signatureEnd }: Scan): string {
  if (signatureStart === -1) return part;
  if (signatureStart === 0) return part.slice(signatureEnd + 1);
  return part.slice(0, signatureStart - 1) + part.slice(signatureEnd);
}

function textOf(part: string, start: number, end: number, isEscaped: boolean): string | null {
  const text = part.slice(start, end);
  return isEscaped ? decodeForm(text) : text;
}

/** Decodes percent escapes and plus signs, then UTF-8. Null if either is malformed. */
function decodeForm(text: string): string | null {
  let escaped = "";
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === PLUS) escaped += "%20";
    else if (c < 128) escaped += text[i];
    else if (c < 256) escaped += `%${c.toString(16)}`;
    else return null;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}

/** Escapes of `%`, `&` and `+` anywhere, and of `=` in a name: without its escape, each would parse differently. */
const AMBIGUOUS_ESCAPE = /%2[56Bb]|(?:^|&)[^=&]*%3[Dd]/;

/**
 * A part of a form as some clients sign it: without its escapes, still one character per byte. Null if the text without
 * escapes would parse as other parameters. `part` must be decodable.
 */
export function withoutEscapes(part: string): string | null {
  if (AMBIGUOUS_ESCAPE.test(part)) return null;
  const spaced = part.replaceAll("+", " ");
  let text = "";
  let from = 0;
  for (let at = spaced.indexOf("%"); at !== -1; at = spaced.indexOf("%", from)) {
    text += spaced.slice(from, at);
    text += String.fromCharCode(hexDigit(spaced.charCodeAt(at + 1)) * 16 + hexDigit(spaced.charCodeAt(at + 2)));
    from = at + 3;
  }
  return text + spaced.slice(from);
}

/** The value of a hexadecimal digit. The low bits of the ASCII letters A to F are 1 to 6. */
function hexDigit(code: number): number {
  return (code & 15) + (code > NINE ? 9 : 0);
}
