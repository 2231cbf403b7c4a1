/** Who took a step of a deposit or a withdrawal by hand: kept with it, for those who look at it later. */
import type { DepositRecord, WithdrawalRecord } from "../entry/wallet-record.ts";

/** Steps that the node takes by itself leave what was noted. */
export function noteHand(record: DepositRecord | WithdrawalRecord, { by }: { readonly by?: string }): void {
  if (by !== undefined) record.by = by;
}
