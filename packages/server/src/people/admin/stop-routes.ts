/** Routes of suspensions: of the venue, an asset or a network. */
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
  /** The reason. Shown to operators, never to customers. */
  why: sentence,
  /** The end in milliseconds since 1970; null: until the suspension is lifted. */
  untilMs: z.int().min(1).nullable().default(null),
});

export function stopRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/suspensions",
      summary: "Lists the suspensions in force, with author, reason and end.",
      columns: ["scope", "why", "by", "sinceMs", "untilMs"],
      page: () => ({ rows: suspensions(view) }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/suspensions/:scope",
      needs: "any",
      summary: "Suspends trading, new orders, withdrawals, an asset or a network, with immediate effect.",
      answers:
        "The suspension. Scopes: `trading` (no orders, no cancels), `placing` (no new orders, cancels are accepted), " +
        "`withdrawals`, `asset:BTC` or `network:ETH` (no withdrawals; deposits stay pending). Setting a scope again replaces " +
        "reason and end; an earlier end requires the right to lift the suspension.",
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
      summary: "Lifts a suspension. Trading and new orders need the right `venue`, all others `money`.",
      answers: "The suspension that was lifted.",
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
