/** What may be asked of deposits, withdrawals and dust. */
import type { RejectReason } from "../entry/reject.ts";
import type {
  AllowedAddress,
  DepositAddress,
  DepositRecord,
  DustRules,
  WithdrawalRecord,
} from "../entry/wallet-record.ts";

export interface FundsView {
  readonly dustRules: DustRules | undefined;
  /** Why single assets could not be converted now, by name; of those that could be nothing. */
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason>;
  /** Of the account on the network; undefined before one was assigned. */
  depositAddress(accountId: number, network: string): DepositAddress | undefined;
  /** Whose it is. */
  addressOwner(network: string, address: string, tag: string): number | undefined;
  depositAddresses(network: string): Iterable<DepositAddress>;
  /** Pending and credited ones; final and dropped ones are in history. */
  openDeposits(network: string): readonly Readonly<DepositRecord>[];
  /** Open ones: emailSent, awaitingApproval, processing. */
  withdrawal(withdrawalId: string): Readonly<WithdrawalRecord> | undefined;
  openWithdrawals(): readonly Readonly<WithdrawalRecord>[];
  openWithdrawalsOf(accountId: number): Iterable<Readonly<WithdrawalRecord>>;
  /** Free, less what came by deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint;
  allowedAddresses(accountId: number): readonly AllowedAddress[];
  /** Up to where the watcher has read; undefined before it began. */
  networkHeight(network: string): { readonly height: number; readonly blockHash: string } | undefined;
}
