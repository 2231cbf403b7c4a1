/**
 * The points of a scenario's time line. Each does one thing, which its key names; what else it says is what the route of
 * the admin API takes that does the thing.
 */
import { z } from "zod";
import { agentSchema } from "../../platform/config/agent-schema.ts";
import { assetName, decimal } from "../../platform/config/listing-schema.ts";
import { faultSchema } from "../faults/fault.ts";
import { latencySchema } from "../latency/latency.ts";
import { sentMove } from "../markets/move.ts";
import { sentReplay } from "../replay/replay-shapes.ts";
import { spanOf } from "./duration.ts";
import { SCENARIO_LIMITS } from "./limits.ts";

const name = z.string().min(1).max(SCENARIO_LIMITS.maxNameChars);
const span = spanOf(SCENARIO_LIMITS.maxDurationMs);
/** An amount or a price; a number in YAML is taken as its text. */
const amount = z.union([z.number(), z.string()]).transform(String).pipe(decimal);
const paid = { account: name, asset: assetName, amount };

/** When a point is, and how often: `repeat` counts the first. */
export const whenShape = {
  /** Since the start. */
  at: span.exactOptional(),
  /** Since the point before. */
  in: span.exactOptional(),
  repeat: z.strictObject({ every: span, times: z.int().min(1).max(SCENARIO_LIMITS.maxItems) }).exactOptional(),
  /** For the report, in place of what the point says. */
  note: z.string().max(SCENARIO_LIMITS.maxTextChars).exactOptional(),
  /** A refusal of this point is no failure of the scenario. */
  mayFail: z.boolean().default(false),
};
export const WHEN_KEYS: ReadonlySet<string> = new Set(Object.keys(whenShape));

/** Parameters of a request of the interface, as they go into its query. */
const parameters = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value)),
);

/** What each kind of point says besides its own key, whose value is there as `subject`. */
export const ACTS = {
  market: { subject: name, rest: sentMove },
  fault: { subject: name, rest: z.unknown() },
  heal: { subject: name, rest: z.strictObject({}) },
  halt: { subject: name, rest: z.strictObject({}) },
  resume: { subject: name, rest: z.strictObject({}) },
  delist: { subject: name, rest: z.strictObject({}) },
  deposit: { subject: z.strictObject({ ...paid, network: name.exactOptional() }), rest: z.strictObject({}) },
  withdraw: { subject: z.strictObject(paid), rest: z.strictObject({}) },
  mine: { subject: name, rest: z.strictObject({ blocks: z.int().min(1).max(1000).default(1) }) },
  order: { subject: name, rest: parameters },
  cancel: { subject: name, rest: z.strictObject({ symbol: name }) },
  maintenance: { subject: z.enum(["on", "off"]), rest: z.strictObject({}) },
  latency: { subject: latencySchema, rest: z.strictObject({}) },
  agents: { subject: agentSchema, rest: z.strictObject({}) },
  replay: { subject: sentReplay, rest: z.strictObject({}) },
  mark: { subject: z.string().max(SCENARIO_LIMITS.maxTextChars), rest: z.strictObject({}) },
} as const satisfies Readonly<Record<string, { readonly subject: z.ZodType; readonly rest: z.ZodType }>>;
export type ActKind = keyof typeof ACTS;
export const ACT_KINDS = Object.keys(ACTS) as readonly ActKind[];

/** A fault of a time line begins at its point: it has `for` in place of moments, and a name to be healed and asked for by. */
export const faultPoint = { for: span.exactOptional(), name: name.exactOptional() };
export const FAULT_KINDS: readonly string[] = faultSchema.options.map((one) => one.shape.fault.value);
/** A fault strikes from its point on, for as long as `for` says. */
export const FAULT_TIMES: readonly string[] = ["fromMs", "toMs"];

/** What one point does. `fields`: what the route takes. */
export type Act =
  | { readonly kind: "market"; readonly subject: string; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "fault";
      readonly subject: string;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly forMs: number | undefined;
      /** Its kind, where it was given none. */
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

/** `afterMs`: since the start. `text`: for people. */
export interface TimelinePoint {
  readonly afterMs: number;
  readonly text: string;
  readonly mayFail: boolean;
  /** Whether it is a repetition, and not the first of its kind. */
  readonly isAgain: boolean;
  readonly act: Act;
}
