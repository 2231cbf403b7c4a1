/** Finds the end of an HTTP response byte by byte, without strings, regular expressions or allocations. */

const CR = 13;
const LF = 10;
const ZERO = 48;
const NINE = 57;
/** Converts an ASCII letter to lower case. */
const SMALL = 0x20;
const NAME = Buffer.from("content-length:", "latin1");
const STATUS_AT = "HTTP/1.1 ".length;

export class AnswerHead {
  status = 0;
  headBytes = 0;
  bodyBytes = 0;

  /** Parses the head of the response at the beginning of `bytes`; false if it is incomplete. */
  read(bytes: Uint8Array, length: number): boolean {
    let bodyBytes = -1;
    for (let at = 0; at < length; at++) {
      if (bytes[at] !== LF) continue;
      const next = bytes[at + 1] ?? 0;
      if (at + 2 < length && next === CR && bytes[at + 2] === LF) {
        if (bodyBytes < 0) throw new Error("an answer without its length");
        this.status = digit(bytes, 0) * 100 + digit(bytes, 1) * 10 + digit(bytes, 2);
        this.headBytes = at + 3;
        this.bodyBytes = bodyBytes;
        return true;
      }
      if ((next | SMALL) === NAME[0] && isLength(bytes, at + 1)) bodyBytes = numberAt(bytes, at + 1 + NAME.length);
    }
    return false;
  }
}

const digit = (bytes: Uint8Array, place: number): number => (bytes[STATUS_AT + place] ?? 0) - ZERO;

function isLength(bytes: Uint8Array, from: number): boolean {
  for (let n = 1; n < NAME.length; n++) {
    const byte = bytes[from + n] ?? 0;
    if (byte !== NAME[n] && (byte | SMALL) !== NAME[n]) return false;
  }
  return true;
}

function numberAt(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SMALL) at++;
  let number = 0;
  for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0)
    number = number * 10 + byte - ZERO;
  return number;
}
