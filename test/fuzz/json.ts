/** JSON that programs get wrong, alone and in place of a part of something sound. */
import type { Dice } from "@pricetime/testkit/dice";
import { HOSTILE, oneIn, pick } from "./target.ts";

const ODD: readonly unknown[] = [null, true, false, 0, -1, 1.5, 1e21, 1e-9, 2 ** 53, -0, [], {}, [[]], [null]];
const NAMES = ["__proto__", "constructor", "toString", "by", "type", "act", "accountId", "x", ""];
const DEEPEST = 3;

export function hostileJson(random: Dice, depth = 0): unknown {
  const choice = random.below(8);
  if (choice < 3) return pick(random, HOSTILE);
  if (choice < 6 || depth > DEEPEST) return pick(random, ODD);
  if (choice === 6) return Array.from({ length: random.below(4) }, () => hostileJson(random, depth + 1));
  const names = Array.from({ length: random.below(4) }, () => pick(random, NAMES));
  // Not by assignment, which would set the prototype.
  return Object.fromEntries(names.map((name) => [name, hostileJson(random, depth + 1)]));
}

/** A copy with one of its parts, at any depth, made anything, taken out, or added. */
export function spoilt(random: Dice, value: unknown): unknown {
  if (typeof value !== "object" || value === null || oneIn(random, 8)) return hostileJson(random);
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return value.toSpliced(at, 1, spoilt(random, value[at]));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [name, inner] = entries[at] ?? [pick(random, NAMES), undefined];
  if (oneIn(random, 5)) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.toSpliced(at, 1, [name, spoilt(random, inner)]));
}

/** As it is sent: sometimes cut, or with bytes that no JSON has. */
export function sentJson(random: Dice, value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  if (!oneIn(random, 12)) return text;
  const at = random.below(text.length + 1);
  return pick(random, [text.slice(0, at), `${text.slice(0, at)}\u00ff{${text.slice(at)}`, `${text}${text}`]);
}
