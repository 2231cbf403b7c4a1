/** Routes of pending withdrawals' risk marks, and of the withdrawal limits over 24 and 72 hours. */
import type { AccountView, WithdrawalRecord } from "@pricetime/engine";
import { z } from "zod";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { WithdrawalPast } from "../../history/port.ts";
import { type Answer, ok } from "../http/answer.ts";
import { type AdminNode, carryOut, fromHistory } from "./node.ts";
import { listRoute } from "./list-route.ts";
import { openWithdrawalsSchema, pageOfOpenWithdrawals } from "./withdrawal-routes.ts";
import { type AdminRoute, type Asked, route } from "./router.ts";
import { accountLimitRows, allLimitRows } from "../../history/shapes/withdrawal-limit-rows.ts";
import { limitsOverTimeSchema, withdrawalLimitsSchema } from "../../platform/config/listing-schema.ts";
import { findAccount, findAsset } from "./parse.ts";
import { limitRow, riskRow } from "./answers.ts";
import { accountLimitRow } from "../http/shapes.ts";

const DAY_MS = 86_400_000;
const MAX_RISKS = 500;

const riskSchema = openWithdrawalsSchema.extend({
  withdrawal: z.string().exactOptional(),
  /** Deposits and accounts younger than this get a risk mark. */
  youngMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(365 * DAY_MS)
    .default(DAY_MS),
  limit: z.coerce.number().int().min(1).max(MAX_RISKS).default(100),
});

export function riskRoutes(node: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/withdrawal-risks",
      summary: "Lists pending withdrawals, oldest first, with the risk marks of each.",
      answers:
        "`marks`: NEW_ADDRESS (no completed withdrawal to the address), FIRST_WITHDRAWAL (no completed withdrawal at all), " +
        "YOUNG_DEPOSIT and YOUNG_ACCOUNT (younger than `youngMs`; only deposits on networks count), WAITS_LONG (pending for more " +
        "than a day). Completed withdrawals are counted up to 1,000. For the next page set `after` to " +
        "`applyTimeMs.withdrawalId` of the last one.",
      query: riskSchema,
      row: riskRow,
      filePage: { limit: MAX_RISKS },
      page: async ({ query: { withdrawal, youngMs, ...rest } }) => {
        // A withdrawal that has ended since the page was loaded is in the list no longer.
        if (withdrawal !== undefined) return { rows: await risks(node, pendingWithdrawal(node, withdrawal), youngMs) };
        const { withdrawals, next } = pageOfOpenWithdrawals(node, rest);
        return { rows: await risks(node, withdrawals, youngMs), next };
      },
    }),
  ];
}

function pendingWithdrawal({ view }: AdminNode, withdrawalId: string): readonly WithdrawalRecord[] {
  const one = view.funds.withdrawal(withdrawalId);
  return one === undefined ? [] : [one];
}

async function risks(
  { view, world, history }: AdminNode,
  withdrawals: readonly WithdrawalRecord[],
  youngMs: number,
): Promise<object[]> {
  const questions = withdrawals.map(({ withdrawalId, accountId, network, address, tag }) => {
    return { withdrawalId, accountId, network, address, tag };
  });
  const pasts = await fromHistory(history.query(view.seq, "withdrawalPasts", questions));
  const nowMs = world.nowMs();
  return withdrawals.map((withdrawal, n) => {
    const { withdrawalId, accountId, assetId, network, address, tag, status, applyTimeMs, needsApproval } = withdrawal;
    const past = pasts[n] as WithdrawalPast;
    const account = view.account(accountId);
    const { spec } = view.asset(assetId);
    const amount = carriedText(spec, "withdrawStep", withdrawal.amount, network);
    const ages = {
      waitingMs: nowMs - applyTimeMs,
      newestDepositAgeMs: past.newestDepositMs === null ? null : nowMs - past.newestDepositMs,
      accountAgeMs: nowMs - (account?.createdMs ?? 0),
    };
    const isListed = view.funds
      .allowedAddresses(accountId)
      .some((one) => one.network === network && one.address === address && one.tag === tag);
    return {
      ...{ withdrawalId, accountId, email: account?.email ?? null, asset: spec.asset, network },
      ...{ amount, address, tag, status, applyTimeMs, needsApproval },
      marks: marksOf(past, ages, youngMs),
      isOnAddressList: isListed,
      completedBefore: past.completed,
      completedToAddress: past.completedToAddress,
      ...ages,
    };
  });
}

interface Ages {
  readonly waitingMs: number;
  readonly newestDepositAgeMs: number | null;
  readonly accountAgeMs: number;
}

function marksOf(
  { completed, completedToAddress }: WithdrawalPast,
  { waitingMs, newestDepositAgeMs, accountAgeMs }: Ages,
  youngMs: number,
): string[] {
  const marks = {
    NEW_ADDRESS: completedToAddress === 0,
    FIRST_WITHDRAWAL: completed === 0,
    YOUNG_DEPOSIT: newestDepositAgeMs !== null && newestDepositAgeMs < youngMs,
    YOUNG_ACCOUNT: accountAgeMs < youngMs,
    WAITS_LONG: waitingMs > DAY_MS,
  };
  return Object.entries(marks).flatMap(([mark, holds]) => (holds ? [mark] : []));
}

// Withdrawal limits of assets and of single accounts, and how much of them is used.

const COUNTING =
  "Gross amounts count from the time of the request until the end of the clock hour 24 or 72 hours later. Canceled, " +
  "rejected and failed withdrawals do not count. Null: no limit.";

export function withdrawalLimitRoutes(node: AdminNode): AdminRoute[] {
  return [...ofAssets(node), ...ofAccounts(node)];
}

function ofAssets(node: AdminNode): AdminRoute[] {
  const { view } = node;
  const rows = (): object[] => allLimitRows(view, node.sequencer.nowMs());
  return [
    listRoute({
      pattern: "/v1/withdrawal-limits",
      summary: "Returns the withdrawal limits over 24 and 72 hours of all customers together, and their use, by asset.",
      answers: `Assets that have a limit or withdrawals; \`accountLimit24h\` and \`accountLimit72h\` apply to each account. ${COUNTING}`,
      row: limitRow,
      page: () => ({ rows: rows() }),
    }),
    route({
      endpoint: "PUT /v1/assets/:asset/withdrawal-limits",
      needs: "money",
      summary:
        "Sets the withdrawal limits of an asset over 24 and 72 hours. Withdrawals above a limit wait for approval.",
      answers: "The asset. Omitted limits are removed; counted amounts stay.",
      body: withdrawalLimitsSchema,
      handle: async ({ path, body: limits, by }) => {
        const { asset } = findAsset(view, path.asset).spec;
        await carryOut(node, { type: "setWithdrawalLimits", asset, limits, by });
        return ok(findAsset(view, asset).spec);
      },
    }),
  ];
}

function ofAccounts(node: AdminNode): AdminRoute[] {
  const { view } = node;
  const pattern = "/v1/accounts/:account/withdrawal-limits";
  const rowsOf = ({ accountId }: AccountView): object[] => accountLimitRows(view, accountId, node.sequencer.nowMs());
  const set = async (
    { path, by }: Pick<Asked<z.ZodType, "account" | "asset">, "path" | "by">,
    limits: object | null,
  ): Promise<Answer> => {
    const account = findAccount(view, path.account);
    const { asset } = findAsset(view, path.asset).spec;
    const { accountId } = account;
    await carryOut(node, { type: "setAccountWithdrawalLimits", accountId, asset, limits, by });
    return ok({ accountId, limits: rowsOf(account) });
  };
  return [
    listRoute({
      pattern,
      summary: "Returns the withdrawal limits of an account over 24 and 72 hours, and their use, by asset.",
      answers: `A master account and its sub-accounts count together. \`isOwn\`: the limits are set for this account. ${COUNTING}`,
      row: accountLimitRow,
      page: ({ path }) => ({ rows: rowsOf(findAccount(view, path.account)) }),
    }),
    route({
      endpoint: `PUT ${pattern}/:asset`,
      needs: "money",
      summary: "Sets withdrawal limits for an account, which replace those of the asset.",
      answers: "The limits of the account. A window that is omitted has no limit.",
      body: limitsOverTimeSchema,
      handle: ({ body, ...request }) => set(request, body),
    }),
    route({
      endpoint: `DELETE ${pattern}/:asset`,
      needs: "money",
      summary: "Removes the withdrawal limits of an account. Those of the asset apply again.",
      answers: "The limits of the account.",
      handle: (request) => set(request, null),
    }),
  ];
}
