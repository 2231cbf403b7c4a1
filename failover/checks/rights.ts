/**
 * Who may write what, kept beside the model: a batch counts once, and what one holder at a time may do comes from the
 * holder. Everything in the log that breaks this is a finding.
 */
import type { Command } from "@pricetime/engine";
import type { Findings } from "./findings.ts";

interface Writer {
  readonly incarnation: string;
  readonly number: number;
}

export class Rights {
  readonly #findings: Findings;
  readonly #writers = new Map<string, Writer>();
  readonly #grants = new Map<string, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Returns the command that is to be carried out on the exchange; undefined: none. */
  commandOf(seq: number, node: string, command: Command): Command | undefined {
    switch (command.type) {
      case "nodeBatch":
        this.#batch(seq, node, command);
        return undefined;
      case "grantRole": {
        const granted = this.#grants.get(command.role) ?? 0;
        if (granted === command.after) this.#grants.set(command.role, granted + 1);
        return undefined;
      }
      case "asHolder":
        return (this.#grants.get(command.role) ?? 0) === command.number ? command.command : undefined;
      default:
        return command;
    }
  }

  #batch(seq: number, node: string, header: Command & { readonly type: "nodeBatch" }): void {
    const { incarnation, replaces, number } = header;
    const last = this.#writers.get(header.node);
    const isNext = last?.incarnation === incarnation && number > last.number;
    const isFirst = last?.incarnation !== incarnation && replaces === (last?.incarnation ?? "");
    if (header.node !== node) this.#findings.add("log", `entry ${seq} is of ${header.node} in a row of ${node}`);
    if (!isNext && !isFirst) {
      const was = last === undefined ? "none" : `${last.incarnation}/${last.number}`;
      this.#findings.add("log", `entry ${seq}: batch ${node}/${incarnation}/${number} comes after ${was}`);
    }
    this.#writers.set(header.node, { incarnation, number });
  }
}
