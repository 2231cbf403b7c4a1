/** Queries about deposits, withdrawals and dust. */
import type { RejectReason } from "../entry/reject.ts";
import type { LimitsOverTime } from "../entry/symbol.ts";
import type { CoinId } from "../entry/wallet-command.ts";
import type {
  AllowedAddress,
  DepositAddress,
  DepositRecord,
  DustRules,
  LetterStatus,
  WithdrawalRecord,
  WithdrawnSums,
} from "../entry/wallet-record.ts";

export interface FundsView {
  readonly dustRules: DustRules | undefined;
  /** Why single assets could not be converted now, by name; convertible assets are left out. */
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason>;
  /** The account's address on the network; undefined before one is assigned. */
  depositAddress(accountId: number, network: string): DepositAddress | undefined;
  /** The account to which the address belongs. */
  addressOwner(network: string, address: string, tag: string): number | undefined;
  depositAddresses(network: string): Iterable<DepositAddress>;
  /** Pending and credited deposits; final and dropped ones are in history. */
  openDeposits(network: string): readonly DepositRecord[];
  /** Whether the coin is a deposit, on its way or final. */
  isDeposit(coin: CoinId): boolean;
  /** Whether the coin was a deposit and was dropped. */
  isDropped(coin: CoinId): boolean;
  /** The deposit while it is pending or credited. */
  openDeposit(coin: CoinId): DepositRecord | undefined;
  /** The number of a final deposit; undefined: it is not final, or was before rules version 4. */
  finalDepositId(coin: CoinId): number | undefined;
  /** The entry that used the reference of a deposit, debit or adjustment; undefined: none, or before rules version 4. */
  entryOfReference(reference: string): number | undefined;
  /** The dividend with this reference; undefined: none, or it was paid before rules version 4. */
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined;
  /** The number of the transfer that the master made under its own id, while the id is remembered. */
  transferOf(masterId: number, clientTranId: string): number | undefined;
  /** Open withdrawals: emailSent, awaitingApproval, processing. */
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined;
  openWithdrawals(): readonly WithdrawalRecord[];
  /** Where the letter of a withdrawal stands that waits for its link; "waiting" for any other. */
  letter(withdrawalId: string): LetterStatus;
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord>;
  /** Free money less deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint;
  /**
   * What was withdrawn lately, by asset id, in units: by the account with its master and sub-accounts, or (null) by all
   * customers. Assets of which nothing was withdrawn are left out.
   */
  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums>;
  /** The limits of the account's own, by asset id, instead of the assets'; a sub-account has its master's. */
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime>;
  allowedAddresses(accountId: number): readonly AllowedAddress[];
  /** The accounts that have `allowedAddresses`; may be walked while others come and go. */
  accountsWithAddresses(): Iterable<number>;
  /** The height up to which the watcher has read; undefined before it began. */
  networkHeight(network: string): { readonly height: number; readonly blockHash: string } | undefined;
}
