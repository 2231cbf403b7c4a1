/** Routes of operators' acts: every command in the history that says who gave it. */
import { z } from "zod";
import { HistoryBehind } from "../history/port.ts";
import { AdminRefusal, ok } from "./answer.ts";
import type { AdminNode } from "./node.ts";
import { findHolder, MAX_PAGE } from "./parse.ts";
import { type Route, route } from "./router.ts";

const pageSchema = z.strictObject({
  account: z.string().exactOptional(),
  withdrawal: z.string().exactOptional(),
  before: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(100),
});

export function actRoutes({ view, history }: AdminNode): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/acts",
      summary: "What operators did, newest first: every command that says who gave it.",
      query: pageSchema,
      handle: async ({ asked: { account, withdrawal, before, limit } }) => {
        try {
          const acts = await history.acts(view.seq, {
            limit,
            ...(account !== undefined && { accountId: findHolder(view, account) }),
            ...(withdrawal !== undefined && { withdrawalId: withdrawal }),
            ...(before !== undefined && { beforeSeq: before }),
          });
          return ok(acts);
        } catch (error) {
          if (!(error instanceof HistoryBehind)) throw error;
          throw new AdminRefusal(503, "HISTORY_BEHIND", "History has not got that far yet; ask again in a moment.");
        }
      },
    }),
  ];
}
