/** A validated scenario file with its defaults: settings, timeline and assertions; and its routes in the admin API. */
import type { ScenarioStatus } from "@pricetime/protocol";
import { DAY_MS, ORDER_STATUSES, SIDES } from "@pricetime/engine";
import { z } from "zod";
import { agentSchema, MAX_TIME_MS, TIMINGS } from "../../platform/config/lab-schema.ts";
import { assetName, decimal } from "../../platform/config/listing-schema.ts";
import { faultSchema } from "../faults/fault.ts";
import { latencySchema } from "../latency.ts";
import { sentMove } from "../market-move.ts";
import { sentReplay } from "../replay/replay-shapes.ts";
import { spanOf } from "./duration.ts";
import { ok } from "../../people/http/answer.ts";
import { type AdminRoute, labRoute } from "../../people/admin/router.ts";

export const SCENARIO_LIMITS = {
  maxFileBytes: 1024 * 1024,
  /** The maximum number of points in the timeline, including each repetition. */
  maxItems: 10_000,
  maxAsserts: 200,
  maxAccounts: 50,
  maxNameChars: 100,
  maxTextChars: 500,
  maxDurationMs: 3_660 * DAY_MS,
  /** The maximum patience with a bot that makes no progress, in machine time. */
  maxPatienceMs: DAY_MS,
} as const;

// The state of a scenario as its player publishes it for viewers. The node does not use it.

const timeMs = z.int().min(0).max(MAX_TIME_MS);
const anyName = z.string().min(1).max(SCENARIO_LIMITS.maxNameChars);
const anyText = z.string().max(SCENARIO_LIMITS.maxTextChars);

const ASSERT_KINDS = ["always", "never", "sometimes", "finally"] as const;
export type AssertKind = (typeof ASSERT_KINDS)[number];

const toldScenarioSchema: z.ZodType<ScenarioStatus> = z.strictObject({
  name: anyName,
  /** SHA-256 of the file, in hex. */
  hash: z.string().regex(/^[0-9a-f]{8,64}$/, "hex digits"),
  startMs: timeMs,
  endMs: timeMs,
  timeline: z
    .array(z.strictObject({ atMs: timeMs, kind: anyName, text: anyText, isDone: z.boolean() }))
    .max(SCENARIO_LIMITS.maxItems),
  asserts: z
    .array(
      z.strictObject({
        name: anyText,
        kind: z.enum(ASSERT_KINDS),
        state: z.enum(["holds", "waiting", "failed"]),
        text: anyText,
      }),
    )
    .max(SCENARIO_LIMITS.maxAsserts),
});

// Assertions: one condition in each line of `assert`.

/** An amount, which may be negative; a number in YAML is converted to text. */
const signedAmount = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^-?[0-9]{1,20}(\.[0-9]{1,20})?$/, 'must be an amount, as 1500 or "-0.25"'));
const count = z.int().min(0);
const amounts = { min: signedAmount.exactOptional(), max: signedAmount.exactOptional() };
/** Limits on a count. If neither is set, the count must be at least one. */
const counts = { min: count.exactOptional(), max: count.exactOptional() };
/** The name of an account. Default: the bot's account. */
const accountOrBot = anyName.exactOptional();
const quote = anyName.default("USDT");

/** Conditions by the key that identifies their kind. */
const conditions = {
  /** Free and locked balance. */
  balance: z.strictObject({ account: accountOrBot, asset: anyName, ...amounts }),
  /** The position: the quantity bought minus the quantities sold and paid as commission, since the start. */
  position: z.strictObject({ account: accountOrBot, asset: anyName, ...amounts }),
  /** The value of all balances at last prices. */
  equity: z.strictObject({ account: accountOrBot, quote, ...amounts }),
  /** The decline of equity from its previous maximum, without deposits and withdrawals. */
  drawdown: z.strictObject({ account: accountOrBot, quote, maxPercent: z.number().min(0).max(100) }),
  openOrders: z.strictObject({ account: accountOrBot, symbol: anyName.exactOptional(), ...counts }),
  /** The number of orders that have had this status. Default: accepted. */
  orders: z.strictObject({
    account: accountOrBot,
    symbol: anyName.exactOptional(),
    side: z.enum(SIDES).exactOptional(),
    status: z.enum(ORDER_STATUSES).default("NEW"),
    ...counts,
  }),
  trades: z.strictObject({ account: accountOrBot, symbol: anyName.exactOptional(), ...counts }),
  /** The number of responses with an error. */
  errors: z.strictObject({
    account: accountOrBot,
    code: z.int().min(-99_999).max(-1).exactOptional(),
    status: z.int().min(400).max(599).exactOptional(),
    endpoint: anyName.exactOptional(),
    ...counts,
  }),
  /** How many times a fault of the timeline, identified by name, has struck. */
  struck: z.strictObject({ fault: anyName, ...counts }),
  price: z.strictObject({ symbol: anyName, ...amounts }),
  /** Whether a side of the book is empty. */
  book: z.strictObject({ symbol: anyName, side: z.enum(SIDES), empty: z.boolean() }),
};
type Conditions = typeof conditions;
export type ConditionKind = keyof Conditions;
const CONDITION_KINDS = Object.keys(conditions) as readonly ConditionKind[];

/** `is`: the kind of the condition; `of`: its fields. */
export type Condition = {
  [Kind in ConditionKind]: { readonly is: Kind; readonly of: z.output<Conditions[Kind]> };
}[ConditionKind];

const optional = Object.fromEntries(
  Object.entries(conditions).map(([kind, shape]) => [kind, shape.exactOptional()]),
) as { [Kind in ConditionKind]: z.ZodExactOptional<Conditions[Kind]> };

const line = z.strictObject({ name: anyName.exactOptional(), ...optional }).transform((said, context) => {
  const kinds = CONDITION_KINDS.filter((kind) => said[kind] !== undefined);
  const [is] = kinds;
  if (is !== undefined && kinds.length === 1) {
    return { name: said.name, condition: { is, of: said[is] } as Condition };
  }
  const message = `one of ${CONDITION_KINDS.join(", ")} is asserted in each line`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
const lines = z.array(line).max(SCENARIO_LIMITS.maxAsserts).default([]);

const assertShape = z
  .strictObject({ always: lines, never: lines, sometimes: lines, finally: lines })
  .prefault({})
  .transform((said) => ASSERT_KINDS.flatMap((kind) => said[kind].map((each) => ({ kind, ...each }))));
export type Assertion = z.output<typeof assertShape>[number];

// The points of a timeline. Each point performs one action, named by its key. Its other fields are the fields of the
// corresponding admin route.

const span = spanOf(SCENARIO_LIMITS.maxDurationMs);
/** An amount or a price; a number in YAML is converted to text. */
const amount = z.union([z.number(), z.string()]).transform(String).pipe(decimal);
const paid = { account: anyName, asset: assetName, amount };

/** The time of a point, and its repetitions. `times` includes the first occurrence. */
export const whenShape = {
  /** The time since the start of the scenario. */
  at: span.exactOptional(),
  /** The time since the previous point. */
  in: span.exactOptional(),
  repeat: z.strictObject({ every: span, times: z.int().min(1).max(SCENARIO_LIMITS.maxItems) }).exactOptional(),
  /** Text for the report that replaces the generated text. */
  note: z.string().max(SCENARIO_LIMITS.maxTextChars).exactOptional(),
  /** If true, a rejection of this point does not fail the scenario. */
  mayFail: z.boolean().default(false),
};
export const WHEN_KEYS: ReadonlySet<string> = new Set(Object.keys(whenShape));

/** Parameters of an API request, as in its query. */
const parameters = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value)),
);

/** The fields of each kind of point. `subject`: the value of the key that names the action. */
export const ACTS = {
  market: { subject: anyName, rest: sentMove },
  fault: { subject: anyName, rest: z.unknown() },
  heal: { subject: anyName, rest: z.strictObject({}) },
  halt: { subject: anyName, rest: z.strictObject({}) },
  resume: { subject: anyName, rest: z.strictObject({}) },
  delist: { subject: anyName, rest: z.strictObject({}) },
  deposit: { subject: z.strictObject({ ...paid, network: anyName.exactOptional() }), rest: z.strictObject({}) },
  withdraw: { subject: z.strictObject(paid), rest: z.strictObject({}) },
  mine: { subject: anyName, rest: z.strictObject({ blocks: z.int().min(1).max(1000).default(1) }) },
  order: { subject: anyName, rest: parameters },
  cancel: { subject: anyName, rest: z.strictObject({ symbol: anyName }) },
  maintenance: { subject: z.enum(["on", "off"]), rest: z.strictObject({}) },
  latency: { subject: latencySchema, rest: z.strictObject({}) },
  agents: { subject: agentSchema, rest: z.strictObject({}) },
  replay: { subject: sentReplay, rest: z.strictObject({}) },
  mark: { subject: z.string().max(SCENARIO_LIMITS.maxTextChars), rest: z.strictObject({}) },
} as const satisfies Readonly<Record<string, { readonly subject: z.ZodType; readonly rest: z.ZodType }>>;
export type ActKind = keyof typeof ACTS;
export const ACT_KINDS = Object.keys(ACTS) as readonly ActKind[];

/**
 * Additional fields of a fault in a timeline. The fault begins at its point; it has a duration `for` instead of times,
 * and a name for `heal` and conditions.
 */
export const faultPoint = { for: span.exactOptional(), name: anyName.exactOptional() };
export const FAULT_KINDS: readonly string[] = faultSchema.options.map((one) => one.shape.fault.value);
/**
 * Fields of a fault that a scenario does not accept: in a scenario, a fault is active from its point on, for the
 * duration `for`.
 */
export const FAULT_TIMES: readonly string[] = ["fromMs", "toMs"];

/** The action of one point of the timeline. `fields`: the fields of the admin route. */
export type Act =
  | { readonly kind: "market"; readonly subject: string; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "fault";
      readonly subject: string;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly forMs: number | undefined;
      /** The name of the fault; the fault's kind unless a name was given. */
      readonly name: string;
    }
  | { readonly kind: "heal" | "halt" | "resume" | "delist"; readonly subject: string }
  | { readonly kind: "deposit"; readonly subject: z.output<(typeof ACTS)["deposit"]["subject"]> }
  | { readonly kind: "withdraw"; readonly subject: z.output<(typeof ACTS)["withdraw"]["subject"]> }
  | { readonly kind: "mine"; readonly subject: string; readonly fields: { readonly blocks: number } }
  | { readonly kind: "order"; readonly subject: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: "cancel"; readonly subject: string; readonly fields: { readonly symbol: string } }
  | { readonly kind: "maintenance"; readonly subject: "on" | "off" }
  | { readonly kind: "latency"; readonly subject: Readonly<Record<string, unknown>> }
  | { readonly kind: "agents"; readonly subject: z.output<typeof agentSchema> }
  | { readonly kind: "replay"; readonly subject: z.output<typeof sentReplay> }
  | { readonly kind: "mark"; readonly subject: string };

/** `afterMs`: milliseconds since the start. `text`: a description. */
export interface TimelinePoint {
  readonly afterMs: number;
  readonly text: string;
  readonly mayFail: boolean;
  /** Whether this is a repetition of the point rather than its first occurrence. */
  readonly isAgain: boolean;
  readonly act: Act;
}

const { maxNameChars, maxTextChars, maxAccounts, maxItems, maxDurationMs, maxPatienceMs } = SCENARIO_LIMITS;
/** The default time in which a bot must make progress. */
const PATIENCE_MS = 60_000;

const name = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -");
const symbol = z.string().min(1).max(maxNameChars);
/** A time as milliseconds since 1970 or as ISO 8601 text, because YAML dates are disabled. */
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
    /** The account whose keys the bot gets. Default: the first account. */
    account: name.exactOptional(),
    /** Whether an exit of the bot before the end of the scenario is a failure, with any exit code. */
    mustRun: z.boolean().default(false),
    /** The maximum time in which the bot may make no progress, in machine time. */
    patience: spanOf(maxPatienceMs).default(PATIENCE_MS),
  })
  .prefault({});

/**
 * The fields of a scenario file. The timeline is parsed point by point, because each kind of point has its own shape.
 */
export const fileShape = z.strictObject({
  name: name.exactOptional(),
  about: z.string().max(maxTextChars).default(""),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  symbols: z.array(symbol).min(1).exactOptional(),
  clock: clock.prefault("manual"),
  start: moment.exactOptional(),
  duration: spanOf(maxDurationMs).pipe(z.int().min(1)),
  /** Whether the demo's makers and takers trade. */
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
  /** Points ordered by time. */
  readonly timeline: readonly TimelinePoint[];
}

/** The accounts that every lab has in addition to the accounts of a scenario. */
export const DEMO_NAMES: readonly string[] = ["alice", "bob", "carol"];

// The routes with which the player of a scenario publishes its status.

export function scenarioRoutes(): AdminRoute[] {
  let told: ScenarioStatus | null = null;
  const pattern = "/v1/lab/scenario";
  return [
    labRoute({
      endpoint: `GET ${pattern}`,
      summary: "Shows the scenario that runs on the lab; null if there is none.",
      answers:
        "`name`, `hash` of its file, `startMs`, `endMs`; `timeline`: what happens when, and whether it has; `asserts`: what must hold, and whether it does.",
      handle: () => ok(told),
    }),
    labRoute({
      endpoint: `PUT ${pattern}`,
      summary: "Publishes the running scenario for viewers. The node does not use it.",
      body: toldScenarioSchema,
      handle: ({ body }) => ok((told = body)),
    }),
    labRoute({
      endpoint: `DELETE ${pattern}`,
      summary: "Removes the published scenario when it has ended.",
      handle: () => ok((told = null)),
    }),
  ];
}
