/** The real program over a real chain on which gas costs what a test says, and withdrawals of one customer. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, getAddress, type Hex, parseGwei, parseUnits } from "viem";
import { FEE, Program } from "./program.ts";

/** By itself no payment bids more for a unit of gas. */
export const UP_TO_GWEI = 30;
export const UNDER_WAY = 4;
const RAISE_FEE_AFTER_MS = 300;
const AMOUNT = "0.5";
const MOST_BLOCKS = 600;

/** As an operator sees a withdrawal. */
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
  /** Of the last that were asked for. */
  #payee: Address = "0x";
  /** What a unit of gas costs in every block from now on. */
  baseGwei = 1;

  private constructor(program: Program, mine: Address) {
    this.program = program;
    this.#mine = mine;
  }

  static async open(): Promise<DearGas> {
    const settings = { raiseFeeAfterMs: RAISE_FEE_AFTER_MS, raiseFeeUpToGwei: UP_TO_GWEI, paymentsUnderWay: UNDER_WAY };
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

  /** What a block costs at the next look of the exchange. */
  async costs(gwei: number): Promise<void> {
    this.baseGwei = gwei;
    await this.mineBlock();
  }

  transaction(hash: Hex) {
    return this.program.anvil.client.getTransaction({ hash });
  }

  /** Withdrawals that are signed and not over. */
  async signed(): Promise<Shown[]> {
    if (this.program.isDead) return [];
    return (await this.program.admin<Shown[]>("/v1/withdrawals")).filter(({ txIds }) => txIds.length > 0);
  }

  raiseFee(id: string): Promise<Shown> {
    return this.program.admin<Shown>(`/v1/withdrawals/${id}/raise-fee`, {});
  }

  /** A block again and again until it is so; the exchange is started again whenever it is dead. */
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

  /** So many, to a payee of their own; resolves to their ids when the chain knows all that may be under way. */
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

  /** Blocks until all are done; then each was paid, and once, and ledger and chain agree. */
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
