/** The settings that all nodes of a cluster must have alike, since what is journaled follows from them. */
import { createHash } from "node:crypto";
import type { Config } from "./config.ts";

const DIGEST_LENGTH = 16;

/** A digest of each, by its name in the file: nodes compare them, and secrets are in none. */
export function sharedSettings({ fees, tradingRules, limits, exchangeFilters, demo }: Config): Record<string, string> {
  const orders = limits.rules.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
  const shared = {
    fees,
    tradingRules,
    "limits.rules": orders,
    "limits.enabled": limits.enabled,
    exchangeFilters,
    demo,
  };
  return Object.fromEntries(Object.entries(shared).map(([name, value]) => [name, digestOf(value)]));
}

function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => (isSection(inner) ? sorted(inner) : inner));
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

function isSection(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of keys in a file means nothing. */
function sorted(section: object): object {
  return Object.fromEntries(Object.entries(section).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
