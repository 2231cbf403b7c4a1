/** Decides whether a mined transaction did what it was sent for. */
import { getAddress, parseEventLogs, type Transaction, type TransactionReceipt } from "viem";
import { readTransfer, type Tokens, TRANSFER_EVENT } from "./token.ts";

/** A token may answer a transfer with "no" without reverting, so a token payment counts by its Transfer event. */
export function hasPaid(transaction: Transaction, receipt: TransactionReceipt, tokens: Tokens): boolean {
  if (receipt.status !== "success") return false;
  const token = tokens.at(transaction.to);
  const meant = token === undefined ? undefined : readTransfer(transaction.input);
  if (token === undefined || meant === undefined) return true;
  const from = getAddress(transaction.from);
  return parseEventLogs({ abi: [TRANSFER_EVENT], logs: receipt.logs }).some(
    ({ address, args }) =>
      getAddress(address) === token.contract &&
      getAddress(args.from) === from &&
      getAddress(args.to) === getAddress(meant.to) &&
      args.value === meant.value,
  );
}
