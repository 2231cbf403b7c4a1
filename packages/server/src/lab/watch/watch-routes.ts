/** Routes that tell what accounts live through. */
import { z } from "zod";
import { ok } from "../../people/admin/answer.ts";
import { accountName } from "../../people/admin/parse.ts";
import { type Route, route } from "../../people/admin/router.ts";
import { text } from "../../platform/config/listing-schema.ts";
import { MAX_TOLD, MAX_WATCHED } from "./limits.ts";
import type { Watch } from "./watch.ts";

const watchedSchema = z.strictObject({
  accounts: z.array(accountName).max(MAX_WATCHED).default([]),
  symbols: z.array(text).max(MAX_WATCHED).default([]),
});
const afterSchema = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

export function watchRoutes(watch: Watch): Route[] {
  return [
    route({
      method: "PUT",
      pattern: "/v1/lab/watch",
      summary: "Watches accounts and symbols from now on, replacing any watched before.",
      answers: "`last`: 0, and the number of the records of what they are now.",
      body: watchedSchema,
      handle: ({ body }) => {
        watch.watch(body);
        return ok({ last: watch.records.after(0).last });
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/watch",
      summary: `What has happened to them after a record, ${MAX_TOLD} records at most.`,
      answers:
        "`records`, each with `number`, `atMs`, `seq` and `kind`: order, fill, balance, moved (money that came or went other than by trading), openOrders, refused (an answer that was no success), price, status, book (a side of a book has become empty, or is so no more). `last`: the newest number. `lost`: how many are not kept any more.",
      query: afterSchema,
      handle: ({ asked }) => ok(watch.records.after(asked.after)),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/watch",
      summary: "Stops watching.",
      handle: () => {
        watch.stop();
        return ok({});
      },
    }),
  ];
}
