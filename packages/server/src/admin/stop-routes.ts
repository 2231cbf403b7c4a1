/** Routes of stops: what is stopped on the whole venue, or of one coin or network, by whom, why and until when. */
import type { StopRecord } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { sentence } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";

const SCOPE = /^(trading|placing|withdrawals|(coin|network):.+)$/;

const stopSchema = z.strictObject({
  /** Operators read it; customers do not. */
  why: sentence,
  /** Milliseconds since 1970; null: until it is lifted. */
  untilMs: z.int().min(1).nullable().default(null),
});

export function stopRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/stops",
      summary: "What is stopped now: by whom, why, and until when.",
      columns: ["scope", "why", "by", "sinceMs", "untilMs"],
      page: () => ({ rows: [...view.venue.stops()] }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/stops/:scope",
      needs: "any",
      summary: "Stops all trading, new orders, all withdrawals, one coin or one network, from now on.",
      answers:
        "The stop. A scope is `trading` (no orders, no cancels), `placing` (no new orders; cancels go on), `withdrawals`, " +
        "`coin:BTC` or `network:ETH` (nothing leaves; deposits wait). Set again, it has the new reason and end; whoever may not " +
        "lift it cannot make it end sooner.",
      body: stopSchema,
      handle: async (request) => {
        const { body, by } = request;
        const scope = scopeOf(request);
        const events = await carryOut(node, { type: "setStop", scope, ...body, by });
        return ok(stopOf(events.find((event) => event.type === "stopChanged")));
      },
    }),
    route({
      method: "DELETE",
      pattern: "/v1/stops/:scope",
      needs: "any",
      summary: "Lifts a stop: those of trading with the right to the venue, all others with that to money.",
      answers: "The stop that was.",
      handle: async (request) => {
        const events = await carryOut(node, { type: "liftStop", scope: scopeOf(request), by: request.by });
        return ok(stopOf(events.find((event) => event.type === "stopChanged")));
      },
    }),
  ];
}

const stopOf = (changed: { readonly stop: StopRecord; readonly isOn: boolean } | undefined): object =>
  changed === undefined ? {} : { ...changed.stop, isOn: changed.isOn };

function scopeOf({ path }: Pick<AdminRequest, "path">): string {
  const scope = path["scope"] ?? "";
  if (SCOPE.test(scope)) return scope;
  const message = `${scope} cannot be stopped: a scope is trading, placing, withdrawals, coin:ASSET or network:NAME.`;
  throw new AdminRefusal(404, "UNKNOWN_STOP", message);
}
