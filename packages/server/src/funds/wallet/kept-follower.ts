/** What the loops of a network know beside journal and chain, as kept for a checkpoint. */
import { UNKNOWN_DEPOSIT_REASONS } from "@pricetime/engine";
import { z } from "zod";
import { keptCount } from "../../platform/world/read-kept.ts";

const block = z.strictObject({ height: keptCount, hash: z.string() });

/** When the next round is due, and how many have failed in a row; null: the loop did not run. */
const KEPT_LOOP = z.strictObject({ dueMs: keptCount, failures: keptCount }).nullable();
export type KeptLoop = z.infer<typeof KEPT_LOOP>;

/** Refused commands, each with the height of the chain at that moment. */
const KEPT_REFUSALS = z.array(z.tuple([z.string(), keptCount]));
export type KeptRefusals = z.infer<typeof KEPT_REFUSALS>;

const KEPT_BLOCKS = z.strictObject({ next: keptCount, pauses: z.array(block) });
export type KeptBlocks = z.infer<typeof KEPT_BLOCKS>;

const coin = {
  ...{ txId: z.string(), output: keptCount, asset: z.string(), address: z.string(), tag: z.string() },
  ...{ amount: z.string(), block },
};

/** Coins of nobody that do not lie deep enough to be noted. */
const KEPT_STRAYS = z.array(z.strictObject({ ...coin, stray: z.enum(UNKNOWN_DEPOSIT_REASONS) }));
export type KeptStrays = z.infer<typeof KEPT_STRAYS>;

const KEPT_WATCHER = z.strictObject({
  coins: z.array(z.strictObject(coin)),
  strays: KEPT_STRAYS.default([]),
  missing: z.array(z.strictObject({ key: z.string(), sinceHeight: keptCount, rounds: keptCount })),
  refusals: KEPT_REFUSALS,
  /** Null: nothing was read yet. */
  blocks: KEPT_BLOCKS.nullable(),
  height: keptCount,
  note: z.string(),
});
export type KeptWatcher = z.infer<typeof KEPT_WATCHER>;

const KEPT_SENDER = z.strictObject({
  roundsDisplaced: z.array(z.tuple([z.string(), keptCount])),
  inTurn: z.strictObject({ txId: z.string(), sinceHeight: keptCount }),
  refusals: KEPT_REFUSALS,
  note: z.string(),
});
export type KeptSender = z.infer<typeof KEPT_SENDER>;

export const KEPT_FOLLOWER = z.strictObject({
  isUp: z.boolean(),
  watchTrouble: z.string(),
  sendTrouble: z.string(),
  watcher: KEPT_WATCHER,
  watching: KEPT_LOOP,
  sender: KEPT_SENDER,
  sending: KEPT_LOOP,
});
export type KeptFollower = z.infer<typeof KEPT_FOLLOWER>;
