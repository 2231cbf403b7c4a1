/** Rates of an account's own, which whoever opens it may not choose: they are the venue's to give, as a change is. */
import { AdminRefusal } from "./answer.ts";
import { type Asker, mayAsk } from "./asker.ts";

interface Rates {
  readonly makerBps?: number;
  readonly takerBps?: number;
}

/** Throws `AdminRefusal` for rates that whoever asks may not give. Absent ones are those of every new account. */
export function mayGiveRates(asker: Asker, { makerBps, takerBps }: Rates): void {
  if ((makerBps === undefined && takerBps === undefined) || mayAsk(asker, "venue")) return;
  throw new AdminRefusal(403, "NOT_PERMITTED", "Rates of its own take the right to the venue: leave them out.");
}
