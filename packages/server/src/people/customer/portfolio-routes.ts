/** What an account owns: cost, profit and value over time. */
import { z } from "zod";
import { valuationAsset } from "../../history/shapes/valuation-asset.ts";
import { type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import { rejected } from "./rejections.ts";
import {
  type AccountRoute,
  type CustomerParts,
  ofAccount,
  type Own,
  ownAccount,
  ownRoute,
  PORTFOLIO,
} from "./route.ts";

const querySchema = z.strictObject({
  ...ofAccount,
  /** The days for which the value of the account is given. */
  days: z.enum(["30", "90", "365"]).default("90").transform(Number),
});

async function portfolio(asked: Own<z.ZodType, typeof querySchema>, parts: CustomerParts): Promise<Answer> {
  const { account, days } = asked.query;
  const { view, history, reports } = parts;
  const { accountId } = ownAccount(parts, asked, account);
  const wanted = { accountId, asset: valuationAsset(view, reports), days, nowMs: asked.nowMs };
  const found = await history.query(view.seq, "portfolio", wanted);
  if (found === null) throw rejected("TOO_MANY_TRADES");
  return ok(found);
}

export const PORTFOLIO_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /portfolio",
    weight: PORTFOLIO,
    summary: "Returns average cost, unrealized and realized profit by asset, and the value of the account over time.",
    answer: ANSWERS.portfolio,
    answers:
      "Weighted average cost from all trades after their fees, in `asset`. Other amounts come in at the last price at that " +
      "time, and leave at their average cost; a withdrawal fee is a loss. `assets`: `asset`, `quantity`, `averageCost`, " +
      "`cost`, `price`, `value`, `unrealizedProfit`, `realizedProfit`; null if a price was missing. `isRealizedComplete` is " +
      "false if the realized profit leaves out amounts of unknown cost. `totals` leave out what is null, and `unpriced` lists " +
      "assets without a price. `values`: the value at the end of each day (UTC), of each week if `days` is 365, and now.",
    query: querySchema,
    handle: portfolio,
  }),
];
