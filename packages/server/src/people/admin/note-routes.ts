/** Routes of notes on accounts, which operators write for each other. */
import { z } from "zod";
import { created } from "./answer.ts";
import { fromHistory } from "./from-history.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, MAX_PAGE, newestSchema, sentence } from "./parse.ts";
import { type Route, route } from "./router.ts";

const noteSchema = z.strictObject({ text: sentence });

export function noteRoutes(node: AdminNode): Route[] {
  const { view, history } = node;
  const pattern = "/v1/accounts/:account/notes";
  return [
    listRoute({
      pattern,
      summary: "Lists notes of operators on an account, newest first. Customers never see them.",
      query: newestSchema,
      columns: ["seq", "timeMs", "accountId", "text", "by"],
      filePage: { limit: MAX_PAGE },
      page: async ({ path, asked: { before, limit } }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        const rows = await fromHistory(history.notes(view.seq, { accountId, beforeSeq: before, limit }));
        const last = rows.at(-1);
        return { rows, next: last && rows.length === limit ? { before: last.seq } : undefined };
      },
    }),
    route({
      method: "POST",
      pattern,
      needs: "customers",
      summary: "Adds a note to an account, for operators. Notes cannot be deleted.",
      status: 201,
      body: noteSchema,
      handle: async ({ path, body: { text }, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        await carryOut(node, { type: "noteAccount", accountId, text, by });
        return created({ accountId, text, by });
      },
    }),
  ];
}
