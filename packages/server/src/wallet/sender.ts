/**
 * Pays withdrawals out of one network, one at a time, in the order in which they were requested: signed,
 * journaled, broadcast, and watched until it is final. What is journaled decides: a restart sends the same
 * bytes again and signs nothing anew, so nothing is paid twice.
 */
import { type EngineView, type FailSignedWithdrawal, formatDecimal, type WithdrawalRecord } from "@pricetime/engine";
import { type Block, PaymentRefused, type TransactionState } from "./chain.ts";
import { Refusals, refusalOf } from "./commands.ts";
import { depths } from "./depths.ts";
import { ROUNDS_TO_BELIEVE } from "./limits.ts";
import type { FollowerParts } from "./watcher.ts";

type Withdrawal = Readonly<WithdrawalRecord>;
type Mined = Extract<TransactionState, { state: "mined" }>;

export class Sender {
  readonly #parts: FollowerParts;
  readonly #network: string;
  readonly #refusals = new Refusals();
  /** Rounds in a row in which another transaction was final in the place of the one that is watched. */
  #roundsDisplaced = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
  }

  /** One step of the withdrawal whose turn it is. True: nothing to do before the chain moves on; false: come again at once. */
  async round(): Promise<boolean> {
    const withdrawal = nextWithdrawal(this.#parts.view, this.#network);
    if (withdrawal === undefined) return true;
    const { withdrawalId } = withdrawal;
    const head = await this.#parts.chain.head();
    if (withdrawal.txIds.length === 0) await this.#sign(withdrawal, head);
    // As it is now: what is found out is true of these transactions, and of none that is signed meanwhile.
    else await this.#follow({ ...withdrawal, txIds: [...withdrawal.txIds] }, head);
    return this.#parts.view.withdrawal(withdrawalId) !== undefined;
  }

  async #sign(withdrawal: Withdrawal, head: Block): Promise<void> {
    const { chain, view } = this.#parts;
    const { withdrawalId, assetId, address, tag, amount, fee } = withdrawal;
    if (this.#refusals.isRecent(withdrawalId, head.height)) return;
    const { asset, precision } = view.asset(assetId).spec;
    const nonce = await chain.minedNonce(head.height);
    // Not before all that went before is final, be it somebody else's: if it left the chain, ours would wait for its nonce for ever.
    if ((await chain.minedNonce(Math.max(0, this.#finalHeight(withdrawal, head)))) !== nonce) return;
    const net = formatDecimal(amount - fee, precision, precision);
    try {
      const { txId, signedTx } = await chain.sign({ asset, address, tag, amount: net, nonce });
      const isJournaled = await this.#run(withdrawal, head, {
        type: "signWithdrawal",
        ...{ withdrawalId, txId, nonce, signedTx },
      });
      if (isJournaled) await chain.broadcast(signedTx);
    } catch (error) {
      if (!(error instanceof PaymentRefused) || withdrawal.txIds.length > 0) throw error;
      await this.#run(withdrawal, head, { type: "failWithdrawal", withdrawalId, why: error.message });
    }
  }

  async #follow(withdrawal: Withdrawal, head: Block): Promise<void> {
    const { chain } = this.#parts;
    const { nonce, signedTx } = withdrawal;
    const finalHeight = this.#finalHeight(withdrawal, head);
    let isKnown = false;
    for (const txId of withdrawal.txIds) {
      const found = await chain.transaction(txId);
      if (found.state !== "unknown") isKnown = true;
      if (found.state !== "mined") continue;
      this.#roundsDisplaced = 0;
      if (found.block.height <= finalHeight) await this.#finish(withdrawal, txId, found, head);
      return;
    }
    // Asked after the transactions: what was final then in their place is none of them.
    if (finalHeight >= 0 && (await chain.minedNonce(finalHeight)) > nonce) {
      if (++this.#roundsDisplaced < ROUNDS_TO_BELIEVE) return;
      this.#roundsDisplaced = 0;
      const why = `another transaction took its nonce, ${nonce}`;
      await this.#run(withdrawal, head, failed(withdrawal, why));
      return;
    }
    this.#roundsDisplaced = 0;
    if (!isKnown) await chain.broadcast(signedTx);
  }

  /** It is as deep as it must be. First what it cost, for once the withdrawal is over nobody asks again. */
  async #finish(withdrawal: Withdrawal, txId: string, { isSuccess, cost }: Mined, head: Block): Promise<void> {
    const { sequencer, log } = this.#parts;
    const { withdrawalId } = withdrawal;
    if (this.#refusals.isRecent(withdrawalId, head.height)) return;
    if (cost !== null) {
      const refusal = await refusalOf(sequencer, { type: "payNetworkCost", network: this.#network, txId, ...cost });
      if (refusal !== null && refusal !== "ALREADY_EXISTS") {
        log.error({ network: this.#network, txId, ...cost, why: refusal }, "a network cost is not in the books");
      }
    }
    await this.#run(
      withdrawal,
      head,
      isSuccess
        ? { type: "completeWithdrawal", withdrawalId, txId }
        : failed(withdrawal, `the network took ${txId} and paid nobody`),
    );
  }

  /** The newest block that is as deep as the withdrawal's asset wants it; may be below 0. */
  #finalHeight({ assetId }: Withdrawal, head: Block): number {
    return head.height - depths(this.#parts.view, assetId, this.#network).final + 1;
  }

  /** Whether the exchange took it. */
  async #run({ withdrawalId }: Withdrawal, head: Block, command: Parameters<typeof refusalOf>[1]): Promise<boolean> {
    const refusal = await refusalOf(this.#parts.sequencer, command);
    const about = { network: this.#network, withdrawalId };
    if (refusal === null) {
      this.#parts.log.info(about, command.type);
      return true;
    }
    this.#refusals.add(withdrawalId, head.height);
    this.#parts.log.error({ ...about, why: refusal }, `${command.type} was refused`);
    return false;
  }
}

/** With what was looked for: the exchange can tell whether that is still all that was signed. */
function failed({ withdrawalId, txId, nonce }: Withdrawal, why: string): FailSignedWithdrawal {
  return { type: "failSignedWithdrawal", withdrawalId, txId, nonce, why };
}

/** The one that was signed and is not over, or else the one that was requested first. */
export function nextWithdrawal(view: EngineView, network: string): Withdrawal | undefined {
  const ready = view
    .openWithdrawals()
    .filter((each) => each.network === network && each.status === "processing")
    .sort((a, b) => a.applyTimeMs - b.applyTimeMs);
  return ready.find((each) => each.txIds.length > 0) ?? ready[0];
}
