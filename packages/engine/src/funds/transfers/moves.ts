/** Money that an operator moves in or out. Each reference moves money once. */
import type { Debit, Deposit } from "../../entry/command.ts";
import { MAX_TEXT_LENGTH } from "../../limits.ts";
import { DUST_ACCOUNT, FEE_ACCOUNT, OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../../state/ledger/posting.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import { positiveUnitsOf } from "../amount.ts";
import { digestOfContents } from "../../state/funds/used-ids.ts";

/** The venue's accounts that its operator funds and empties. */
const OPERATED_ACCOUNTS: readonly number[] = [FEE_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT];

export function moveMoney(state: ExchangeState, command: Deposit | Debit): RejectReason | null {
  const { accountId, reference } = command;
  if (state.accounts.get(accountId) === undefined && !OPERATED_ACCOUNTS.includes(accountId)) return "UNKNOWN_ACCOUNT";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = positiveUnitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  if (reference === "" || reference.length > MAX_TEXT_LENGTH) return "INVALID_VALUE";
  const { assetId } = asset;
  const contents = digestOfContents(state.edition, [command.type, accountId, assetId, amount]);
  const repeat = state.moveReferences.repeat(reference, contents);
  if (repeat !== null) return repeat;
  if (command.type === "deposit") {
    state.ledger.pay({ assetId, amount, from: OUTSIDE_ACCOUNT, to: accountId, reason: "deposit" });
  } else {
    if (state.ledger.balance(accountId, assetId).free < amount) return "INSUFFICIENT_BALANCE";
    state.ledger.pay({ assetId, amount, from: accountId, to: OUTSIDE_ACCOUNT, reason: "debit" });
  }
  state.moveReferences.add(reference, contents, state.seq);
  const signed = command.type === "deposit" ? amount : -amount;
  state.emit({ type: "balanceMoved", accountId, assetId, amount: signed, reference });
  return null;
}
