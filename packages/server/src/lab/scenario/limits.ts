/** Bounds of a scenario. */
import { DAY_MS } from "@pricetime/engine";

export const SCENARIO_LIMITS = {
  maxFileBytes: 1024 * 1024,
  /** Points of the time line, those that repeat counted each time. */
  maxItems: 10_000,
  maxAsserts: 200,
  maxAccounts: 50,
  maxNameChars: 100,
  maxTextChars: 500,
  maxDurationMs: 3_660 * DAY_MS,
  /** The most that a bot may be waited for by the machine's clock. */
  maxPatienceMs: DAY_MS,
} as const;
