/** Checks the right to set an account's own fee rates, which opening an account does not include. */
import { AdminRefusal } from "./answer.ts";
import { type Asker, mayAsk } from "./asker.ts";

interface Rates {
  readonly makerBps?: number;
  readonly takerBps?: number;
}

/** Throws `AdminRefusal` when the operator must not set fee rates. New accounts have the default rates. */
export function mayGiveRates(asker: Asker, { makerBps, takerBps }: Rates): void {
  if ((makerBps === undefined && takerBps === undefined) || mayAsk(asker, "venue")) return;
  throw new AdminRefusal(
    403,
    "NOT_PERMITTED",
    "Setting fee rates requires the right `venue`. Omit makerBps and takerBps for the default rates.",
  );
}
