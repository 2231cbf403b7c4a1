/** The faults of a lab as its checkpoint holds them. */
import { z } from "zod";
import type { KeptValue } from "../../platform/world/kept.ts";
import { readKept } from "../../platform/world/read-kept.ts";
import { faultSchema } from "./fault.ts";
import { MAX_FAULTS, MAX_STRUCK_TOLD, MAX_STUCK_DEPOSITS } from "./limits.ts";
import type { ListedFault } from "./rule.ts";

const count = z.int().min(0);
const schema = z.strictObject({
  nextId: z.int().min(1),
  faults: z
    .array(
      z.strictObject({
        id: z.int().min(1),
        fault: faultSchema,
        armed: z.boolean(),
        met: count,
        struck: count,
        strikes: z
          .array(z.object({ atMs: z.number() }).catchall(z.union([z.string(), z.number()])))
          .max(MAX_STRUCK_TOLD),
        stuck: z
          .record(z.string(), z.number().nullable())
          .refine((stuck) => Object.keys(stuck).length <= MAX_STUCK_DEPOSITS),
      }),
    )
    .max(MAX_FAULTS),
});

export interface KeptFault extends ListedFault {
  /** Deposits that it keeps back, by name, and until when; null: as long as the fault is in the list. */
  readonly stuck: Readonly<Record<string, number | null>>;
}

export interface KeptFaults {
  readonly nextId: number;
  readonly faults: readonly KeptFault[];
}

/** Throws `KeptUnreadable`. */
export function readKeptFaults(kept: KeptValue): KeptFaults {
  return readKept("faults", schema, kept);
}
