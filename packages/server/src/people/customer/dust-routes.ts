/** Small balances ("dust"): those that can be converted, and the rules. */
import { formatDecimal } from "@pricetime/engine";
import { type CustomerAnswer, ok } from "./answer.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { LOOK } from "./weights.ts";

function dust({ account: { accountId } }: SignedIn, { view }: CustomerParts): CustomerAnswer {
  const rules = view.funds.dustRules;
  if (rules === undefined) return ok({ rules: null, balances: [] });
  const held = view.assets().flatMap(({ assetId, spec }) => {
    const { free } = view.balance(accountId, assetId);
    return free === 0n ? [] : [{ asset: spec.asset, free: formatDecimal(free, spec.precision) }];
  });
  const faults = view.funds.dustFaults(
    accountId,
    held.map(({ asset }) => asset),
  );
  return ok({ rules, balances: held.filter(({ asset }) => !faults.has(asset)) });
}

export const DUST_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/dust",
    weight: LOOK,
    summary: "Lists the balances that are small enough to be converted, and the rules of the conversion.",
    answers:
      "`rules` (`dustAsset`, `limitAsset`, `limit`, `chargeBps`, `pauseMs`), or null if the exchange converts no small balances; `balances`: `asset`, `free`.",
    handle: dust,
  },
];
