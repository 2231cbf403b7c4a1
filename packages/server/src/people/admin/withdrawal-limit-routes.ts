/** Routes of withdrawal limits over time: of assets, of single accounts, and how much of them is used. */
import type { AccountView } from "@pricetime/engine";
import { accountLimitRows, allLimitRows } from "../../history/shapes/withdrawal-limit-rows.ts";
import { limitsOverTimeSchema, withdrawalLimitsSchema } from "../../platform/config/listing-schema.ts";
import { type Answer, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, findAsset } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";

const WINDOWS = ["limit24h", "withdrawn24h", "left24h", "limit72h", "withdrawn72h", "left72h"] as const;
const COUNTING =
  "Gross amounts count from the time of the request until the end of the clock hour 24 or 72 hours later. Canceled, " +
  "rejected and failed withdrawals do not count. Null: no limit.";

export function withdrawalLimitRoutes(node: AdminNode): Route[] {
  return [...ofAssets(node), ...ofAccounts(node)];
}

function ofAssets(node: AdminNode): Route[] {
  const { view } = node;
  const rows = (): object[] => allLimitRows(view, node.sequencer.nowMs());
  return [
    listRoute({
      pattern: "/v1/withdrawal-limits",
      summary: "Returns the withdrawal limits over 24 and 72 hours of all customers together, and their use, by asset.",
      answers: `Assets that have a limit or withdrawals; \`accountLimit24h\` and \`accountLimit72h\` apply to each account. ${COUNTING}`,
      columns: ["asset", "accountLimit24h", "accountLimit72h", ...WINDOWS],
      page: () => ({ rows: rows() }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/assets/:asset/withdrawal-limits",
      needs: "money",
      summary:
        "Sets the withdrawal limits of an asset over 24 and 72 hours. Withdrawals above a limit wait for approval.",
      answers: "The asset. Omitted limits are removed; counted amounts stay.",
      body: withdrawalLimitsSchema,
      handle: async ({ path, body: limits, by }) => {
        const { asset } = findAsset(view, path["asset"] ?? "").spec;
        await carryOut(node, { type: "setWithdrawalLimits", asset, limits, by });
        return ok(findAsset(view, asset).spec);
      },
    }),
  ];
}

function ofAccounts(node: AdminNode): Route[] {
  const { view } = node;
  const pattern = "/v1/accounts/:account/withdrawal-limits";
  const rowsOf = ({ accountId }: AccountView): object[] => accountLimitRows(view, accountId, node.sequencer.nowMs());
  const set = async ({ path, by }: Pick<AdminRequest, "path" | "by">, limits: object | null): Promise<Answer> => {
    const account = findAccount(view, path["account"] ?? "");
    const { asset } = findAsset(view, path["asset"] ?? "").spec;
    const { accountId } = account;
    await carryOut(node, { type: "setAccountWithdrawalLimits", accountId, asset, limits, by });
    return ok({ accountId, limits: rowsOf(account) });
  };
  return [
    listRoute({
      pattern,
      summary: "Returns the withdrawal limits of an account over 24 and 72 hours, and their use, by asset.",
      answers: `A master account and its sub-accounts count together. \`isOwn\`: the limits are set for this account. ${COUNTING}`,
      columns: ["asset", "isOwn", ...WINDOWS],
      page: ({ path }) => ({ rows: rowsOf(findAccount(view, path["account"] ?? "")) }),
    }),
    route({
      method: "PUT",
      pattern: `${pattern}/:asset`,
      needs: "money",
      summary: "Sets withdrawal limits for an account, which replace those of the asset.",
      answers: "The limits of the account. A window that is omitted has no limit.",
      body: limitsOverTimeSchema,
      handle: ({ body, ...request }) => set(request, body),
    }),
    route({
      method: "DELETE",
      pattern: `${pattern}/:asset`,
      needs: "money",
      summary: "Removes the withdrawal limits of an account. Those of the asset apply again.",
      answers: "The limits of the account.",
      handle: (request) => set(request, null),
    }),
  ];
}
