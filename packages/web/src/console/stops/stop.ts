/** Stops of the whole venue, of a coin, or of a network. */
import { consoleStops } from "../../words/words.ts";

export interface Stop {
  /** `trading`, `placing`, `withdrawals`, `asset:BTC` or `network:ETH`. */
  readonly scope: string;
  readonly why: string;
  readonly by: string;
  readonly sinceMs: number;
  /** Null: until it is lifted. */
  readonly untilMs: number | null;
}

export const SET = "PUT /v1/suspensions/{scope}";
export const LIFT = "DELETE /v1/suspensions/{scope}";

/** Those that have a button of their own, in the order of what they stop. */
export const WHOLE_SCOPES = Object.keys(consoleStops.stop) as readonly (keyof typeof consoleStops.stop)[];
