/** Routes of operators' acts: every command in the history that says who gave it. */
import { z } from "zod";
import { errorWordOf } from "../../api/answers/error-words.ts";
import { fromHistory } from "./from-history.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { findHolder, MAX_PAGE } from "./parse.ts";
import type { Route } from "./router.ts";

const pageSchema = z.strictObject({
  account: z.string().exactOptional(),
  withdrawal: z.string().exactOptional(),
  before: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(100),
});

export function actRoutes({ view, history }: AdminNode): Route[] {
  return [
    listRoute({
      pattern: "/v1/audit-log",
      summary:
        "Lists operator actions, newest first: every command that has an author. For one account the list includes sign-ins.",
      query: pageSchema,
      columns: ["seq", "timeMs", "type", "by", "accountId", "outcome", "details"],
      filePage: { limit: MAX_PAGE },
      page: async ({ asked: { account, withdrawal, before, limit } }) => {
        const rows = await fromHistory(
          history.acts(view.seq, {
            limit,
            ...(account !== undefined && { accountId: findHolder(view, account) }),
            ...(withdrawal !== undefined && { withdrawalId: withdrawal }),
            ...(before !== undefined && { beforeSeq: before }),
          }),
        );
        const last = rows.at(-1);
        const shown = rows.map((row) => ({ ...row, outcome: errorWordOf(row.outcome) }));
        return { rows: shown, next: last && rows.length === limit ? { before: last.seq } : undefined };
      },
    }),
  ];
}
