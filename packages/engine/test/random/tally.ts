/** Counts what random histories really contained, so that a test that went empty fails. */
import type { Command } from "@pricetime/engine";
import type { Happening } from "../model/happening.ts";

export class Tally {
  readonly #counts = new Map<string, number>();
  commands = 0;

  count(command: Command, happened: readonly Happening[]): void {
    this.commands++;
    for (const happening of happened) this.#countOne(command, happening);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** One name and count a line, most frequent first. */
  toString(): string {
    const sorted = [...this.#counts].sort((a, b) => b[1] - a[1]);
    return sorted.map(([name, count]) => `${count} ${name}`).join("\n");
  }

  #countOne(command: Command, happening: Happening): void {
    this.#add(happening.kind);
    if (happening.kind === "refused") this.#add(`refused ${happening.reason}`);
    if (happening.kind === "ended") this.#add(`${happening.status}${happening.executed > 0n ? " after fills" : ""}`);
    if (happening.kind === "traded") this.#add(`maker ${happening.maker.status}`);
    if (command.type !== "placeOrder" || happening.kind === "refused") return;
    this.#add(`${happening.kind} ${command.side} ${command.orderType} ${command.timeInForce}`);
    if (command.quoteOrderQty > 0n) this.#add(`${happening.kind} by quote ${command.side}`);
    if (command.icebergLots > 0) this.#add(`${happening.kind} iceberg`);
  }

  #add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }
}
