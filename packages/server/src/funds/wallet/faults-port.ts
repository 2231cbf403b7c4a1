/** What a lab does to coins on their way on purpose. Nobody has it elsewhere. */
import type { DepositRecord, WithdrawalRecord } from "@pricetime/engine";

export interface CoinFaults {
  /** Whether the deposit gets no deeper for now. Asked whenever it could. */
  isStuck(deposit: DepositRecord): boolean;
  /** Called before the signed payment of a withdrawal is broadcast for the first time. */
  paymentSigned(withdrawal: WithdrawalRecord): void;
}
