/**
 * Pays the withdrawals of one network, a bounded number at a time, in the order in which they were requested: each is
 * signed with the next nonce, journaled, broadcast, and watched until it is final. A payment that blocks pass over is
 * signed again for a higher fee, with its own nonce. The journal decides: a restart sends the same bytes again and
 * signs nothing anew, so nothing is paid twice. docs/decisions/0021.
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
   * `ahead` are signed transactions with lower nonces that no block holds yet. Returns the signed withdrawal, or null
   * when it is not under way (it can never be paid, say, and is over). Rejects, as a chain does, when it cannot be paid
   * now.
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

  /** Signs a stuck payment again, for a higher fee. Returns whether the exchange took it. */
  async raise(withdrawal: Withdrawal, raise: Omit<Raise, "stuck">, head: Block, by?: string): Promise<boolean> {
    const { chain, view } = this.#parts;
    const { nonce, signedTx } = withdrawal;
    const signed = await chain.raise(paymentOf(view, withdrawal, nonce), { ...raise, stuck: signedTx });
    return (await this.#send(withdrawal, nonce, signed, head, by)) !== null;
  }

  /** Ends a withdrawal that is deep enough. Its cost is journaled first: once it is over nobody asks again. */
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

  /** Fails a withdrawal in whose place another transaction is final. */
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

  /** Returns the withdrawal after the command; null when the exchange refused it. */
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

/** The command names what was looked for, so that the exchange can tell whether that is still all that was signed. */
function failed({ withdrawalId, txId, nonce }: Withdrawal, why: string): Command<"failSignedWithdrawal"> {
  return { type: "failSignedWithdrawal", withdrawalId, txId, nonce, why };
}

export interface SenderParts extends FollowerParts {
  /** The number of payments that may be under way at a time. */
  readonly maxPendingPayments: number;
  /** A payment that blocks have passed over for this long is signed again for a higher fee; 0: only by an operator. */
  readonly raiseFeeAfterMs: number;
  /** Time as the journal counts it. */
  readonly world: Clock & Timers & Saves;
  /** Returns why nothing may be paid now, or ""; asked at each step. Default: payments are allowed. */
  readonly whyHeld?: () => string;
}

/** The chain as a round sees it. */
interface Look {
  readonly head: Block;
  /** The next nonce of the paying account as of the head: the payment that is due to be mined. */
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
  /** The consecutive rounds in which another transaction was final in the place of a withdrawal's. */
  readonly #roundsDisplaced: Map<string, number>;
  /** The transaction that is next to be mined, and the head when it first was. */
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

  /** What an operator should look at although the chain answers; "" when nothing. */
  get note(): string {
    return this.#note;
  }

  /** Returns whether a round would find nothing. See `Loop`. */
  skip(): boolean {
    return this.#note === "" && !this.#parts.view.funds.openWithdrawals().some((one) => this.#isProcessed(one));
  }

  /** Looks at what is under way and what can follow. True: nothing to do until the chain moves on; false: run again. */
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

  /** Raises the fee at once, for an operator. Never during a round. Rejects with `ControlRefused`, `PaymentRefused`,
   * `ChainUnreachable`. */
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

  /** Returns the withdrawals being processed in the order in which they were requested. */
  #processing(): readonly Withdrawal[] {
    return this.#parts.view.funds
      .openWithdrawals()
      .filter((one) => this.#isProcessed(one))
      .toSorted((a, b) => a.applyTimeMs - b.applyTimeMs);
  }

  /** Whether an operator has stopped what it would pay. What was sent before may still arrive. */
  #isStopped({ assetId, network }: Withdrawal): boolean {
    const { view, world } = this.#parts;
    return view.venue.stopsWithdrawing(view.asset(assetId).spec.asset, network, world.nowMs());
  }

  #isProcessed({ network, status }: Withdrawal): boolean {
    return network === this.#network && status === "processing";
  }

  /**
   * `ahead` are the unfinished payments with lower nonces. A payment ends after them, so the highest nonce under way is
   * always the highest that was ever signed and counts.
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

  /** Call this after looking for the transactions: a final one with their nonce is then none of them. */
  async #isDisplaced({ nonce }: Withdrawal, { nextNonce }: Look, finalHeight: number): Promise<boolean> {
    if (nextNonce <= nonce || finalHeight < 0) return false;
    return (await this.#parts.chain.minedNonce(finalHeight)) > nonce;
  }

  /** Broadcasts it again if the chain has lost it, or raises its fee if the chain does not take it. */
  async #push(withdrawal: Withdrawal, isLastKnown: boolean, look: Look): Promise<void> {
    if (this.#isStopped(withdrawal)) return;
    const isPassedOver = this.#isPassedOver(withdrawal, look);
    try {
      if (!isLastKnown) await this.#parts.chain.broadcast(withdrawal.signedTx);
    } catch (error) {
      // The chain may not even accept it at its fee. Before its turn has come, an error says nothing.
      if (!isPassedOver && withdrawal.nonce <= look.nextNonce) throw error;
    }
    if (isPassedOver) await this.#payments.raise(withdrawal, { ahead: [], isByHand: false }, look.head);
  }

  /**
   * Whether to raise its fee: its turn has come, and blocks have passed without it for too long. Those behind it wait
   * for it, not for a higher fee. Where only an operator raises fees, the operator is told.
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
      // No payment is overtaken: one that cannot be signed and is not over holds up those behind it.
      else if (this.#parts.view.funds.withdrawal(withdrawal.withdrawalId) !== undefined) return;
    }
  }

  /**
   * Returns the nonce after the last one under way. When none is, or another transaction of the account took that
   * nonce, returns the account's next, but only once everything before it is final, whoever sent it: if that left the
   * chain, our payment would wait for its nonce for ever. Undefined: not yet.
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

  /** Returns the height of the newest block that is as deep as the withdrawal's asset requires; may be below 0. */
  #finalHeight({ assetId }: Withdrawal, head: Block): number {
    return head.height - depths(this.#parts.view, assetId, this.#network).final + 1;
  }
}

/** Returns the signed withdrawals. */
function inOrderOfNonces(withdrawals: readonly Withdrawal[]): readonly Withdrawal[] {
  const signed = withdrawals.filter(({ txIds }) => txIds.length > 0);
  return signed.toSorted((a, b) => a.nonce - b.nonce);
}

/** Returns the payments that no block holds yet. */
function waiting(payments: readonly Withdrawal[], nextNonce: number): readonly Withdrawal[] {
  return payments.filter(({ nonce }) => nonce >= nextNonce);
}

function raw(payments: readonly Withdrawal[]): readonly string[] {
  return payments.map(({ signedTx }) => signedTx);
}
