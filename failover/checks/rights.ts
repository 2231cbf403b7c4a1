/**
 * Who may write what, kept beside the model: a batch counts once, and what one holder at a time may do comes from the
 * holder. Everything in the log that breaks this is a finding.
 */
import type { Command } from "@pricetime/engine";
import type { Findings } from "./findings.ts";
import type { LoggedRow } from "./log.ts";

interface Writer {
  readonly incarnation: string;
  readonly number: number;
}

type Act = Extract<Command, { type: "asHolder" }>;
type Grant = Extract<Command, { type: "grantRole" }>;

export class Rights {
  readonly #findings: Findings;
  readonly #writers = new Map<string, Writer>();
  readonly #grants = new Map<string, Grant[]>();
  /** Acts of those who held their right. */
  acts = 0;
  /** Entries with acts of holders that had been replaced: the exchange must refuse them. */
  readonly lateActs = new Set<number>();
  /** Grants to another node than the one before. */
  moves = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Returns the command that is to be carried out on the exchange; undefined: none. */
  commandOf(seq: number, node: string, command: Command): Command | undefined {
    switch (command.type) {
      case "nodeBatch":
        this.#batch(seq, node, command);
        return undefined;
      case "grantRole":
        this.#grant(command);
        return undefined;
      case "asHolder":
        return this.#act(seq, node, command) ? command.command : undefined;
      default:
        return command;
    }
  }

  #grant(grant: Grant): void {
    const given = this.#grants.get(grant.role) ?? [];
    if (given.length !== grant.after) return;
    const last = given.at(-1);
    if (last !== undefined && last.node !== grant.node) this.moves++;
    this.#grants.set(grant.role, [...given, grant]);
  }

  /** Whether the act is to be carried out. */
  #act(seq: number, node: string, { role, number }: Act): boolean {
    const given = this.#grants.get(role) ?? [];
    const grant = given[number - 1];
    const by = `${node}/${this.#writers.get(node)?.incarnation}`;
    const holder = `${grant?.node}/${grant?.incarnation}`;
    if (grant === undefined) this.#findings.add("rights", `entry ${seq}: ${role} has no grant ${number}`);
    else if (by !== holder)
      this.#findings.add(
        "rights",
        `entry ${seq}: a command of ${by} with grant ${number} of ${role}, which belongs to ${holder}`,
      );
    if (number !== given.length) {
      this.lateActs.add(seq);
      return false;
    }
    this.acts++;
    return true;
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

/**
 * What became of the rights in the whole run: no node carried out an act of a holder that had been replaced, somebody has
 * acted as holder, and, where a right `mustMove`, another node has. `departures`: rows, by their place, that nodes carried
 * out otherwise than their commands say.
 */
export function checkRights(
  rights: Rights,
  rows: readonly Pick<LoggedRow, "firstSeq" | "count">[],
  departures: Iterable<number>,
  mustMove: boolean,
  findings: Findings,
): void {
  for (const at of departures) {
    const { firstSeq, count } = rows[at] as LoggedRow;
    const late = [...rights.lateActs].find((seq) => seq >= firstSeq && seq < firstSeq + count);
    if (late !== undefined) findings.add("rights", `entry ${late}: a command of a replaced task owner was carried out`);
  }
  if (rights.acts === 0) findings.add("rights", "no task owner has sent a command");
  if (mustMove && rights.moves === 0) findings.add("rights", "no task has moved to another node");
}
