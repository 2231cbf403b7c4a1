import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { dustFaults } from "./dust/dust.ts";
import type { NetworkHeight } from "../state/funds/funds.ts";
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
import type { LimitsOverTime } from "../entry/symbol.ts";
import type { FundsView } from "../view/funds-view.ts";
import { masterIdOf } from "./withdrawals/limits-over-time.ts";
import { withdrawable } from "./withdrawals/withdrawable.ts";

export class FundsReader implements FundsView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  get dustRules(): DustRules | undefined {
    return this.#state.funds.dustRules;
  }
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason> {
    return dustFaults(this.#state, accountId, assets);
  }

  depositAddress(accountId: number, network: string): DepositAddress | undefined {
    return this.#state.funds.addresses.get(accountId, network);
  }
  addressOwner(network: string, address: string, tag: string): number | undefined {
    return this.#state.funds.addresses.owner(network, address, tag);
  }
  depositAddresses(network: string): Iterable<DepositAddress> {
    return this.#state.funds.addresses.of(network);
  }

  openDeposits(network: string): readonly DepositRecord[] {
    return this.#state.funds.deposits.of(network);
  }
  isDeposit(coin: CoinId): boolean {
    return this.#state.funds.deposits.isTaken(coin);
  }
  isDropped(coin: CoinId): boolean {
    return this.#state.funds.deposits.isDropped(coin);
  }
  openDeposit(coin: CoinId): DepositRecord | undefined {
    const found = this.#state.funds.deposits.find(coin);
    return typeof found === "string" ? undefined : found;
  }
  finalDepositId(coin: CoinId): number | undefined {
    return this.#state.funds.deposits.idOfFinal(coin);
  }
  entryOfReference(reference: string): number | undefined {
    return this.#state.moveReferences.get(reference)?.seq || undefined;
  }
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined {
    const use = this.#state.funds.distributed.get(reference);
    return use === undefined || use.seq === 0 ? undefined : { seq: use.seq, tranId: Number(use.answer) };
  }
  transferOf(masterId: number, clientTranId: string): number | undefined {
    return this.#state.funds.transferIds.tranIdOf(masterId, clientTranId);
  }
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined {
    return this.#state.funds.withdrawals.get(withdrawalId);
  }
  openWithdrawals(): readonly WithdrawalRecord[] {
    return [...this.#state.funds.withdrawals.all()];
  }
  letter(withdrawalId: string): LetterStatus {
    return this.#state.funds.withdrawals.letter(withdrawalId);
  }
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord> {
    return this.#state.funds.withdrawals.of(accountId);
  }
  withdrawable(accountId: number, assetId: number): bigint {
    return withdrawable(this.#state, accountId, assetId);
  }

  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums> {
    const masterId = accountId === null ? null : masterIdOf(this.#state, accountId);
    return this.#state.funds.withdrawalCounts.withdrawn(masterId, nowMs);
  }
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime> {
    return this.#state.funds.withdrawalCounts.allOwnLimitsOf(masterIdOf(this.#state, accountId));
  }

  allowedAddresses(accountId: number): readonly AllowedAddress[] {
    return this.#state.funds.allowed.of(accountId);
  }
  accountsWithAddresses(): Iterable<number> {
    return this.#state.funds.allowed.accountIds();
  }
  networkHeight(network: string): NetworkHeight | undefined {
    return this.#state.funds.heights.get(network);
  }
}
