/** Queries about deposits, withdrawals and dust. */
import type { RejectReason } from "../entry/reject.ts";
import type { CoinId } from "../entry/wallet-command.ts";
import type {
  AllowedAddress,
  DepositAddress,
  DepositRecord,
  DustRules,
  LetterStatus,
  WithdrawalRecord,
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
  /** Open withdrawals: emailSent, awaitingApproval, processing. */
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined;
  openWithdrawals(): readonly WithdrawalRecord[];
  /** Where the letter of a withdrawal stands that waits for its link; "waiting" for any other. */
  letter(withdrawalId: string): LetterStatus;
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord>;
  /** Free money less deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint;
  allowedAddresses(accountId: number): readonly AllowedAddress[];
  /** The accounts that have `allowedAddresses`; may be walked while others come and go. */
  accountsWithAddresses(): Iterable<number>;
  /** The height up to which the watcher has read; undefined before it began. */
  networkHeight(network: string): { readonly height: number; readonly blockHash: string } | undefined;
}
