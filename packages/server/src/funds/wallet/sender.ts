/**
 * Pays the withdrawals of one network, a bounded number at a time, in the order of their requests: each is signed with
 * the next nonce, journaled, broadcast, and followed until it is final. A stuck payment is signed again with the same
 * nonce and a higher fee. The journal is authoritative: a restart broadcasts the same bytes and signs nothing again, so
 * nothing is paid twice. docs/decisions/0021.
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
   * if it was not signed (for example because it can never be paid and has failed). Rejects like a chain while it
   * cannot be paid.
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

  /** Signs a stuck payment again with a higher fee. Returns whether the exchange accepted it. */
  async raise(withdrawal: Withdrawal, raise: Omit<Raise, "stuck">, head: Block, by?: string): Promise<boolean> {
    const { chain, view } = this.#parts;
    const { nonce, signedTx } = withdrawal;
    const signed = await chain.raise(paymentOf(view, withdrawal, nonce), { ...raise, stuck: signedTx });
    return (await this.#send(withdrawal, nonce, signed, head, by)) !== null;
  }

  /**
   * Completes a withdrawal whose transaction is final. Its network fee is journaled first, because a completed
   * withdrawal is not looked at again.
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

  /** Fails a withdrawal whose nonce was taken by another final transaction. */
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

  /** The withdrawal after the command; null if the exchange rejected it. */
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
 * Names the transaction that was looked for, so that the exchange can check that nothing else has been signed since.
 */
function failed({ withdrawalId, txId, nonce }: Withdrawal, why: string): Command<"failSignedWithdrawal"> {
  return { type: "failSignedWithdrawal", withdrawalId, txId, nonce, why };
}

export interface SenderParts extends FollowerParts {
  /** The most pending payments at a time. */
  readonly maxPendingPayments: number;
  /** A payment that is stuck for this long is signed again with a higher fee; 0: only by an operator. */
  readonly raiseFeeAfterMs: number;
  /** The journal's time. */
  readonly world: Clock & Timers & Saves;
  /** Why no payments are allowed now, or ""; called at each step. Default: payments are allowed. */
  readonly whyHeld?: () => string;
}

/** The state of the chain in a round. */
interface Look {
  readonly head: Block;
  /** The next nonce of the paying account as of the head: that of the payment to be mined next. */
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
  /** The consecutive rounds in which another transaction with a withdrawal's nonce was final. */
  readonly #roundsDisplaced: Map<string, number>;
  /** The transaction to be mined next, and the head when it became the next. */
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

  /** A message for operators although the chain answers; "" if there is none. */
  get note(): string {
    return this.#note;
  }

  /** Whether a round would find nothing. See `Loop`. */
  skip(): boolean {
    return this.#note === "" && !this.#parts.view.funds.openWithdrawals().some((one) => this.#isProcessed(one));
  }

  /**
   * Follows pending payments and signs further ones. True: nothing to do until the chain advances; false: run again.
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
   * Raises the fee immediately, for an operator. Not called during a round. Rejects with `ControlRefused`,
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

  /** Whether an operator has suspended such withdrawals. A payment that was already sent may still arrive. */
  #isStopped({ assetId, network }: Withdrawal): boolean {
    const { view, world } = this.#parts;
    return view.venue.stopsWithdrawing(view.asset(assetId).spec.asset, network, world.nowMs());
  }

  #isProcessed({ network, status }: Withdrawal): boolean {
    return network === this.#network && status === "processing";
  }

  /**
   * `ahead`: the pending payments with lower nonces. A payment completes after them, so the highest pending nonce is
   * always the highest one that was ever signed and is still relevant.
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
   * Called after looking for the payment's transactions, so that a final transaction with its nonce is a different one.
   */
  async #isDisplaced({ nonce }: Withdrawal, { nextNonce }: Look, finalHeight: number): Promise<boolean> {
    if (nextNonce <= nonce || finalHeight < 0) return false;
    return (await this.#parts.chain.minedNonce(finalHeight)) > nonce;
  }

  /** Broadcasts it again if the chain has lost it, or raises its fee if it is stuck. */
  async #push(withdrawal: Withdrawal, isLastKnown: boolean, look: Look): Promise<void> {
    if (this.#isStopped(withdrawal)) return;
    const isPassedOver = this.#isPassedOver(withdrawal, look);
    try {
      if (!isLastKnown) await this.#parts.chain.broadcast(withdrawal.signedTx);
    } catch (error) {
      // The chain may not accept it at its fee. An error before its turn is irrelevant.
      if (!isPassedOver && withdrawal.nonce <= look.nextNonce) throw error;
    }
    if (isPassedOver) await this.#payments.raise(withdrawal, { ahead: [], isByHand: false }, look.head);
  }

  /**
   * Whether to raise its fee: it is the next one, and blocks have been mined without it for too long. Payments behind
   * it wait for it, not for a higher fee. If only operators raise fees, they are notified.
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
      // Payments keep their order: one that cannot be signed yet blocks those behind it.
      else if (this.#parts.view.funds.withdrawal(withdrawal.withdrawalId) !== undefined) return;
    }
  }

  /**
   * The nonce after the last pending payment. If there is none, or another transaction of the account took that nonce:
   * the account's next nonce, but only once everything before it is final, because a payment would wait forever for a
   * nonce that left the chain. Undefined: not yet.
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

/** The signed withdrawals, ordered by nonce. */
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
