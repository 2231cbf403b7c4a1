/** The settings of a lab: how its clock begins, and what it keeps. */
import { z } from "zod";
import { AGENT_LIMITS, agentSchema } from "./agent-schema.ts";

/** How a lab's clock goes. docs/decisions/0046. */
export const CLOCK_MODES = ["real", "scaled", "manual"] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];
/** The latest time that it shows: the end of the year 9999. */
export const MAX_TIME_MS = 253_402_300_799_999;
/** The most milliseconds of a scaled clock in one of the machine's. */
export const MAX_SPEED = 1_000_000;
/** The clock that judges the timestamps of requests: the lab's, the machine's, or none. */
export const TIMINGS = ["server", "client", "off"] as const;
/** What a lab keeps for queries: all, nothing, or candles alone. */
export const HISTORIES = ["on", "off", "candles"] as const;

export const labSchema = z.strictObject({
  /** Set in the file by `lab: true`, and by any other key of this section. */
  enabled: z.boolean().default(false),
  clock: z.enum(CLOCK_MODES).default("real"),
  /** Milliseconds since 1970. */
  clockStart: z.int().min(0).max(MAX_TIME_MS).exactOptional(),
  clockSpeed: z.number().positive().max(MAX_SPEED).exactOptional(),
  timing: z.enum(TIMINGS).default("server"),
  history: z.enum(HISTORIES).default("on"),
  /** Who trades beside the demo's bots from the start. */
  agents: z.array(agentSchema).max(AGENT_LIMITS.maxGroups).default([]),
});
export type LabSettings = z.output<typeof labSchema>;

/** Converts `lab: true`, a section that does not say `enabled`, and a moment as ISO 8601 writes it. */
export function asLabSection(given: unknown): unknown {
  if (typeof given === "boolean") return { enabled: given };
  if (typeof given !== "object" || given === null) return given;
  const { clockStart } = given as { readonly clockStart?: unknown };
  const startMs = typeof clockStart === "string" ? Date.parse(clockStart) : clockStart;
  const isMoment = typeof startMs === "number" && !Number.isNaN(startMs);
  return { enabled: true, ...given, ...(isMoment && { clockStart: startMs }) };
}
