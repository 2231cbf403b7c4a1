import type { Edit } from "./edit.ts";

/** A bug of a kind that a cluster must not have, and the hunts that must find it. */
export interface Bug {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly foundBy: readonly Hunt[];
}

/**
 * Either a campaign with the faults whose names begin so; or tests whose names contain this text. One of the tests must
 * fail: they take seconds, and also find bugs that no client can see.
 */
export type Hunt = CampaignHunt | TestHunt;

export interface CampaignHunt {
  readonly faults: readonly string[];
  readonly seconds: number;
}

export interface TestHunt {
  readonly test: string;
  readonly in: string;
}
