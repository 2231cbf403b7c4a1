/**
 * Compares the simulated chain with the exchange: each deposit with enough confirmations is credited once, each
 * withdrawal is paid at most once, and exactly once when it is completed.
 */
import type { WorldFile } from "@pricetime/server/parts";
import { amount, type ModelWithdrawal } from "@pricetime/testkit/models";
import { COINS, FINAL_DEPTH, SANDBOX, WITHDRAW_FEE } from "../outside/network.ts";
import type { Auditor } from "./auditor.ts";

const OPEN: readonly string[] = ["processing", "emailSent", "awaitingApproval"];

export class CoinAudit {
  readonly #auditor: Auditor;
  readonly #file: WorldFile;
  /** The destination of each withdrawal. Each has an address of its own. */
  readonly #addresses = new Map<string, string>();

  constructor(auditor: Auditor, file: WorldFile) {
    this.#auditor = auditor;
    this.#file = file;
  }

  /** A withdrawal was requested. */
  asked(withdrawalId: string, address: string): void {
    this.#addresses.set(withdrawalId, address);
  }

  /** Checks the conditions that must hold at any time. */
  check(): void {
    const { height } = this.#file.world();
    const paid = Map.groupBy(
      this.#file.minedBetween(0, height).filter(({ nonce, isSuccess }) => nonce !== null && isSuccess),
      ({ address }) => address,
    );
    for (const withdrawal of this.#withdrawals()) {
      const address = this.#addresses.get(withdrawal.withdrawalId) ?? "";
      const payments = paid.get(address) ?? [];
      paid.delete(address);
      if (payments.length > 1)
        this.#auditor.fail(`withdrawal ${withdrawal.withdrawalId} was paid ${payments.length} times`);
      this.#checkPayment(withdrawal, payments[0]?.amount);
    }
    const [unrequested] = [...paid.values()].flat();
    if (unrequested !== undefined)
      this.#auditor.fail(`the venue paid what nobody asked for: ${JSON.stringify(unrequested)}`);
    this.#checkCredited();
  }

  /**
   * A deposit that is not credited yet, or a pending withdrawal, that can still progress; undefined if there is none.
   */
  underWay(nowMs: number): string | undefined {
    const { venue } = this.#auditor.model;
    const finalHeight = this.#file.world().height - FINAL_DEPTH;
    const known = new Map(this.#deposits().map((deposit) => [deposit.txId, deposit.status]));
    const coin = this.#coinsOfOurs(finalHeight).find(
      ({ txId, asset }) => known.get(txId) !== "success" && !venue.stopsCoin(asset, SANDBOX, nowMs),
    );
    if (coin !== undefined) return `coin ${coin.txId} is ${known.get(coin.txId)} for ever`;
    const payment = this.#withdrawals().find(
      ({ status, asset }) => status === "processing" && !venue.stopsWithdrawing(asset, SANDBOX, nowMs),
    );
    return payment && `withdrawal ${payment.withdrawalId} is on its way for ever`;
  }

  #checkPayment({ withdrawalId, status, amount: asked }: ModelWithdrawal, paid: string | undefined): void {
    const isRight = paid === undefined || amount(paid) === asked - amount(WITHDRAW_FEE);
    if (!isRight) this.#auditor.fail(`withdrawal ${withdrawalId} was paid ${paid}`);
    if (status === "completed" && paid === undefined)
      this.#auditor.fail(`${withdrawalId} is done, and nobody was paid`);
    if (!OPEN.includes(status) && status !== "completed" && paid !== undefined) {
      this.#auditor.fail(`${withdrawalId} is ${status}, and was paid`);
    }
  }

  /** Each deposit that is final on the exchange is on the chain as often. */
  #checkCredited(): void {
    const there = new Map(this.#coinsOfOurs(this.#file.world().height).map((coin) => [coin.txId, coin]));
    const seen = new Set<string>();
    for (const { txId, status, amount: credited } of this.#deposits()) {
      if (seen.has(txId)) this.#auditor.fail(`coin ${txId} is in the books twice`);
      seen.add(txId);
      if (status !== "success") continue;
      const coin = there.get(txId);
      if (coin === undefined) this.#auditor.fail(`coin ${txId} is final, and not on the chain`);
      else if (amount(coin.amount) !== credited) this.#auditor.fail(`coin ${txId} is of ${coin.amount}`);
    }
  }

  #coinsOfOurs(
    toHeight: number,
  ): readonly { readonly txId: string; readonly asset: string; readonly amount: string }[] {
    const ours = new Set(
      this.#auditor.model.wallet.addresses.filter(({ network }) => network === SANDBOX).map(({ address }) => address),
    );
    if (toHeight < 0) return [];
    const known = new Set(COINS.map(({ asset }) => asset));
    return this.#file
      .minedBetween(0, toHeight)
      .filter(
        ({ address, asset, nonce, isSuccess }) => ours.has(address) && known.has(asset) && nonce === null && isSuccess,
      );
  }

  #deposits(): readonly { readonly txId: string; readonly status: string; readonly amount: bigint }[] {
    return this.#auditor.model.wallet.deposits
      .filter(({ network }) => network === SANDBOX)
      .map(({ coin, status, amount: value }) => ({
        txId: (JSON.parse(coin) as string[])[1] as string,
        status,
        amount: value,
      }));
  }

  #withdrawals(): readonly ModelWithdrawal[] {
    return this.#auditor.model.wallet.withdrawals.filter(({ network }) => network === SANDBOX);
  }
}
