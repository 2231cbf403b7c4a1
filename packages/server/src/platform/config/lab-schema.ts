/** The settings of a lab (clock, history and agents), which the lab's API uses as well. docs/guides/lab-agents.md */
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import { text } from "./listing-schema.ts";

export const AGENT_LIMITS = {
  /** Maximum number of groups, and of agents per group. */
  maxGroups: 50,
  maxCount: 100,
  /** Maximum number of agents in all groups together. */
  maxAgents: 500,
  /** Maximum lookback of an agent. */
  maxLookbackMs: 3_600_000,
  /** Maximum amount in the quote asset. Far below an agent's initial balance. */
  maxQuote: 1e15,
  maxBps: 2_000,
} as const;

const quote = z.number().positive().max(AGENT_LIMITS.maxQuote);
const bps = z.number().min(0).max(AGENT_LIMITS.maxBps);
const spanMs = z.int().min(250).max(DAY_MS);
const lookbackMs = z.int().min(1000).max(AGENT_LIMITS.maxLookbackMs);

const all = {
  symbol: text,
  count: z.int().min(1).max(AGENT_LIMITS.maxCount).default(1),
  /** The average order size. Default: that of the symbol's taker bots. */
  orderQuote: quote.exactOptional(),
  /** Maximum long or short position of an agent. Default: 50 orders. */
  maxPositionQuote: quote.exactOptional(),
};

/** Trades at random, with market orders, or with limit orders that rest for a while. */
const noise = z.strictObject({
  ...all,
  type: z.literal("noise"),
  everyMs: spanMs.default(10_000),
  restShare: z.number().min(0).max(1).default(0.5),
  reachBps: bps.default(5),
  patienceMs: spanMs.default(60_000),
  maxOpen: z.int().min(1).max(20).default(5),
});

/** Buys after the price has risen and sells after it has fallen. */
const momentum = z.strictObject({
  ...all,
  type: z.literal("momentum"),
  everyMs: spanMs.default(5_000),
  lookbackMs: lookbackMs.default(60_000),
  thresholdBps: bps.default(5),
});

/** Sells after the price has risen and buys after it has fallen. */
const reversion = z.strictObject({
  ...all,
  type: z.literal("reversion"),
  everyMs: spanMs.default(5_000),
  lookbackMs: lookbackMs.default(300_000),
  thresholdBps: bps.default(10),
});

/** Trades on news before the market receives it, and closes the position afterwards. */
const informed = z.strictObject({
  ...all,
  type: z.literal("informed"),
  everyMs: spanMs.default(1_000),
  newsEveryMs: spanMs.default(1_800_000),
  newsBps: bps.min(1).default(12),
  aheadMs: spanMs.default(20_000),
});

/** Executes a large order over time, as a fraction of the usual volume. */
const worked = z.strictObject({
  ...all,
  type: z.literal("worked"),
  side: z.enum(["BUY", "SELL"]),
  totalQuote: quote,
  participation: z.number().positive().max(2).default(0.1),
  everyMs: spanMs.default(5_000),
});

/** Pushes the price beyond its recent extreme to trigger stop orders, and then closes the position. */
const stopHunter = z.strictObject({
  ...all,
  type: z.literal("stop-hunter"),
  everyMs: spanMs.default(1_000),
  lookbackMs: lookbackMs.default(600_000),
  withinBps: bps.default(5),
  pushBps: bps.default(3),
  holdMs: spanMs.default(10_000),
  pauseMs: spanMs.default(120_000),
});

export const agentSchema = z.discriminatedUnion("type", [noise, momentum, reversion, informed, worked, stopHunter]);
export type AgentSettings = z.output<typeof agentSchema>;
export type AgentType = AgentSettings["type"];
/** The settings of one agent type. */
export type SettingsOf<T extends AgentType> = Extract<AgentSettings, { readonly type: T }>;

/** Modes of a lab's clock. docs/decisions/0046. */
export const CLOCK_MODES = ["real", "scaled", "manual"] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];
/** Maximum time of a lab's clock: the end of the year 9999. */
export const MAX_TIME_MS = 253_402_300_799_999;
/** Maximum speed of a scaled clock, as a multiple of real time. */
export const MAX_SPEED = 1_000_000;
/** The clock against which request timestamps are checked: the lab's, the machine's, or none. */
export const TIMINGS = ["server", "client", "off"] as const;
/** What history a lab stores: everything, nothing, or only candles. */
export const HISTORIES = ["on", "off", "candles"] as const;

export const labSchema = z.strictObject({
  /** Set by `lab: true` in the file, or by any other key of this section. */
  enabled: z.boolean().default(false),
  clock: z.enum(CLOCK_MODES).default("real"),
  /** The clock's start time in milliseconds since 1970. */
  clockStart: z.int().min(0).max(MAX_TIME_MS).exactOptional(),
  clockSpeed: z.number().positive().max(MAX_SPEED).exactOptional(),
  timing: z.enum(TIMINGS).default("server"),
  history: z.enum(HISTORIES).default("on"),
  /** Agents that trade from the start, in addition to the demo's bots. */
  agents: z.array(agentSchema).max(AGENT_LIMITS.maxGroups).default([]),
});
export type LabSettings = z.output<typeof labSchema>;

/** Converts `lab: true` to a section, sets `enabled` if it is missing, and parses a start time in ISO 8601. */
export function asLabSection(given: unknown): unknown {
  if (typeof given === "boolean") return { enabled: given };
  if (typeof given !== "object" || given === null) return given;
  const { clockStart } = given as { readonly clockStart?: unknown };
  const startMs = typeof clockStart === "string" ? Date.parse(clockStart) : clockStart;
  const isMoment = typeof startMs === "number" && !Number.isNaN(startMs);
  return { enabled: true, ...given, ...(isMoment && { clockStart: startMs }) };
}
