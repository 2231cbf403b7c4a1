/** Routes of adjustments: transfers between a customer and a house account, under dual approval. */
import { type Adjust, ADJUSTMENT_CATEGORIES, HOUSE_ACCOUNTS } from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal, text } from "../../../platform/config/listing-schema.ts";
import { fromHistory } from "../from-history.ts";
import { listRoute } from "../list-route.ts";
import { ok } from "../answer.ts";
import type { AdminNode } from "../node.ts";
import { type Booked, bookedMove, isBooked } from "../once.ts";
import { findAccount, findAsset, MAX_PAGE, newestSchema, sentence } from "../parse.ts";
import { propose } from "./propose.ts";
import { type Route, route } from "../router.ts";

const adjustmentSchema = z.strictObject({
  asset: assetName,
  /** credit: the customer receives the amount; debit: the customer pays it. */
  direction: z.enum(["credit", "debit"]),
  amount: decimal,
  /** The house account that pays or receives the amount. */
  house: z.enum(HOUSE_ACCOUNTS),
  category: z.enum(ADJUSTMENT_CATEGORIES),
  why: sentence,
  /** Each reference moves money once. */
  reference: text,
});

const COLUMNS = [
  ...["seq", "timeMs", "accountId", "asset", "amount", "house", "category", "why", "reference", "by"],
] as const;

export function adjustmentRoutes(node: AdminNode): Route[] {
  const { view, history } = node;
  return [
    listRoute({
      pattern: "/v1/adjustments",
      summary:
        "Lists adjustments, newest first, of one account or all. A negative amount was debited from the account.",
      query: newestSchema.extend({ account: z.string().exactOptional() }),
      columns: COLUMNS,
      filePage: { limit: MAX_PAGE },
      page: async ({ asked: { account, before, limit } }) => {
        const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
        const rows = await fromHistory(history.adjustments(view.seq, { accountId, beforeSeq: before, limit }));
        const last = rows.at(-1);
        return { rows, next: last && rows.length === limit ? { before: last.seq } : undefined };
      },
    }),
    route({
      method: "POST",
      pattern: "/v1/accounts/:account/adjustments",
      needs: "any",
      summary:
        "Requests an adjustment: a transfer between a customer and a house account, which another operator must approve.",
      answers:
        "`request`: the approval request. Nothing has moved yet. For a repeat of a completed adjustment, with status 200: the " +
        "adjustment. 409 `REPEAT_DIFFERS` with `record`: the reference was used with different contents.",
      status: 202,
      body: adjustmentSchema,
      handle: async ({ path, body, by, asker }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        findAsset(view, body.asset);
        const act: Adjust = { type: "adjust", accountId, ...body, by };
        const booked = (): Promise<Booked> => bookedMove(node, body.reference);
        if (await isBooked(node, act, booked)) return ok(await booked());
        return propose(node, act, body.why, asker);
      },
    }),
  ];
}
