/** Translates the events of operators' acts to the words of the model. */
import type { Engine, Event } from "@pricetime/engine";
import { scaled } from "./amount.ts";
import { type Happening, said } from "./happening.ts";
import { adjusted } from "./venue/adjust.ts";
import { told } from "./venue/proposals.ts";

export function saidOfVenue(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "stopChanged": {
      const { scope, why, by, sinceMs, untilMs } = event.stop;
      return said(`stop of ${scope} by ${by} from ${sinceMs} to ${untilMs}, ${why}: ${event.isOn ? "on" : "off"}`);
    }
    case "balanceAdjusted": {
      const { asset, precision } = engine.asset(event.assetId).spec;
      return adjusted({ ...event, asset, moved: scaled(event.amount, precision) });
    }
    case "accountNoted":
      return said(`note on ${event.accountId} by ${event.by}: ${event.text}`);
    case "unknownDepositChanged": {
      const { network, txId, output } = event.deposit;
      const coin = JSON.stringify([network, txId, output]);
      return said(`coin ${coin} of nobody: ${event.status}, ${event.accountId} ${event.why}`);
    }
    case "operatorChanged":
      return said(`operator ${event.name} changed`);
    case "approvalRulesChanged":
      return said(`rules of approval: ${event.isAny ? "some" : "none"}`);
    case "breakGlassChanged":
      return said(`rules end at ${event.fromMs}`);
    case "proposalChanged":
      return told(event.proposal, event.status, event.by, event.why);
    default:
      return null;
  }
}
