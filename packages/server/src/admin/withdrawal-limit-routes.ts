/** Routes of withdrawal limits over time: of assets, of single accounts, and how much of them is used. */
import type { AccountView } from "@pricetime/engine";
import { accountLimitRows, allLimitRows } from "../shapes/withdrawal-limit-rows.ts";
import { limitsOverTimeSchema, withdrawalLimitsSchema } from "../config/listing-schema.ts";
import { type Answer, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, findAsset } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";

const WINDOWS = ["limit24h", "withdrawn24h", "left24h", "limit72h", "withdrawn72h", "left72h"] as const;
const COUNTING =
  "Gross amounts count by the time of the request, until the end of the clock hour that is 24 or 72 hours later; " +
  "cancelled, rejected and failed withdrawals do not. Null: no limit.";

export function withdrawalLimitRoutes(node: AdminNode): Route[] {
  return [...ofAssets(node), ...ofAccounts(node)];
}

function ofAssets(node: AdminNode): Route[] {
  const { view } = node;
  const rows = (): object[] => allLimitRows(view, node.sequencer.nowMs());
  return [
    listRoute({
      pattern: "/v1/withdrawal-limits",
      summary: "What all customers withdrew over 24 and 72 hours, and how much is left, by asset.",
      answers: `Assets with a limit or with withdrawals; \`accountLimit24h\` and \`accountLimit72h\` are those of each account. ${COUNTING}`,
      columns: ["asset", "accountLimit24h", "accountLimit72h", ...WINDOWS],
      page: () => ({ rows: rows() }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/assets/:asset/withdrawal-limits",
      needs: "money",
      summary: "Sets above which sums over 24 and 72 hours withdrawals of an asset wait for approval.",
      answers: "The asset. Limits that are not sent are removed; what was counted stays.",
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
      summary: "What an account withdrew over 24 and 72 hours, and how much is left, by asset.",
      answers: `A master account and its sub-accounts count together. \`isOwn\`: the account has limits of its own. ${COUNTING}`,
      columns: ["asset", "isOwn", ...WINDOWS],
      page: ({ path }) => ({ rows: rowsOf(findAccount(view, path["account"] ?? "")) }),
    }),
    route({
      method: "PUT",
      pattern: `${pattern}/:asset`,
      needs: "money",
      summary: "Gives an account withdrawal limits of its own, instead of the asset's.",
      answers: "The limits of the account. There is no limit over a window that is not sent.",
      body: limitsOverTimeSchema,
      handle: ({ body, ...request }) => set(request, body),
    }),
    route({
      method: "DELETE",
      pattern: `${pattern}/:asset`,
      needs: "money",
      summary: "Removes an account's own withdrawal limits; those of the asset apply again.",
      answers: "The limits of the account.",
      handle: (request) => set(request, null),
    }),
  ];
}
