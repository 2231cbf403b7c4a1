/** Routes of stops: what is stopped on the whole venue, or of one coin or network, by whom, why and until when. */
import type { EngineView, StopRecord } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { sentence } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";

const SCOPE = /^(trading|placing|withdrawals|(asset|network):.+)$/;
/** The scope of an asset: as the admin API names it, and as the journal stores it. */
const [ASSET, STORED_ASSET] = ["asset:", "coin:"];

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
      pattern: "/v1/suspensions",
      summary: "What is stopped now: by whom, why, and until when.",
      columns: ["scope", "why", "by", "sinceMs", "untilMs"],
      page: () => ({ rows: suspensions(view) }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/suspensions/:scope",
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
      pattern: "/v1/suspensions/:scope",
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

const suspensionOf = (stop: StopRecord): object => ({ ...stop, scope: shownScope(stop.scope) });

/** The suspensions in force, as answers show them. */
export const suspensions = (view: Pick<EngineView, "venue">): object[] => Array.from(view.venue.stops(), suspensionOf);

/** The scope as answers show it. */
export const shownScope = (scope: string): string =>
  scope.startsWith(STORED_ASSET) ? `${ASSET}${scope.slice(STORED_ASSET.length)}` : scope;

const stopOf = (changed: { readonly stop: StopRecord; readonly isOn: boolean } | undefined): object =>
  changed === undefined ? {} : { ...suspensionOf(changed.stop), isOn: changed.isOn };

function scopeOf({ path }: Pick<AdminRequest, "path">): string {
  const scope = path["scope"] ?? "";
  if (SCOPE.test(scope)) return scope.startsWith(ASSET) ? `${STORED_ASSET}${scope.slice(ASSET.length)}` : scope;
  const message = `Unknown scope ${scope}. Use trading, placing, withdrawals, asset:ASSET or network:NETWORK.`;
  throw new AdminRefusal(404, "UNKNOWN_SUSPENSION", message);
}
