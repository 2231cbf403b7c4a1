/** Places in JSON text, named in errors of the control messages. Interface 10.2. */

/** Counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const SPACE = " \t\n\r";
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** Values nested deeper than this are skipped. */
const MOST_NESTED = 100;

class Walk {
  readonly #text: string;
  readonly #member: string;
  #at = 0;
  /** Start and end of the wanted member's value in the outermost object; -1: not found. */
  memberStart = -1;
  memberEnd = -1;

  constructor(text: string, member: string) {
    this.#text = text;
    this.#member = JSON.stringify(member);
  }

  /** Index at which the text stops being JSON; -1: nowhere. */
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

/** The first character that cannot stand where it does, or the last one of a text that ends too early. */
export function badPlace(text: string): Place {
  const at = new Walk(text, "").badAt();
  return placeOf(text, at === -1 ? text.length : Math.min(at + 1, text.length));
}

/** The last character of the value of the outermost object's member; without the member, the text's last character. */
export function memberPlace(text: string, member: string): Place {
  const walk = new Walk(text, member);
  walk.badAt();
  return placeOf(text, walk.memberEnd === -1 ? text.trimEnd().length : walk.memberEnd);
}

/** The value of the outermost object's member as written; "" when it is absent or too deeply nested. */
export function memberText(text: string, member: string): string {
  const walk = new Walk(text, member);
  walk.badAt();
  return walk.memberEnd === -1 ? "" : text.slice(walk.memberStart, walk.memberEnd);
}

/** The place of the character before `end`. */
function placeOf(text: string, end: number): Place {
  const before = text.slice(0, end);
  const line = before.split("\n").length;
  return { line, column: end - (before.lastIndexOf("\n") + 1) };
}
