/** The route of what an operator looks at before approving a withdrawal. */
import type { WithdrawalRecord } from "@pricetime/engine";
import { z } from "zod";
import { carriedText } from "../../history/shapes/amounts.ts";
import type { WithdrawalPast } from "../../history/venue-port.ts";
import { refusalOf } from "./answer.ts";
import { fromHistory } from "./from-history.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { openWithdrawalsSchema, pageOfOpenWithdrawals } from "./open-withdrawals.ts";
import type { Route } from "./router.ts";

const DAY_MS = 86_400_000;
const MAX_RISKS = 500;

const riskSchema = openWithdrawalsSchema.extend({
  withdrawal: z.string().exactOptional(),
  /** Deposits and accounts that are younger than this get a mark. */
  youngMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(365 * DAY_MS)
    .default(DAY_MS),
  limit: z.coerce.number().int().min(1).max(MAX_RISKS).default(100),
});

const RISK_COLUMNS = [
  ...["withdrawalId", "accountId", "email", "asset", "network", "amount", "address", "tag", "status", "applyTimeMs"],
  ...["waitingMs", "needsApproval", "marks", "isOnAddressList", "completedBefore", "completedToAddress"],
  ...["newestDepositAgeMs", "accountAgeMs"],
] as const;

export function riskRoutes(node: AdminNode): Route[] {
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
      columns: RISK_COLUMNS,
      filePage: { limit: MAX_RISKS },
      page: async ({ asked: { withdrawal, youngMs, ...asked } }) => {
        if (withdrawal !== undefined) return { rows: await risks(node, [findWithdrawal(node, withdrawal)], youngMs) };
        const { withdrawals, next } = pageOfOpenWithdrawals(node, asked);
        return { rows: await risks(node, withdrawals, youngMs), next };
      },
    }),
  ];
}

function findWithdrawal({ view }: AdminNode, withdrawalId: string): WithdrawalRecord {
  const one = view.funds.withdrawal(withdrawalId);
  if (one === undefined) throw refusalOf("UNKNOWN_WITHDRAWAL");
  return one;
}

async function risks(
  { view, world, history }: AdminNode,
  withdrawals: readonly WithdrawalRecord[],
  youngMs: number,
): Promise<object[]> {
  const questions = withdrawals.map(({ withdrawalId, accountId, network, address, tag }) => {
    return { withdrawalId, accountId, network, address, tag };
  });
  const pasts = await fromHistory(history.withdrawalPasts(view.seq, questions));
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
