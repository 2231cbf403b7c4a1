/**
 * Checks in addition to the model which node may write what: a batch counts once, and commands of a task come from its
 * current owner. Any violation in the log is a finding.
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
  /** The number of commands by owners of a task. */
  acts = 0;
  /** Entries with commands of former owners: the exchange must reject them. */
  readonly lateActs = new Set<number>();
  /** The number of times that a task went to another node. */
  moves = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Returns the command to execute on the exchange; undefined if there is none. */
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

  /** Whether the command must be executed. */
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
 * The result for the whole run: no node executed a command of a former owner, an owner has acted, and each task in
 * `mustMove` was owned by more than one node. `departures` are the indexes of rows that nodes executed differently from
 * their commands.
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
