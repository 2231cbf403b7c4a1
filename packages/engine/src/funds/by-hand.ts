/** Who took a step of a deposit or a withdrawal by hand: kept with it, for those who look at it later. */
import type { DepositRecord, WithdrawalRecord } from "../entry/wallet-record.ts";

/** The record with the name; steps that the node takes by itself leave what was noted. */
export function noted<T extends DepositRecord | WithdrawalRecord>(record: T, { by }: { readonly by?: string }): T {
  return by === undefined ? record : { ...record, by };
}
