/**
 * Pays the withdrawals of one network in the order of their requests, with a limit on concurrent payments. Each
 * withdrawal is signed with the next nonce, journaled, broadcast, and followed until it is final. A stuck payment is
 * signed again with the same nonce and a higher fee. The journal is authoritative: after a restart, the same bytes are
 * broadcast again and nothing is signed again, so nothing is paid twice. docs/decisions/0021.
 */
import assert from "node:assert/strict";
import { type Command, type EngineView, formatDecimal, type WithdrawalRecord } from "@pricetime/engine";
import {
  type Block,
  type Payment,
  PaymentRefused,
  type Raise,
  type SignedPayment,
  type TransactionState,
} from "./chain.ts";
import {
  depths,
  type FollowerParts,
  MAX_RAISES_BY_ITSELF,
  refusalOf,
  Refusals,
  ROUNDS_TO_BELIEVE,
  TELL_OF_STUCK_AFTER_MS,
} from "./follower-parts.ts";
import type { Clock, Saves, Timers } from "../../platform/world/port.ts";
import { ControlRefused } from "./port.ts";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";

type Withdrawal = WithdrawalRecord;
type Mined = Extract<TransactionState, { state: "mined" }>;
type WithdrawalCommand = Parameters<typeof refusalOf>[1] & { readonly withdrawalId: string };

class Payments {
  readonly #parts: FollowerParts;
  readonly #network: string;
  readonly #refusals: Refusals;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    this.#refusals = new Refusals(parts.saved, "sender/refusals");
  }

  /**
   * `ahead`: signed transactions with lower nonces that are not mined yet. Resolves to the signed withdrawal, or null
   * if it was not signed (for example because it can never be paid and has failed). Rejects with the chain's error if
   * it cannot be paid now.
   */
  async sign(withdrawal: Withdrawal, nonce: number, ahead: readonly string[], head: Block): Promise<Withdrawal | null> {
    const { chain, view } = this.#parts;
    const { withdrawalId } = withdrawal;
    if (this.#refusals.isRecent(`signWithdrawal ${withdrawalId}`, head.height)) return null;
    let signed: SignedPayment;
    try {
      signed = await chain.sign(paymentOf(view, withdrawal, nonce), ahead);
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      await this.#run(head, { type: "failWithdrawal", withdrawalId, why: error.message });
      return null;
    }
    return this.#send(withdrawal, nonce, signed, head);
  }

  /** Signs a stuck payment again with a higher fee. Resolves to whether the exchange accepted it. */
  async raise(withdrawal: Withdrawal, raise: Omit<Raise, "stuck">, head: Block, by?: string): Promise<boolean> {
    const { chain, view } = this.#parts;
    const { nonce, signedTx } = withdrawal;
    const signed = await chain.raise(paymentOf(view, withdrawal, nonce), { ...raise, stuck: signedTx });
    return (await this.#send(withdrawal, nonce, signed, head, by)) !== null;
  }

  /**
   * Completes a withdrawal whose transaction is final. The network fee is journaled first, because completed
   * withdrawals are not processed again.
   */
  async finish(withdrawal: Withdrawal, txId: string, { isSuccess, cost }: Mined, head: Block): Promise<void> {
    const { sequencer, log } = this.#parts;
    const { withdrawalId } = withdrawal;
    const type = isSuccess ? "completeWithdrawal" : "failSignedWithdrawal";
    if (this.#refusals.isRecent(`${type} ${withdrawalId}`, head.height)) return;
    if (cost !== null) {
      const refusal = await refusalOf(sequencer, { type: "payNetworkCost", network: this.#network, txId, ...cost });
      if (refusal !== null && refusal !== "ALREADY_EXISTS" && refusal !== "CONTENTS_NOT_KEPT") {
        log.error({ network: this.#network, txId, ...cost, why: refusal }, "network fee not booked");
      }
    }
    const why = `the network included ${txId} without paying it`;
    await this.#run(head, isSuccess ? { type: "completeWithdrawal", withdrawalId, txId } : failed(withdrawal, why));
  }

  /** Fails a withdrawal because another transaction with its nonce is final. */
  async displaced(withdrawal: Withdrawal, head: Block): Promise<void> {
    await this.#run(head, failed(withdrawal, `another transaction took its nonce, ${withdrawal.nonce}`));
  }

  async #send(
    { withdrawalId }: Withdrawal,
    nonce: number,
    { txId, signedTx }: SignedPayment,
    head: Block,
    by?: string,
  ): Promise<Withdrawal | null> {
    const hand = by === undefined ? {} : { by };
    const signed = await this.#run(head, { type: "signWithdrawal", withdrawalId, txId, nonce, signedTx, ...hand });
    if (signed === null) return null;
    this.#parts.faults?.paymentSigned(signed);
    await this.#parts.chain.broadcast(signedTx);
    return signed;
  }

  /** Runs a command. Resolves to the withdrawal after it, or null if the exchange rejected the command. */
  async #run(head: Block, command: WithdrawalCommand): Promise<Withdrawal | null> {
    const { type, withdrawalId } = command;
    const { events } = await this.#parts.sequencer.run(command);
    const [first] = events;
    const about = { network: this.#network, withdrawalId };
    if (first?.type === "withdrawalChanged") {
      this.#parts.log.info(about, type);
      return first.withdrawal;
    }
    assert(first?.type === "rejected", "a step of a withdrawal changes it, or is refused");
    if (first.reason === "STOPPED") return null;
    this.#refusals.add(`${type} ${withdrawalId}`, head.height);
    this.#parts.log.error({ ...about, why: first.reason }, `${type} was rejected`);
    return null;
  }
}

function paymentOf(view: EngineView, { assetId, address, tag, amount, fee }: Withdrawal, nonce: number): Payment {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, address, tag, amount: formatDecimal(amount - fee, precision, precision), nonce };
}

/**
 * The command that fails a withdrawal. It names the expected transaction, so that the exchange can check that nothing
 * else was signed since.
 */
function failed({ withdrawalId, txId, nonce }: Withdrawal, why: string): Command<"failSignedWithdrawal"> {
  return { type: "failSignedWithdrawal", withdrawalId, txId, nonce, why };
}

export interface SenderParts extends FollowerParts {
  /** Maximum number of pending payments at a time. */
  readonly maxPendingPayments: number;
  /** A payment that is stuck for this long is signed again with a higher fee; 0: only on an operator's request. */
  readonly raiseFeeAfterMs: number;
  /** The clock is the journal's time. */
  readonly world: Clock & Timers & Saves;
  /** Why payments are held now; "" if they are allowed. Called at each step. Default: payments are allowed. */
  readonly whyHeld?: () => string;
}

/** The state of the chain at the start of a round. */
interface Look {
  readonly head: Block;
  /** The next nonce of the paying account as of the head, which is the nonce of the next payment to be mined. */
  readonly nextNonce: number;
}

const SAVED = z.strictObject({
  roundsDisplaced: z.array(z.tuple([z.string(), savedCount])),
  inTurn: z.strictObject({ txId: z.string(), sinceHeight: savedCount }),
  note: z.string(),
});

const NOBODY = { txId: "", sinceHeight: 0 };

export class Sender {
  readonly #parts: SenderParts;
  readonly #network: string;
  readonly #payments: Payments;
  /** Number of consecutive rounds in which another transaction with the same nonce was final, by withdrawal id. */
  readonly #roundsDisplaced: Map<string, number>;
  /** The payment to be mined next, and the head at the time when it became the next. */
  #inTurn: typeof NOBODY;
  #note: string;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    this.#payments = new Payments(parts);
    const restored = parts.saved.restore("sender", SAVED, () => {
      return { roundsDisplaced: [...this.#roundsDisplaced], inTurn: this.#inTurn, note: this.#note };
    });
    this.#roundsDisplaced = new Map(restored?.roundsDisplaced);
    this.#inTurn = restored?.inTurn ?? NOBODY;
    this.#note = restored?.note ?? "";
  }

  /** A warning for operators while the chain answers; "" if there is none. */
  get note(): string {
    return this.#note;
  }

  /** Whether a round would find nothing. See `Loop`. */
  skip(): boolean {
    return this.#note === "" && !this.#parts.view.funds.openWithdrawals().some((one) => this.#isProcessed(one));
  }

  /**
   * Follows pending payments and signs further ones. Returns true if nothing remains to do until the chain advances,
   * false to run again.
   */
  async round(): Promise<boolean> {
    const { view } = this.#parts;
    const all = this.#processing();
    this.#note = all.length === 0 ? "" : this.#whyHeld();
    if (all.length === 0 || this.#note !== "") return true;
    const look = await this.#look();
    const underWay: Withdrawal[] = [];
    for (const withdrawal of inOrderOfNonces(all)) {
      await this.#follow(withdrawal, look, underWay);
      if (view.funds.withdrawal(withdrawal.withdrawalId) !== undefined) underWay.push(withdrawal);
    }
    await this.#signNext(
      all.filter((one) => one.txIds.length === 0 && !this.#isStopped(one)),
      underWay,
      look,
    );
    return all.every(({ withdrawalId }) => view.funds.withdrawal(withdrawalId) !== undefined);
  }

  /**
   * Raises the fee immediately, on an operator's request. Not called during a round. Rejects with `ControlRefused`,
   * `PaymentRefused` or `ChainUnreachable`.
   */
  async raise(withdrawalId: string, by: string): Promise<void> {
    const whyHeld = this.#whyHeld();
    if (whyHeld !== "") throw new ControlRefused(whyHeld);
    const payments = inOrderOfNonces(this.#processing());
    const withdrawal = payments.find((each) => each.withdrawalId === withdrawalId);
    if (withdrawal === undefined) throw new ControlRefused(`nothing is signed for ${withdrawalId} on ${this.#network}`);
    if (this.#isStopped(withdrawal)) throw new ControlRefused("an operator has stopped it: lift the stop first");
    const { head, nextNonce } = await this.#look();
    const { mined } = await this.#find(withdrawal);
    if (mined !== undefined) throw new ControlRefused(`a block holds it already, as ${mined.txId}`);
    if (nextNonce > withdrawal.nonce)
      throw new ControlRefused(`another transaction took its nonce, ${withdrawal.nonce}`);
    const ahead = waiting(payments, nextNonce).filter(({ nonce }) => nonce < withdrawal.nonce);
    const isTaken = await this.#payments.raise(withdrawal, { ahead: raw(ahead), isByHand: true }, head, by);
    if (!isTaken) throw new ControlRefused("the exchange refused: it was signed too often, or is over");
  }

  #whyHeld(): string {
    return this.#parts.whyHeld?.() ?? "";
  }

  async #look(): Promise<Look> {
    const { chain } = this.#parts;
    const head = await chain.head();
    return { head, nextNonce: await chain.minedNonce(head.height) };
  }

  /** The withdrawals in status "processing", in the order of their requests. */
  #processing(): readonly Withdrawal[] {
    return this.#parts.view.funds
      .openWithdrawals()
      .filter((one) => this.#isProcessed(one))
      .toSorted((a, b) => a.applyTimeMs - b.applyTimeMs);
  }

  /**
   * Whether an operator has suspended withdrawals of this asset or network. A payment that was already broadcast may
   * still arrive.
   */
  #isStopped({ assetId, network }: Withdrawal): boolean {
    const { view, world } = this.#parts;
    return view.venue.stopsWithdrawing(view.asset(assetId).spec.asset, network, world.nowMs());
  }

  #isProcessed({ network, status }: Withdrawal): boolean {
    return network === this.#network && status === "processing";
  }

  /**
   * Follows one payment. `ahead`: the pending payments with lower nonces. A payment completes only after them, so the
   * highest pending nonce is the highest signed nonce that is still relevant.
   */
  async #follow(withdrawal: Withdrawal, look: Look, ahead: readonly Withdrawal[]): Promise<void> {
    const { head } = look;
    const { mined, isLastKnown } = await this.#find(withdrawal);
    const finalHeight = this.#finalHeight(withdrawal, head);
    if (mined !== undefined) {
      this.#roundsDisplaced.delete(withdrawal.withdrawalId);
      if (withdrawal.txIds.includes(this.#inTurn.txId)) this.#inTurn = NOBODY;
      const isOver = ahead.length === 0 && mined.state.block.height <= finalHeight;
      if (isOver) await this.#payments.finish(withdrawal, mined.txId, mined.state, head);
      return;
    }
    if (await this.#isDisplaced(withdrawal, look, finalHeight)) {
      const rounds = (this.#roundsDisplaced.get(withdrawal.withdrawalId) ?? 0) + 1;
      const isBelieved = rounds >= ROUNDS_TO_BELIEVE && ahead.length === 0;
      if (isBelieved) this.#roundsDisplaced.delete(withdrawal.withdrawalId);
      else this.#roundsDisplaced.set(withdrawal.withdrawalId, rounds);
      if (isBelieved) await this.#payments.displaced(withdrawal, head);
      return;
    }
    this.#roundsDisplaced.delete(withdrawal.withdrawalId);
    await this.#push(withdrawal, isLastKnown, look);
  }

  async #find({
    txIds,
  }: Withdrawal): Promise<{ readonly mined?: { txId: string; state: Mined }; readonly isLastKnown: boolean }> {
    let isLastKnown = false;
    for (const txId of txIds) {
      const state = await this.#parts.chain.transaction(txId);
      if (state.state === "mined") return { mined: { txId, state }, isLastKnown: true };
      isLastKnown = state.state !== "unknown";
    }
    return { isLastKnown };
  }

  /**
   * Whether another transaction with the payment's nonce is final. Called after the payment's own transactions were not
   * found.
   */
  async #isDisplaced({ nonce }: Withdrawal, { nextNonce }: Look, finalHeight: number): Promise<boolean> {
    if (nextNonce <= nonce || finalHeight < 0) return false;
    return (await this.#parts.chain.minedNonce(finalHeight)) > nonce;
  }

  /** Broadcasts the payment again if the chain has lost it, or raises its fee if it is stuck. */
  async #push(withdrawal: Withdrawal, isLastKnown: boolean, look: Look): Promise<void> {
    if (this.#isStopped(withdrawal)) return;
    const isPassedOver = this.#isPassedOver(withdrawal, look);
    try {
      if (!isLastKnown) await this.#parts.chain.broadcast(withdrawal.signedTx);
    } catch (error) {
      // The chain may not accept the payment at its fee. An error before it is next in turn is irrelevant.
      if (!isPassedOver && withdrawal.nonce <= look.nextNonce) throw error;
    }
    if (isPassedOver) await this.#payments.raise(withdrawal, { ahead: [], isByHand: false }, look.head);
  }

  /**
   * Whether to raise the payment's fee: it is the next one to be mined, and blocks have been mined without it for too
   * long. The payments after it are waiting for it, so their fees are not raised. If only operators raise fees, they
   * are notified.
   */
  #isPassedOver({ withdrawalId, txId, txIds, nonce, updateTimeMs }: Withdrawal, { head, nextNonce }: Look): boolean {
    const { raiseFeeAfterMs, world } = this.#parts;
    if (nonce !== nextNonce) return false;
    if (this.#inTurn.txId !== txId) this.#inTurn = { txId, sinceHeight: head.height };
    const isStuck =
      head.height > this.#inTurn.sinceHeight &&
      world.nowMs() - updateTimeMs >= (raiseFeeAfterMs || TELL_OF_STUCK_AFTER_MS);
    const isOwn = raiseFeeAfterMs > 0 && txIds.length <= MAX_RAISES_BY_ITSELF;
    if (isStuck && !isOwn) this.#note = `the payment of withdrawal ${withdrawalId} is stuck; its fee can be raised`;
    return isStuck && isOwn;
  }

  async #signNext(unsigned: readonly Withdrawal[], underWay: Withdrawal[], look: Look): Promise<void> {
    for (const withdrawal of unsigned) {
      if (underWay.length >= this.#parts.maxPendingPayments) return;
      const nonce = await this.#nonceFor(withdrawal, underWay, look);
      if (nonce === undefined) return;
      const ahead = raw(waiting(underWay, look.nextNonce));
      const signed = await this.#payments.sign(withdrawal, nonce, ahead, look.head);
      if (signed !== null) underWay.push(signed);
      // Payments keep their order: a payment that cannot be signed yet blocks the payments after it.
      else if (this.#parts.view.funds.withdrawal(withdrawal.withdrawalId) !== undefined) return;
    }
  }

  /**
   * Returns the nonce after the last pending payment. If there is none, or another transaction of the account took that
   * nonce, returns the account's next nonce, but only once everything before it is final: a payment would wait forever
   * for a nonce that left the chain. Undefined if that is not yet the case.
   */
  async #nonceFor(
    withdrawal: Withdrawal,
    underWay: readonly Withdrawal[],
    { head, nextNonce }: Look,
  ): Promise<number | undefined> {
    const last = underWay.at(-1);
    if (last !== undefined && last.nonce + 1 >= nextNonce) return last.nonce + 1;
    const finalHeight = Math.max(0, this.#finalHeight(withdrawal, head));
    return (await this.#parts.chain.minedNonce(finalHeight)) === nextNonce ? nextNonce : undefined;
  }

  /** The height of the newest block that is final for the withdrawal's asset; may be negative. */
  #finalHeight({ assetId }: Withdrawal, head: Block): number {
    return head.height - depths(this.#parts.view, assetId, this.#network).final + 1;
  }
}

/** The signed withdrawals in ascending order of nonces. */
function inOrderOfNonces(withdrawals: readonly Withdrawal[]): readonly Withdrawal[] {
  const signed = withdrawals.filter(({ txIds }) => txIds.length > 0);
  return signed.toSorted((a, b) => a.nonce - b.nonce);
}

/** The payments that are not mined yet. */
function waiting(payments: readonly Withdrawal[], nextNonce: number): readonly Withdrawal[] {
  return payments.filter(({ nonce }) => nonce >= nextNonce);
}

function raw(payments: readonly Withdrawal[]): readonly string[] {
  return payments.map(({ signedTx }) => signedTx);
}
