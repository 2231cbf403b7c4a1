import type { Edit } from "./edit.ts";

/** A bug of a kind that a cluster must not have, and what must find it. */
export interface Bug {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly foundBy: Hunt;
}

/**
 * Either a campaign with some of the faults, whose names begin so, for a while; or a test, which must fail then: where
 * it finds the bug sooner, or where no client can.
 */
export type Hunt =
  | { readonly faults: readonly string[]; readonly seconds: number }
  | { readonly test: string; readonly in: string };
