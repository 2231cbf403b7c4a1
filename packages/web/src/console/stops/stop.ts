/** Suspensions of the whole venue, of an asset or of a network. */
import { consoleSuspensions } from "../../words/words.ts";

export interface Stop {
  /** `trading`, `placing`, `withdrawals`, `asset:BTC` or `network:ETH`. */
  readonly scope: string;
  readonly why: string;
  readonly by: string;
  readonly sinceMs: number;
  /** Null: until lifted. */
  readonly untilMs: number | null;
}

export const SET = "PUT /v1/suspensions/{scope}";
export const LIFT = "DELETE /v1/suspensions/{scope}";

/** Scopes of the whole venue: each has its own button. */
export const WHOLE_SCOPES = Object.keys(
  consoleSuspensions.suspend,
) as readonly (keyof typeof consoleSuspensions.suspend)[];
