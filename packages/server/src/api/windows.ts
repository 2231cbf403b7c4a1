/** The part of a list that a request asks for: ids, times, limit. Interface 1.11. */
import { HOUR_MS } from "@pricetime/engine";
import { BAD_COMBINATION, moreThanHours } from "@pricetime/protocol";
import type { Window } from "../history/port.ts";
import type { Call } from "./call.ts";
import { Refused } from "./edge/refusals.ts";

/** The longest span between both times of a request for an account's list. */
export const ACCOUNT_LIST_MAX_HOURS = 24;

export interface WindowRules {
  /** The parameter that names the first id; when it is sent, times are ignored. */
  readonly fromId: "fromId" | "orderId" | undefined;
  /** The longest span of both times together; undefined: unlimited. */
  readonly maxHours: number | undefined;
  /** A window that ends before it starts is empty (market data) or a mistake (accounts). */
  readonly backwards: "empty" | "refused";
}

/** Null when the window must be empty. */
export function windowOf(call: Call, rules: WindowRules): Window | null {
  const limit = call.limit();
  const fromId = rules.fromId === undefined ? undefined : call.integer(rules.fromId);
  if (fromId !== undefined) return { fromId, limit };
  const startTimeMs = call.integer("startTime");
  const endTimeMs = call.integer("endTime");
  if (startTimeMs !== undefined && endTimeMs !== undefined) {
    if (endTimeMs < startTimeMs) {
      if (rules.backwards === "empty") return null;
      throw new Refused(BAD_COMBINATION);
    }
    if (rules.maxHours !== undefined && endTimeMs - startTimeMs > rules.maxHours * HOUR_MS) {
      throw new Refused(moreThanHours(rules.maxHours));
    }
  }
  return {
    limit,
    ...(startTimeMs === undefined ? {} : { startTimeMs }),
    ...(endTimeMs === undefined ? {} : { endTimeMs }),
  };
}
