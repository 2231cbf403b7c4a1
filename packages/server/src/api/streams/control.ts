/** Control messages: parses a client's requests on an open socket and builds the error responses. Interface 10.2. */

// Positions in JSON text that error messages report. Interface 10.2.

/** Line and column, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const SPACE = " \t\n\r";
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** Maximum nesting depth of the JSON. Deeper texts are rejected. */
const MOST_NESTED = 100;

class Walk {
  readonly #text: string;
  readonly #member: string;
  #at = 0;
  /** Start and end of the requested member's value in the outermost object; -1 if it was not found. */
  memberStart = -1;
  memberEnd = -1;

  constructor(text: string, member: string) {
    this.#text = text;
    this.#member = JSON.stringify(member);
  }

  /** The index at which the text stops being valid JSON; -1 if the text is valid. */
  badAt(): number {
    return this.#value(0) && this.#isAtEnd() ? -1 : this.#at;
  }

  #isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  #value(depth: number): boolean {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === "{") return depth < MOST_NESTED && this.#items("}", () => this.#pair(depth));
    if (first === "[") return depth < MOST_NESTED && this.#items("]", () => this.#value(depth + 1));
    return this.#take(first === '"' ? STRING : SCALAR);
  }

  #items(close: string, item: () => boolean): boolean {
    this.#at++;
    if (this.#mark(close)) return true;
    do {
      if (!item()) return false;
    } while (this.#mark(","));
    return this.#mark(close);
  }

  #pair(depth: number): boolean {
    this.#skipSpace();
    const start = this.#at;
    if (!this.#take(STRING)) return false;
    const isMember = depth === 0 && this.#text.slice(start, this.#at) === this.#member;
    if (!this.#mark(":")) return false;
    this.#skipSpace();
    const valueStart = this.#at;
    if (!this.#value(depth + 1)) return false;
    if (isMember) [this.memberStart, this.memberEnd] = [valueStart, this.#at];
    return true;
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && SPACE.includes(this.#text[this.#at] as string)) this.#at++;
  }

  #mark(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}

/** The position of the first invalid character, or of the last character if the text ends too early. */
export function badPlace(text: string): Place {
  const at = new Walk(text, "").badAt();
  return placeOf(text, at === -1 ? text.length : Math.min(at + 1, text.length));
}

/**
 * The position of the last character of the member's value in the outermost object; if the member is absent, of the
 * text's last character.
 */
export function memberPlace(text: string, member: string): Place {
  const walk = new Walk(text, member);
  walk.badAt();
  return placeOf(text, walk.memberEnd === -1 ? text.trimEnd().length : walk.memberEnd);
}

/** The member's value in the outermost object, as written; "" if it is absent or nested too deeply. */
function memberText(text: string, member: string): string {
  const walk = new Walk(text, member);
  walk.badAt();
  return walk.memberEnd === -1 ? "" : text.slice(walk.memberStart, walk.memberEnd);
}

/** The position of the character before `end`. */
function placeOf(text: string, end: number): Place {
  const before = text.slice(0, end);
  const line = before.split("\n").length;
  return { line, column: end - (before.lastIndexOf("\n") + 1) };
}

export type ControlRequest =
  /** `id` is JSON text, which the response repeats. */
  | { readonly method: "SUBSCRIBE" | "UNSUBSCRIBE"; readonly id: string; readonly names: readonly string[] }
  | { readonly method: "LIST_SUBSCRIPTIONS" | "GET_PROPERTY"; readonly id: string }
  | { readonly method: "SET_PROPERTY"; readonly id: string; readonly isCombined: boolean };

/** `error` is the text of the response. */
export interface ControlError {
  readonly error: string;
}

type Method = ControlRequest["method"];
const METHODS: readonly Method[] = ["SUBSCRIBE", "UNSUBSCRIBE", "LIST_SUBSCRIPTIONS", "SET_PROPERTY", "GET_PROPERTY"];
/** Methods that clients may call without an id, if they do not wait for the response. */
const MAY_HAVE_NO_ID: readonly Method[] = ["SUBSCRIBE", "UNSUBSCRIBE"];
const PROPERTY = "combined";

export function readControl(text: string): ControlRequest | ControlError {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    const { line, column } = badPlace(text);
    return failure(3, `Invalid JSON: expected value at line ${line} column ${column}`);
  }
  const fields = (typeof message === "object" && message !== null ? message : {}) as Readonly<Record<string, unknown>>;
  const { method, params } = fields;
  if (method === undefined || Array.isArray(message)) return missingField(text, "method");
  if (!METHODS.includes(method as Method)) return unknownMethod(text, method);
  const mayHaveNone = fields["id"] === undefined && MAY_HAVE_NO_ID.includes(method as Method);
  const id = mayHaveNone ? "null" : idOf(fields["id"], text);
  if (id === null) return invalid("request ID must be an unsigned integer");
  switch (method as Method) {
    case "SUBSCRIBE":
    case "UNSUBSCRIBE":
      return readNames(text, method as "SUBSCRIBE" | "UNSUBSCRIBE", id, params);
    case "LIST_SUBSCRIPTIONS":
      return listOf(params).length > 0 ? TOO_MANY : { method: "LIST_SUBSCRIPTIONS", id };
    case "GET_PROPERTY":
      return readProperty(listOf(params), 1, id) ?? { method: "GET_PROPERTY", id };
    case "SET_PROPERTY":
      return readSetting(listOf(params), id);
  }
}

export function resultBody(result: string, id: string): string {
  return `{"result":${result},"id":${id}}`;
}

/**
 * The error for a request that would exceed the maximum number of streams per connection. No part of the request was
 * carried out.
 */
export function tooManyStreams(id: string, limit: number): string {
  return `{"code":2,"msg":"Invalid request: at most ${limit} streams on a connection","id":${id}}`;
}

/** The error for a request with a stream that can never have a message. No part of the request was carried out. */
export function noSuchStream(id: string, name: string): string {
  const msg = JSON.stringify(`Invalid request: ${unknownStream(name)}`);
  return `{"code":2,"msg":${msg},"id":${id}}`;
}

const MAX_NAME_SHOWN = 100;

/** The reason of a close frame, at most 123 bytes. */
export function unknownStream(name: string): string {
  const isPlain = /^[ -~]+$/.test(name) && name.length <= MAX_NAME_SHOWN;
  return isPlain ? `no such stream: ${name}` : "no such stream";
}

function readNames(
  text: string,
  method: "SUBSCRIBE" | "UNSUBSCRIBE",
  id: string,
  params: unknown,
): ControlRequest | ControlError {
  if (params === undefined) return missingField(text, "params");
  const names = listOf(params);
  if (!Array.isArray(params) || !names.every((name) => typeof name === "string")) {
    return invalid("stream name must be a string");
  }
  return { method, id, names };
}

function readSetting(params: readonly unknown[], id: string): ControlRequest | ControlError {
  const wrong = readProperty(params, 2, id);
  if (wrong !== undefined) return wrong;
  const [, value] = params;
  if (typeof value !== "boolean") return failure(1, "Invalid value type: expected Boolean");
  return { method: "SET_PROPERTY", id, isCombined: value };
}

function readProperty(params: readonly unknown[], most: number, id: string): ControlError | undefined {
  const [name] = params;
  if (typeof name !== "string") return invalid("property name must be a string");
  if (params.length > most) return TOO_MANY;
  if (name !== PROPERTY) return { error: `{"code":0,"msg":"Unknown property","id":${id}}` };
  return undefined;
}

function listOf(params: unknown): readonly unknown[] {
  if (params === undefined || params === null) return [];
  return Array.isArray(params) ? params : [params];
}

const UNSIGNED = /^[0-9]{1,20}$/;
const SIGNED = /^-[0-9]{1,19}$/;
const MOST_ID_LENGTH = 36;

/**
 * The id as JSON, with its digits as sent; null if it is invalid. Later clients also send strings, negative numbers and
 * null.
 */
function idOf(id: unknown, text: string): string | null {
  if (id === null) return "null";
  if (typeof id === "string") return id.length <= MOST_ID_LENGTH ? JSON.stringify(id) : null;
  if (typeof id !== "number") return null;
  const digits = memberText(text, "id");
  return UNSIGNED.test(digits) || SIGNED.test(digits) ? digits : null;
}

const TOO_MANY = invalid("too many parameters");

function missingField(text: string, field: string): ControlError {
  const { line, column } = memberPlace(text, "");
  return invalid(`missing field \`${field}\` at line ${line} column ${column}`);
}

function unknownMethod(text: string, method: unknown): ControlError {
  const { line, column } = memberPlace(text, "method");
  const said = typeof method === "string" ? method : kindOf(method);
  const expected = METHODS.map((name) => `\`${name}\``).join(", ");
  return invalid(`unknown variant ${said}, expected one of ${expected} at line ${line} column ${column}`);
}

/** Objects and arrays are reported only by their kind, because they may be nested too deeply to be serialized. */
function kindOf(method: unknown): string {
  if (Array.isArray(method)) return "sequence";
  return typeof method === "object" && method !== null ? "map" : String(method);
}

function invalid(what: string): ControlError {
  return failure(2, `Invalid request: ${what}`);
}

function failure(code: number, msg: string): ControlError {
  return { error: JSON.stringify({ code, msg }) };
}
