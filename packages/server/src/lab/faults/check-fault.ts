/** What a schema cannot say of a fault: values that do not go together, and times that are over. */
import { AdminRefusal } from "../../people/admin/answer.ts";
import { type Fault, isChoosing } from "./fault.ts";
import { MAX_REPLY_HEADERS } from "./limits.ts";
import { whyNoReply } from "./made-answers.ts";

/** Throws `AdminRefusal` 400. */
export function checkFault(fault: Fault, nowMs: number): void {
  const why = whyNot(fault, nowMs);
  if (why !== null) throw new AdminRefusal(400, "BAD_REQUEST", why);
}

function whyNot(fault: Fault, nowMs: number): string | null {
  if (isChoosing(fault)) {
    const { every, probability, fromMs, toMs } = fault;
    if (every !== undefined && probability !== undefined) return "probability: not together with every";
    if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) return "toMs: must be more than fromMs";
    if (toMs !== undefined && toMs <= nowMs) return `toMs: is over: the clock shows ${nowMs}`;
  } else if (fault.fromMs !== undefined && fault.after !== undefined) return "after: not together with fromMs";
  switch (fault.fault) {
    case "delay":
    case "hold":
      return whyNoWait(fault);
    case "reply":
      if (Object.keys(fault.headers).length > MAX_REPLY_HEADERS) return `headers: at most ${MAX_REPLY_HEADERS}`;
      return whyNoReply(fault);
    case "skew":
      return fault.ms === 0 ? "ms: must not be 0" : null;
    default:
      return null;
  }
}

function whyNoWait({ ms, medianMs, sigma }: Extract<Fault, { fault: "delay" | "hold" }>): string | null {
  if (ms === undefined) return medianMs === undefined ? "ms: is missing, or medianMs and sigma" : null;
  return medianMs === undefined && sigma === undefined ? null : "ms: not together with medianMs and sigma";
}
