import type { Edit } from "./edit.ts";

/** A bug of a kind that a cluster must not have, and what must find it: each of the hunts. */
export interface Bug {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly foundBy: readonly Hunt[];
}

/**
 * Either a campaign with some of the faults, whose names begin so, for a while; or tests whose names contain this, of which
 * one must fail then: they find the bug in seconds, and what no client can see.
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
