/** Agents of a lab's markets as they are asked for: in the configuration, and by its holder. docs/guides/lab-agents.md */
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import { text } from "./listing-schema.ts";

export const AGENT_LIMITS = {
  /** Groups that there are at a time, and the agents of one. */
  maxGroups: 50,
  maxCount: 100,
  /** Agents of all groups. */
  maxAgents: 500,
  /** The farthest that an agent looks back. */
  maxLookbackMs: 3_600_000,
  /** Amounts in the quote asset: far less than what an agent is given. */
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
  /** The average order. Left out: that of the symbol's takers. */
  orderQuote: quote.exactOptional(),
  /** The most that an agent may own or owe. Left out: 50 orders. */
  maxPositionQuote: quote.exactOptional(),
};

/** Trades without a reason: at the market, or with an order that rests for a while. */
const noise = z.strictObject({
  ...all,
  type: z.literal("noise"),
  everyMs: spanMs.default(10_000),
  restShare: z.number().min(0).max(1).default(0.5),
  reachBps: bps.default(5),
  patienceMs: spanMs.default(60_000),
  maxOpen: z.int().min(1).max(20).default(5),
});

/** Buys what has risen and sells what has fallen. */
const momentum = z.strictObject({
  ...all,
  type: z.literal("momentum"),
  everyMs: spanMs.default(5_000),
  lookbackMs: lookbackMs.default(60_000),
  thresholdBps: bps.default(5),
});

/** Sells what has risen and buys what has fallen. */
const reversion = z.strictObject({
  ...all,
  type: z.literal("reversion"),
  everyMs: spanMs.default(5_000),
  lookbackMs: lookbackMs.default(300_000),
  thresholdBps: bps.default(10),
});

/** Hears news before the market does, trades on it, and is out when everybody knows. */
const informed = z.strictObject({
  ...all,
  type: z.literal("informed"),
  everyMs: spanMs.default(1_000),
  newsEveryMs: spanMs.default(1_800_000),
  newsBps: bps.min(1).default(12),
  aheadMs: spanMs.default(20_000),
});

/** Works an order that is too large for the book, as a part of the usual volume. */
const worked = z.strictObject({
  ...all,
  type: z.literal("worked"),
  side: z.enum(["BUY", "SELL"]),
  totalQuote: quote,
  participation: z.number().positive().max(2).default(0.1),
  everyMs: spanMs.default(5_000),
});

/** Pushes the price beyond its latest extreme, where stops wait, and trades out again. */
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
/** The settings of one type. */
export type SettingsOf<T extends AgentType> = Extract<AgentSettings, { readonly type: T }>;
