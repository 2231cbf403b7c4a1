/**
 * Compares nodes of a cluster: detects settings that differ from another node's or from the journal's, and releases
 * that cannot work together. docs/decisions/0044.
 */
import type { NodePosition } from "./port.ts";
import type { SharedSetting } from "@pricetime/engine";

type Told = Pick<NodePosition, "node" | "release" | "rules" | "settings">;

/** The newest rules version of releases that do not publish theirs. */
const RULES_BEFORE_SENT = 3;

/** Returns a line for the operator if a setting differs from another node's. */
export function differingSetting(own: Readonly<Record<string, string>>, others: readonly Told[]): string | undefined {
  for (const { node, settings = {} } of others) {
    const name = Object.keys(own).find((key) => settings[key] !== undefined && settings[key] !== own[key]);
    if (name !== undefined) {
      return `${name} differs from the setting of node ${node}. Set it to the same value on all nodes of the cluster`;
    }
  }
  return undefined;
}

/**
 * Finds a node that has an older release than this one, or does not support this node's rules version. Builds with the
 * same number may support different versions before a release.
 */
export function olderNode<T extends Told>(
  own: { readonly release: string; readonly rules: number },
  others: readonly T[],
): T | undefined {
  return others.find(({ release, rules = RULES_BEFORE_SENT }) => isOlder(release, own.release) || rules < own.rules);
}

/** Compares versions such as `1.2.3` number by number, ignoring everything after a dash. */
function isOlder(release: string, than: string): boolean {
  const [own, other] = [numbersOf(release), numbersOf(than)];
  for (let at = 0; at < Math.max(own.length, other.length); at++) {
    const [a = 0, b = 0] = [own[at], other[at]];
    if (a !== b) return a < b;
  }
  return false;
}

function numbersOf(release: string): number[] {
  return (release.split("-")[0] ?? "").split(".").map(Number);
}

const REMEDY = "Configure that value, or start this node with --adopt-settings while no other node runs";

/** A value that differs between the configuration and the journal, as JSON; undefined if it is not set. */
interface ChangedSetting {
  /** The path of the value, such as `fees.takerBps`. */
  readonly path: string;
  readonly own: string | undefined;
  readonly journaled: string | undefined;
}

/** The values that differ. A setting that only one of the releases has does not count as different. */
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

/** Returns why a node with these settings cannot join the cluster; undefined if it can. */
export function unlikeJournal(own: readonly SharedSetting[], journaled: readonly SharedSetting[]): string | undefined {
  const [first, ...more] = changedSettings(own, journaled);
  if (first === undefined) return undefined;
  const also = more.length === 0 ? "" : ` (and ${more.length} more: ${more.map(({ path }) => path).join(", ")})`;
  return `${first.path} is ${shown(first.own)} on this node, but ${shown(first.journaled)} in the journal, which applies to all nodes${also}. ${REMEDY}`;
}

/** Returns one line per changed value. */
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

/** The leaf values of a setting by path. */
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
