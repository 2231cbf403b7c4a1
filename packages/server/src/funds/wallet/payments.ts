/**
 * The steps of a payment, each journaled: signed before it is broadcast, signed again for a higher fee with the same
 * nonce, finished, or failed.
 */
import assert from "node:assert/strict";
import { type EngineView, type FailSignedWithdrawal, formatDecimal, type WithdrawalRecord } from "@pricetime/engine";
import {
  type Block,
  type Payment,
  PaymentRefused,
  type Raise,
  type SignedPayment,
  type TransactionState,
} from "./chain.ts";
import { Refusals, refusalOf } from "./commands.ts";
import type { KeptRefusals } from "./kept-follower.ts";
import type { FollowerParts } from "./follower-parts.ts";

export type Withdrawal = WithdrawalRecord;
export type Mined = Extract<TransactionState, { state: "mined" }>;
type Command = Parameters<typeof refusalOf>[1] & { readonly withdrawalId: string };

export class Payments {
  readonly #parts: FollowerParts;
  readonly #network: string;
  readonly #refusals: Refusals;

  constructor(parts: FollowerParts, refusals?: KeptRefusals) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    this.#refusals = new Refusals(refusals);
  }

  keptRefusals(): KeptRefusals {
    return this.#refusals.kept();
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
  async #run(head: Block, command: Command): Promise<Withdrawal | null> {
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
function failed({ withdrawalId, txId, nonce }: Withdrawal, why: string): FailSignedWithdrawal {
  return { type: "failSignedWithdrawal", withdrawalId, txId, nonce, why };
}
