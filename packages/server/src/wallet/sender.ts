/**
 * Pays withdrawals out of one network, a bounded number at a time, in the order in which they were requested: each is
 * signed with the next nonce, journaled, broadcast, and watched until it is final. One that blocks pass over is signed
 * again for a higher fee, with its own nonce. What is journaled decides: a restart sends the same bytes again and signs
 * nothing anew, so nothing is paid twice. docs/decisions/0021.
 */
import type { Clock, Timers } from "../world/port.ts";
import type { Block } from "./chain.ts";
import { depths } from "./depths.ts";
import { MAX_RAISES_BY_ITSELF, ROUNDS_TO_BELIEVE, TELL_OF_STUCK_AFTER_MS } from "./limits.ts";
import { asOfNow, type Mined, Payments, type Withdrawal } from "./payments.ts";
import { ControlRefused } from "./port.ts";
import type { FollowerParts } from "./watcher.ts";

export interface SenderParts extends FollowerParts {
  /** Payments that may be under way at a time. */
  readonly paymentsUnderWay: number;
  /** What blocks have passed over for so long is signed again for a higher fee; 0: by an operator alone. */
  readonly raiseFeeAfterMs: number;
  /** As the journal counts time. */
  readonly world: Clock & Timers;
  /** Why nothing may be paid now, asked at each step; "": it may. Default: it may. */
  readonly whyHeld?: () => string;
}

/** The chain as a round sees it. */
interface Look {
  readonly head: Block;
  /** The next nonce of the paying account as of the head: whose turn it is to be mined. */
  readonly nextNonce: number;
}

const NOBODY = { txId: "", sinceHeight: 0 };

export class Sender {
  readonly #parts: SenderParts;
  readonly #network: string;
  readonly #payments: Payments;
  /** Rounds in a row in which another transaction was final in the place of a withdrawal's. */
  readonly #roundsDisplaced = new Map<string, number>();
  /** The transaction whose turn it is, and the head when it first was. */
  #inTurn = NOBODY;
  #note = "";

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    this.#payments = new Payments(parts);
  }

  /** What an operator should look at though the chain answers; "". */
  get note(): string {
    return this.#note;
  }

  /** One look at what is under way, and at what can follow. True: nothing to do before the chain moves on; false: come again at once. */
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
      all.filter(({ txIds }) => txIds.length === 0),
      underWay,
      look,
    );
    return all.every(({ withdrawalId }) => view.funds.withdrawal(withdrawalId) !== undefined);
  }

  /** By an operator, at once. Never during a round. Rejects with `ControlRefused`, `PaymentRefused`, `ChainUnreachable`. */
  async raise(withdrawalId: string, by: string): Promise<void> {
    const whyHeld = this.#whyHeld();
    if (whyHeld !== "") throw new ControlRefused(whyHeld);
    const payments = inOrderOfNonces(this.#processing());
    const withdrawal = payments.find((each) => each.withdrawalId === withdrawalId);
    if (withdrawal === undefined) throw new ControlRefused(`nothing is signed for ${withdrawalId} on ${this.#network}`);
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

  /** In the order in which they were requested. */
  #processing(): readonly Withdrawal[] {
    return this.#parts.view.funds
      .openWithdrawals()
      .filter(({ network, status }) => network === this.#network && status === "processing")
      .toSorted((a, b) => a.applyTimeMs - b.applyTimeMs);
  }

  /**
   * `ahead`: those with lower nonces that are not over. A payment is over after them: then the highest nonce that is under
   * way is always the highest that was ever signed and counts.
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

  /** Asked after the transactions: what was final then in their place is none of them. */
  async #isDisplaced({ nonce }: Withdrawal, { nextNonce }: Look, finalHeight: number): Promise<boolean> {
    if (nextNonce <= nonce || finalHeight < 0) return false;
    return (await this.#parts.chain.minedNonce(finalHeight)) > nonce;
  }

  /** Once more to the chain, if the chain has lost it; for more, if the chain does not take it. */
  async #push(withdrawal: Withdrawal, isLastKnown: boolean, look: Look): Promise<void> {
    const isPassedOver = this.#isPassedOver(withdrawal, look);
    try {
      if (!isLastKnown) await this.#parts.chain.broadcast(withdrawal.signedTx);
    } catch (error) {
      // At its price it may not even be let in. Of one whose turn has not come nothing follows yet.
      if (!isPassedOver && withdrawal.nonce <= look.nextNonce) throw error;
    }
    if (isPassedOver) await this.#payments.raise(withdrawal, { ahead: [], isByHand: false }, look.head);
  }

  /**
   * Whether to raise its fee: its turn has come, and blocks without it, for too long. Those behind wait for it, not for a
   * higher fee. Where only an operator raises fees, he is told.
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
      if (underWay.length >= this.#parts.paymentsUnderWay) return;
      const nonce = await this.#nonceFor(withdrawal, underWay, look);
      if (nonce === undefined) return;
      const ahead = raw(waiting(underWay, look.nextNonce));
      if (await this.#payments.sign(withdrawal, nonce, ahead, look.head)) underWay.push(asOfNow(withdrawal));
      // Nobody is overtaken: what cannot be signed and is not over holds up those behind it.
      else if (this.#parts.view.funds.withdrawal(withdrawal.withdrawalId) !== undefined) return;
    }
  }

  /**
   * The one after the last that is under way. When none is, or another transaction of the account took that one: the
   * account's next, and not before all that went before is final, be it somebody else's. If that left the chain, ours
   * would wait for its nonce for ever. Undefined: not yet.
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

  /** The newest block that is as deep as the withdrawal's asset wants it; may be below 0. */
  #finalHeight({ assetId }: Withdrawal, head: Block): number {
    return head.height - depths(this.#parts.view, assetId, this.#network).final + 1;
  }
}

/** Those that are signed, as of now. */
function inOrderOfNonces(withdrawals: readonly Withdrawal[]): readonly Withdrawal[] {
  const signed = withdrawals.filter(({ txIds }) => txIds.length > 0);
  return signed.map(asOfNow).toSorted((a, b) => a.nonce - b.nonce);
}

/** Those that no block holds yet. */
function waiting(payments: readonly Withdrawal[], nextNonce: number): readonly Withdrawal[] {
  return payments.filter(({ nonce }) => nonce >= nextNonce);
}

function raw(payments: readonly Withdrawal[]): readonly string[] {
  return payments.map(({ signedTx }) => signedTx);
}
