/** Money between a master account and its sub-accounts. Interface 3.9. */
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import { positiveUnitsOf } from "../amount.ts";
import type { Transfer } from "../../entry/wallet-command.ts";
import { digestOfContents } from "../../state/funds/used-ids.ts";
import { withdrawable } from "../withdrawals/withdrawable.ts";

/** Money that may not be withdrawn from an account may not be transferred out of it either. */
export function transfer(state: ExchangeState, command: Transfer): RejectReason | null {
  const { accountId: masterId, fromAccountId, toAccountId } = command;
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const [master, from, to] = [masterId, fromAccountId, toAccountId].map((id) => state.accounts.get(id));
  if (master === undefined || from === undefined || to === undefined) return "UNKNOWN_ACCOUNT";
  if (master.masterId !== null) return "MASTER_ONLY";
  if (from === to) return "SAME_ACCOUNT";
  if ([from, to].some((account) => state.accounts.masterOf(account) !== masterId)) return "NOT_RELATED";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const { assetId } = asset;
  const clientTranId = state.edition < 4 ? undefined : command.clientTranId;
  const contents = digestOfContents(state.edition, [fromAccountId, toAccountId, assetId, amount]);
  if (clientTranId !== undefined) {
    const repeat = state.funds.transferIds.repeat(masterId, clientTranId, contents);
    if (repeat !== null) return repeat;
  }
  if (!from.canWithdraw) return "ACCOUNT_MAY_NOT_WITHDRAW";
  if (withdrawable(state, fromAccountId, assetId) < amount) return "INSUFFICIENT_BALANCE";
  state.ledger.pay({ assetId, amount, from: fromAccountId, to: toAccountId, reason: "transfer" });
  const tranId = ++state.funds.lastTranId;
  const moved = { tranId, masterId, fromAccountId, toAccountId, assetId, amount };
  if (clientTranId === undefined) {
    state.emit({ type: "transferred", ...moved });
  } else {
    state.funds.transferIds.add(masterId, clientTranId, { contents, seq: state.seq, tranId });
    state.emit({ type: "transferred", ...moved, clientTranId });
  }
  return null;
}
