/** Keeps with a deposit or withdrawal who took a step by hand, for later inspection. */
import type { DepositRecord, WithdrawalRecord } from "../entry/wallet-record.ts";

/** The record with the operator's name; a step that the node takes by itself leaves the name as it was. */
export function noted<T extends DepositRecord | WithdrawalRecord>(record: T, { by }: { readonly by?: string }): T {
  return by === undefined ? record : { ...record, by };
}
