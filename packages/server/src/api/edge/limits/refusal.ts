/** Answers to clients over a limit. Interface 8.5, S.4. */
import { banned, tooManyOrders, tooManyRequests, tooMuchWeight } from "@pricetime/protocol";
import { Refused } from "../refusals.ts";
import type { IpRefusal } from "./ip-limiter.ts";
import type { OrderRefusal } from "./order-limiter.ts";

export function limitRefusal(refusal: IpRefusal): Refused {
  if (refusal.kind === "ban") return new Refused(banned(refusal.untilMs), refusal.retryAfterSeconds);
  const { rateLimitType, limit, intervalNum, interval } = refusal.rule;
  const text = rateLimitType === "REQUEST_WEIGHT" ? tooMuchWeight : tooManyRequests;
  return new Refused(text(limit, intervalNum, interval), refusal.retryAfterSeconds);
}

export function orderLimitRefusal({ rule, retryAfterSeconds }: OrderRefusal): Refused {
  return new Refused(tooManyOrders(rule.limit, rule.intervalNum, rule.interval), retryAfterSeconds);
}
