/** Compares nodes of one cluster: settings that differ and releases that cannot work together. docs/decisions/0044. */
import type { NodePosition } from "./port.ts";

type Told = Pick<NodePosition, "node" | "release" | "rules" | "settings">;

/** The newest rules version of releases that do not send theirs. */
const RULES_BEFORE_SENT = 3;

/** Returns a line for the operator when a setting is not that of another node. */
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
 * Returns a node of an older release than this one, or one that does not know this node's rules version: between two
 * releases, builds of the same release number differ in that.
 */
export function olderNode<T extends Told>(
  own: { readonly release: string; readonly rules: number },
  others: readonly T[],
): T | undefined {
  return others.find(({ release, rules = RULES_BEFORE_SENT }) => isOlder(release, own.release) || rules < own.rules);
}

/** Compares `1.2.3`, number by number; what comes after a dash does not count. */
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
