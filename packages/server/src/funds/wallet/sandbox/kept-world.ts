/** A sandbox's world as kept for a checkpoint: the rows of its file. */
import { z } from "zod";
import { keptCount } from "../../../platform/world/read-kept.ts";

export const KEPT_WORLD = z.strictObject({
  world: z.strictObject({
    genesis: z.string().regex(/^[0-9a-f]{32}$/),
    height: keptCount,
    nextFork: keptCount,
    nextStranger: keptCount,
    reverts: keptCount,
    losses: keptCount,
    takenNonces: keptCount,
  }),
  forks: z.array(z.strictObject({ fromHeight: keptCount, fork: keptCount })),
  transactions: z.array(
    z.strictObject({
      number: keptCount,
      txId: z.string(),
      asset: z.string(),
      address: z.string(),
      tag: z.string(),
      amount: z.string(),
      nonce: keptCount.nullable(),
      height: keptCount.nullable(),
      isSuccess: z.literal([0, 1]),
    }),
  ),
});

export type KeptWorld = z.infer<typeof KEPT_WORLD>;
