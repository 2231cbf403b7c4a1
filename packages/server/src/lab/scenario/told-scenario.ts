/** A scenario as its player tells it to the node, for whoever looks: the node itself does nothing with it. */
import { z } from "zod";
import { MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { SCENARIO_LIMITS } from "./limits.ts";

const timeMs = z.int().min(0).max(MAX_TIME_MS);
const name = z.string().min(1).max(SCENARIO_LIMITS.maxNameChars);
const text = z.string().max(SCENARIO_LIMITS.maxTextChars);

export const ASSERT_KINDS = ["always", "never", "sometimes", "finally"] as const;
export type AssertKind = (typeof ASSERT_KINDS)[number];

export const toldScenarioSchema = z.strictObject({
  name,
  /** SHA-256 of the file, in hex. */
  hash: z.string().regex(/^[0-9a-f]{8,64}$/, "hex digits"),
  startMs: timeMs,
  endMs: timeMs,
  timeline: z
    .array(z.strictObject({ atMs: timeMs, kind: name, text, isDone: z.boolean() }))
    .max(SCENARIO_LIMITS.maxItems),
  asserts: z
    .array(
      z.strictObject({ name: text, kind: z.enum(ASSERT_KINDS), state: z.enum(["holds", "waiting", "failed"]), text }),
    )
    .max(SCENARIO_LIMITS.maxAsserts),
});
export type ToldScenario = z.output<typeof toldScenarioSchema>;
