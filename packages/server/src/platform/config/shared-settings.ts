/** The settings that all nodes of a cluster must have alike, since what is journaled follows from them. */
import { createHash } from "node:crypto";
import type { SharedSetting } from "@pricetime/engine";
import type { Config } from "./config.ts";
import { masterKeyCheck } from "./master-key.ts";

const DIGEST_LENGTH = 16;

/** Each as the journal keeps it; no secret is among them. */
export function sharedSettings({ fees, tradingRules, limits, exchangeFilters, demo }: Config): SharedSetting[] {
  const orders = limits.rules.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
  const shared = {
    fees,
    tradingRules,
    "limits.rules": orders,
    "limits.enabled": limits.enabled,
    exchangeFilters,
    demo,
  };
  return Object.entries(shared).map(([name, value]) => ({ name, value: textOf(value) }));
}

/** A digest of each, by its name in the file: nodes compare them, and none leads back to a secret. */
export function settingDigests(config: Config, masterKey: string): Record<string, string> {
  const digests = sharedSettings(config).map(({ name, value }) => [name, digestOf(value)]);
  return { masterKey: masterKeyCheck(masterKey), ...Object.fromEntries(digests) };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isSection(inner) ? sorted(inner) : inner));
}

function isSection(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The order of keys in a file means nothing. */
function sorted(section: object): object {
  return Object.fromEntries(Object.entries(section).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
