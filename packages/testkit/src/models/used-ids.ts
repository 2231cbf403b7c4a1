/** Ids that count once in the model: each with all that its first use said, in plain text. */
import type { RejectReason } from "@pricetime/engine";

interface Use {
  readonly id: string;
  /** Null: used when the rules compared ids alone. */
  readonly contents: string | null;
}

export class ModelUsedIds {
  readonly #uses: Use[] = [];

  /** Null: the id is free. */
  repeat(edition: number, id: string, contents: readonly unknown[]): RejectReason | null {
    const use = this.#uses.find((known) => known.id === id);
    return use === undefined ? null : comparison(edition, use.contents, contents);
  }

  add(edition: number, id: string, contents: readonly unknown[]): void {
    this.#uses.push({ id, contents: edition < 4 ? null : inWords(contents) });
  }

  remove(id: string): void {
    const at = this.#uses.findIndex((known) => known.id === id);
    if (at !== -1) this.#uses.splice(at, 1);
  }
}

/** How a repeat compares with what was said before; null: that was not kept. */
export function comparison(edition: number, before: string | null, contents: readonly unknown[]): RejectReason {
  if (edition < 4) return "ALREADY_EXISTS";
  if (before === null) return "CONTENTS_NOT_KEPT";
  return before === inWords(contents) ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
}

export function inWords(contents: readonly unknown[]): string {
  return JSON.stringify(contents.map(String));
}
