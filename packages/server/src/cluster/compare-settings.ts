/** Compares a node's settings with those that the journal has for all nodes. docs/decisions/0044. */
import type { SharedSetting } from "@pricetime/engine";

const REMEDY = "Configure that value, or start this node with --adopt-settings while no other node runs";

/** A value that is configured otherwise than it is journaled, as JSON; undefined: it is not there. */
interface ChangedSetting {
  /** For example `fees.takerBps`. */
  readonly path: string;
  readonly own: string | undefined;
  readonly journaled: string | undefined;
}

/** A setting that only one of both releases knows is no difference. */
function changedSettings(
  own: readonly SharedSetting[],
  journaled: readonly SharedSetting[],
): readonly ChangedSetting[] {
  const known = new Map(journaled.map(({ name, value }) => [name, value]));
  return own.flatMap(({ name, value }) => {
    const kept = known.get(name);
    return kept === undefined || kept === value ? [] : changesIn(name, value, kept);
  });
}

/** Returns why a node with these settings cannot be one of the nodes; undefined: it can. */
export function unlikeJournal(own: readonly SharedSetting[], journaled: readonly SharedSetting[]): string | undefined {
  const [first, ...more] = changedSettings(own, journaled);
  if (first === undefined) return undefined;
  const also = more.length === 0 ? "" : ` (and ${more.length} more: ${more.map(({ path }) => path).join(", ")})`;
  return `${first.path} is ${shown(first.own)} on this node, but ${shown(first.journaled)} in the journal, which applies to all nodes${also}. ${REMEDY}`;
}

/** One line for each that changes. */
export function changeLines(own: readonly SharedSetting[], journaled: readonly SharedSetting[]): string[] {
  return changedSettings(own, journaled).map(
    (changed) => `${changed.path} changed from ${shown(changed.journaled)} to ${shown(changed.own)}`,
  );
}

function shown(value: string | undefined): string {
  return value ?? "not set";
}

function changesIn(name: string, own: string, journaled: string): ChangedSetting[] {
  const [here, there] = [leavesOf(name, own), leavesOf(name, journaled)];
  const paths = new Set([...here.keys(), ...there.keys()]);
  return [...paths]
    .map((path) => ({ path, own: here.get(path), journaled: there.get(path) }))
    .filter((changed) => changed.own !== changed.journaled);
}

/** The single values of a setting by their paths. */
function leavesOf(name: string, text: string): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (path: string, value: unknown): void => {
    const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
    if (members.length === 0) leaves.set(path, JSON.stringify(value));
    for (const [key, member] of members) visit(Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, member);
  };
  visit(name, JSON.parse(text));
  return leaves;
}
