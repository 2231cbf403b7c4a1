/** Gives an account its address on a network. */
import { TREASURY_ACCOUNT } from "../../state/ledger/posting.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AssignDepositAddress } from "../../entry/wallet-command.ts";
import type { DepositAddress } from "../../entry/wallet-record.ts";

export function assignDepositAddress(state: ExchangeState, command: AssignDepositAddress): RejectReason | null {
  const { accountId, network, address, tag } = command;
  const { addresses } = state.funds;
  if (accountId !== TREASURY_ACCOUNT && state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!isNetworkOfSome(state, network)) return "UNKNOWN_NETWORK";
  if (addresses.get(accountId, network) !== undefined) return "ALREADY_EXISTS";
  if (addresses.owner(network, address, tag) !== undefined) return "ALREADY_EXISTS";
  const assigned: DepositAddress = { accountId, network, address, tag };
  addresses.add(assigned);
  state.emit({ type: "depositAddressAssigned", address: assigned });
  return null;
}

function isNetworkOfSome(state: ExchangeState, network: string): boolean {
  return state.assets.some(({ spec }) => spec.networks.some((listed) => listed.network === network));
}
