/** The real program on a real chain, with withdrawals of one customer and a gas price that the test sets. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, getAddress, type Hex, parseGwei, parseUnits } from "viem";
import { FEE, Program } from "./program.ts";

/** The maximum gas price that a payment bids without an operator, in gwei. */
export const UP_TO_GWEI = 30;
export const UNDER_WAY = 4;
const RAISE_FEE_AFTER_MS = 300;
const AMOUNT = "0.5";
const MOST_BLOCKS = 600;

/** A withdrawal as the admin API shows it. */
export interface Shown {
  readonly withdrawalId: string;
  readonly txId: Hex;
  readonly txIds: readonly Hex[];
  readonly nonce: number;
  readonly by?: string;
}

export class DearGas {
  readonly program: Program;
  readonly #mine: Address;
  /** The recipient of the latest withdrawals. */
  #payee: Address = "0x";
  /** The gas price of all following blocks, in gwei. */
  baseGwei = 1;

  private constructor(program: Program, mine: Address) {
    this.program = program;
    this.#mine = mine;
  }

  static async open(): Promise<DearGas> {
    const settings = {
      raiseFeeAfterMs: RAISE_FEE_AFTER_MS,
      raiseFeeUpToGwei: UP_TO_GWEI,
      maxPendingPayments: UNDER_WAY,
    };
    const program = await Program.open(settings);
    const mine = await program.depositAddress("ANV");
    const funds = await program.pay("ANV", mine, "90");
    const isFinal = async (): Promise<boolean> =>
      (await program.deposits()).some(({ txId, status }) => txId === funds && status === 1);
    await program.until("funds", isFinal, true);
    return new DearGas(program, mine);
  }

  async mineBlock(): Promise<void> {
    const { client } = this.program.anvil;
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(String(this.baseGwei)) });
    await this.program.anvil.mine(1);
  }

  /** Sets the gas price and mines a block with it. */
  async costs(gwei: number): Promise<void> {
    this.baseGwei = gwei;
    await this.mineBlock();
  }

  transaction(hash: Hex) {
    return this.program.anvil.client.getTransaction({ hash });
  }

  /** Returns the withdrawals that are signed but not finished. */
  async signed(): Promise<Shown[]> {
    if (this.program.isDead) return [];
    return (await this.program.admin<Shown[]>("/v1/withdrawals")).filter(({ txIds }) => txIds.length > 0);
  }

  raiseFee(id: string): Promise<Shown> {
    return this.program.admin<Shown>(`/v1/withdrawals/${id}/raise-fee`, {});
  }

  /** Mines blocks until `isSo` holds. Restarts the exchange whenever it has exited. */
  async minedUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let blocks = 0; ; blocks++) {
      if (this.program.isDead) await this.program.start();
      try {
        if (await isSo()) return;
      } catch (error) {
        if (!this.program.isDead) throw error;
      }
      assert.ok(
        blocks < MOST_BLOCKS,
        `${what}: ${JSON.stringify([await this.signed(), await this.program.withdrawals()])}`,
      );
      await this.mineBlock();
      await sleep(40);
    }
  }

  /**
   * Requests `count` withdrawals to a new recipient. Resolves to their ids when as many of them as may be pending are
   * on the chain.
   */
  async ask(count: number): Promise<string[]> {
    this.#payee = getAddress(`0x${randomBytes(20).toString("hex")}`);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await this.program.withdraw("ANV", this.#payee, AMOUNT));
    await this.program.until("they are sent", async () => {
      const signed = await this.signed();
      if (signed.length < Math.min(count, UNDER_WAY)) return false;
      const known = await Promise.allSettled(signed.map(({ txId }) => this.transaction(txId)));
      return known.every(({ status }) => status === "fulfilled");
    });
    return ids;
  }

  async areDone(ids: readonly string[]): Promise<boolean> {
    const rows = await this.program.withdrawals();
    return ids.every((id) => rows.find((row) => row.id === id)?.status === 6);
  }

  /**
   * Mines until all withdrawals are finished. Then checks that each was paid exactly once, and that ledger and chain
   * agree.
   */
  async finish(ids: readonly string[]): Promise<void> {
    await this.minedUntil("all are done", () => this.areDone(ids));
    const net = parseUnits(AMOUNT, 18) - parseUnits(FEE.ANV, 18);
    assert.equal(await this.program.held("ANV", this.#payee), BigInt(ids.length) * net, "each is paid, and once");
    await this.program.readToHead();
    await this.program.audit([this.#mine]);
  }

  close(): Promise<void> {
    return this.program.close();
  }
}
