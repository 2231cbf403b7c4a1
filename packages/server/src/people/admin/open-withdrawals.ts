/** Which of the withdrawals that are not over a list is of, and where a page of them begins: the oldest first. */
import { type EngineView, OPEN_WITHDRAWAL_STATUSES, type WithdrawalRecord } from "@pricetime/engine";
import { z } from "zod";
import { findNetwork } from "./find-network.ts";
import type { AdminNode } from "./node.ts";
import { findAccount, findAsset } from "./parse.ts";

/** Where a page ended: when that withdrawal was asked for, and its id. It need not be open any more. */
type Place = Pick<WithdrawalRecord, "applyTimeMs" | "withdrawalId">;
const PLACE = /^([0-9]{1,15})\.(.{1,64})$/;
const textOf = ({ applyTimeMs, withdrawalId }: Place): string => `${applyTimeMs}.${withdrawalId}`;

/** What all lists of open withdrawals are narrowed by. */
export const openWithdrawalsSchema = z.strictObject({
  status: z.enum(OPEN_WITHDRAWAL_STATUSES).exactOptional(),
  asset: z.string().exactOptional(),
  network: z.string().exactOptional(),
  account: z.string().exactOptional(),
  /** `applyTimeMs.withdrawalId` of the last one seen. */
  after: z
    .string()
    .regex(PLACE, "applyTimeMs.withdrawalId of the last one seen")
    .transform((text): Place => {
      const [, applyTimeMs, withdrawalId = ""] = PLACE.exec(text) ?? [];
      return { applyTimeMs: Number(applyTimeMs), withdrawalId };
    })
    .exactOptional(),
});
type OpenWithdrawals = z.output<typeof openWithdrawalsSchema>;

interface Page {
  readonly withdrawals: readonly WithdrawalRecord[];
  /** What to send for those after these; absent: these are the last. */
  readonly next: { readonly after: string } | undefined;
}

/** Throws `AdminRefusal` 404 for an account, an asset or a network that does not exist. */
export function pageOfOpenWithdrawals(
  node: Pick<AdminNode, "view" | "wallet">,
  { status, asset, network, account, after, limit }: OpenWithdrawals & { readonly limit: number },
): Page {
  const { view } = node;
  const assetId = asset === undefined ? undefined : findAsset(view, asset).assetId;
  if (network !== undefined) findNetwork(node, network);
  const wanted = openOf(view, account).filter(
    (one) =>
      (status === undefined || one.status === status) &&
      (assetId === undefined || one.assetId === assetId) &&
      (network === undefined || one.network === network) &&
      (after === undefined || comparePlaces(one, after) > 0),
  );
  const withdrawals = wanted.toSorted(comparePlaces).slice(0, limit);
  const last = withdrawals.at(-1);
  return { withdrawals, next: last && wanted.length > limit ? { after: textOf(last) } : undefined };
}

function openOf(view: EngineView, account: string | undefined): readonly WithdrawalRecord[] {
  if (account === undefined) return view.funds.openWithdrawals();
  return [...view.funds.openWithdrawalsOf(findAccount(view, account).accountId)];
}

function comparePlaces(a: Place, b: Place): number {
  if (a.applyTimeMs !== b.applyTimeMs) return a.applyTimeMs - b.applyTimeMs;
  return a.withdrawalId < b.withdrawalId ? -1 : a.withdrawalId > b.withdrawalId ? 1 : 0;
}
