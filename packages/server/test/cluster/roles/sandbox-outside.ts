/** A sandbox chain for several nodes, and emails that are only counted. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Life } from "@pricetime/testkit/schedule";
import type { Chain, ChainCoin } from "../../../src/funds/wallet/chain.ts";
import { openSandbox } from "../../../src/funds/wallet/sandbox/sandbox.ts";
import type { SandboxWorld } from "../../../src/funds/wallet/sandbox/world.ts";
import { WorldFile } from "../../../src/funds/wallet/sandbox/world-file.ts";
import { assetNetwork, NETWORK } from "../../funds/wallet/sandbox-world.ts";
import { CountedMails, distant, MailWorld, type Outside, type Ways } from "./outside.ts";
import { roleWorld } from "./role-world.ts";

const BLOCK_MS = 2000;
const COIN = {
  asset: "COIN",
  name: "Coin",
  precision: 8,
  networks: [assetNetwork({ creditConfirmations: 2, finalConfirmations: 3 })],
};

export class SandboxOutside implements Outside {
  readonly network = NETWORK;
  readonly assets = [COIN] as const;
  readonly mails: MailWorld;
  readonly #ways: Ways;
  readonly #database = new DatabaseSync(":memory:");
  readonly #chain: Chain;
  readonly #world: SandboxWorld;

  constructor(ways: Ways) {
    this.#ways = ways;
    this.mails = new MailWorld(new CountedMails(), ways);
    const world = roleWorld(ways.schedule, new Life(), ways.dice);
    const { chain, world: control } = openSandbox({
      file: new WorldFile(this.#database, NETWORK, world),
      network: NETWORK,
      blockMs: BLOCK_MS,
      cost: null,
      seed: "seed",
      view: { assets: () => [{ assetId: 0, spec: COIN }] },
      world,
      onChange: () => {},
    });
    control.start();
    this.#chain = chain;
    this.#world = control;
  }

  chainFor(life: Life): Chain {
    return { ...distant(this.#chain, life, this.#ways), close: async () => {} };
  }

  async give(address: string, amount: string): Promise<void> {
    this.#world.faucet({ asset: COIN.asset, address, tag: "", amount });
  }

  coins(isOurs: (address: string) => boolean): Promise<readonly ChainCoin[]> {
    return this.#chain.coins(0, this.#world.head().height, isOurs);
  }

  payee(number: number): string {
    return `stranger${String(number).padStart(10, "0")}`;
  }

  async timesPaid(payee: string, amount: string): Promise<number> {
    const paid = this.#database
      .prepare("SELECT amount FROM transactions WHERE nonce >= 0 AND is_success = 1 AND address = ?")
      .all(payee);
    for (const row of paid) assert.equal(Number(row["amount"]), Number(amount));
    return paid.length;
  }
}
