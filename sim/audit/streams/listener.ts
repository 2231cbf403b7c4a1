/** A subscriber of one stream, which checks its messages. */
import type { AuditedEntry } from "../entry.ts";

// Bodies have any shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface Listener {
  /** An entry is public; its messages follow. */
  entry?(entry: AuditedEntry): void;
  message(message: Json): void;
  /** There was no activity for long: all messages must have arrived. */
  quiet(): void;
}

export type Fail = (what: string) => void;

/** The messages that must arrive, in order and once each. */
export class Expected {
  readonly #what: string;
  readonly #fail: Fail;
  readonly #due: Readonly<Record<string, unknown>>[] = [];

  constructor(what: string, fail: Fail) {
    this.#what = what;
    this.#fail = fail;
  }

  /** The fields to compare. */
  add(message: Readonly<Record<string, unknown>>): void {
    this.#due.push(message);
  }

  came(message: Json): void {
    const due = this.#due.shift();
    if (due === undefined) this.#fail(`${this.#what}: nothing was to come, and there is ${JSON.stringify(message)}`);
    else differing(this.#what, due, message, this.#fail);
  }

  quiet(): void {
    const [first] = this.#due;
    if (first !== undefined) this.#fail(`${this.#what}: ${JSON.stringify(first)} never came`);
  }
}

export function differing(what: string, due: Readonly<Record<string, unknown>>, message: Json, fail: Fail): void {
  for (const [name, value] of Object.entries(due)) {
    if (message[name] === value) continue;
    fail(`${what}: ${name} must be ${String(value)} in ${JSON.stringify(message)}`);
    return;
  }
}
