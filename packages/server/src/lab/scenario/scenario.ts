/** A scenario as its file says it, checked and with all that it leaves out. */
import { z } from "zod";
import { TIMINGS } from "../../platform/config/lab-schema.ts";
import { assetName, decimal } from "../../platform/config/listing-schema.ts";
import { latencySchema } from "../latency/latency.ts";
import { assertShape } from "./assert-shape.ts";
import { spanOf } from "./duration.ts";
import { SCENARIO_LIMITS } from "./limits.ts";
import { agentSchema } from "../../platform/config/agent-schema.ts";
import { sentReplay } from "../replay/replay-shapes.ts";
import type { TimelinePoint } from "./timeline-shape.ts";

const { maxNameChars, maxTextChars, maxAccounts, maxItems, maxDurationMs, maxPatienceMs } = SCENARIO_LIMITS;
/** What a machine gives a bot before it counts as standing still. */
const PATIENCE_MS = 60_000;

const name = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -");
const symbol = z.string().min(1).max(maxNameChars);
const amount = z.union([z.number(), z.string()]).transform(String).pipe(decimal);
/** Milliseconds since 1970, or ISO 8601; YAML has no dates here. */
const moment = z.union([z.int().min(0), z.iso.datetime().transform((text) => Date.parse(text))]);

const account = z.union([
  name.transform((one) => ({ name: one, balances: {} as Record<string, string> })),
  z.strictObject({ name, balances: z.record(assetName, amount).default({}) }),
]);

const clock = z.union([
  z.enum(["manual", "scaled"]).transform((mode) => ({ mode, speed: 1 })),
  z.strictObject({ mode: z.literal("scaled"), speed: z.number().positive().max(100_000).default(1) }),
]);

const bot = z
  .strictObject({
    /** The account whose keys the bot has; default: the first one. */
    account: name.exactOptional(),
    /** Whether its end before the scenario's is a failure, whatever its code. */
    mustRun: z.boolean().default(false),
    /** How long it may let nothing go on, by the machine's clock. */
    patience: spanOf(maxPatienceMs).default(PATIENCE_MS),
  })
  .prefault({});

/** The time line is read point by point: each kind has a shape of its own. */
export const fileShape = z.strictObject({
  name: name.exactOptional(),
  about: z.string().max(maxTextChars).default(""),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  symbols: z.array(symbol).min(1).exactOptional(),
  clock: clock.prefault("manual"),
  start: moment.exactOptional(),
  duration: spanOf(maxDurationMs).pipe(z.int().min(1)),
  /** The demo's makers and takers. */
  market: z.enum(["bots", "empty"]).default("bots"),
  limits: z.enum(["on", "off"]).default("on"),
  timing: z.enum(TIMINGS).exactOptional(),
  accounts: z.array(account).min(1).max(maxAccounts),
  bot,
  latency: latencySchema.exactOptional(),
  agents: z.array(agentSchema).default([]),
  replays: z.array(sentReplay).default([]),
  timeline: z.array(z.unknown()).max(maxItems).default([]),
  assert: assertShape,
});
export type ScenarioFile = z.output<typeof fileShape>;

export interface Scenario extends Omit<ScenarioFile, "name" | "timeline"> {
  readonly name: string;
  /** SHA-256 of the file, in hex. */
  readonly hash: string;
  /** Points in the order of time. */
  readonly timeline: readonly TimelinePoint[];
}

/** Accounts that every lab has besides the scenario's. */
export const DEMO_NAMES: readonly string[] = ["alice", "bob", "carol"];
