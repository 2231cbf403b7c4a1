/** The world outside of several nodes, in virtual time: one chain and one mail server that live on, and count. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Dice } from "@pricetime/testkit/dice";
import { Life, type Schedule } from "@pricetime/testkit/schedule";
import { MailRefused, MailUnknown, type Sending } from "../../../src/mail/smtp.ts";
import type { Mail } from "../../../src/mail/port.ts";
import type { Chain } from "../../../src/wallet/chain.ts";
import { openSandbox } from "../../../src/wallet/sandbox/open.ts";
import type { SandboxWorld } from "../../../src/wallet/sandbox/world.ts";
import { WorldFile } from "../../../src/wallet/sandbox/world-file.ts";
import { assetNetwork, NETWORK } from "../../wallet/sandbox-world.ts";
import { roleWorld } from "./role-world.ts";

const BLOCK_MS = 2000;
/** An answer takes up to this long, and a paused process may be anywhere in between. */
const CHAIN_MS = 300;
const MAIL_MS = 800;

export const COIN = {
  asset: "COIN",
  name: "Coin",
  precision: 8,
  networks: [assetNetwork({ creditConfirmations: 2, finalConfirmations: 3 })],
};

export interface ChainPayment {
  readonly txId: string;
  readonly address: string;
  readonly amount: string;
  readonly isSuccess: number;
}

export class Outside {
  readonly chain: SandboxWorld;
  readonly letters: Mail[] = [];
  readonly #chain: Chain;
  readonly #database = new DatabaseSync(":memory:");
  readonly #schedule: Schedule;
  readonly #dice: Dice;
  /** Whether the mail server has a bad time: it refuses, or its answer is lost. */
  isMailSick = false;

  constructor(schedule: Schedule, dice: Dice) {
    this.#schedule = schedule;
    this.#dice = dice;
    const world = roleWorld(schedule, new Life(), dice);
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
    this.chain = control;
  }

  /** The venue's payments in blocks. */
  payments(): ChainPayment[] {
    const rows = this.#database
      .prepare("SELECT tx_id AS txId, address, amount, is_success AS isSuccess FROM transactions WHERE nonce >= 0")
      .all();
    return rows as unknown as ChainPayment[];
  }

  /** The coins that came to these addresses. */
  coins(isOurs: (address: string) => boolean): ReturnType<Chain["coins"]> {
    return this.#chain.coins(0, this.chain.head().height, isOurs);
  }

  /** The chain as one process reaches it: what was broadcast arrives though its sender has died or stands still. */
  chainFor(life: Life): Chain {
    const chain = this.#chain;
    const pause = (): Promise<void> => this.#schedule.pause(this.#dice.below(CHAIN_MS), life);
    const over = async <T>(ask: () => Promise<T>): Promise<T> => {
      await pause();
      const answer = await ask();
      await pause();
      return answer;
    };
    return {
      network: chain.network,
      kind: chain.kind,
      isAddress: (address, tag) => chain.isAddress(address, tag),
      addressOf: (accountId) => chain.addressOf(accountId),
      head: () => over(() => chain.head()),
      block: (height) => over(() => chain.block(height)),
      coins: (from, to, isOurs) => over(() => chain.coins(from, to, isOurs)),
      transaction: (txId) => over(() => chain.transaction(txId)),
      minedNonce: (height) => over(() => chain.minedNonce(height)),
      sign: (payment, ahead) => over(() => chain.sign(payment, ahead)),
      raise: (payment, raise) => over(() => chain.raise(payment, raise)),
      broadcast: async (signedTx) => {
        await this.#schedule.pause(this.#dice.below(CHAIN_MS));
        await chain.broadcast(signedTx);
        await pause();
      },
      close: async () => {},
    };
  }

  /** The mail server as one process reaches it. */
  sendingFor(life: Life): Sending {
    return {
      send: async (mail) => {
        await this.#schedule.pause(this.#dice.below(MAIL_MS), life);
        const fate = this.isMailSick ? this.#dice.below(4) : 3;
        if (fate === 0) throw new Error("450 not now");
        if (fate === 1) throw new MailRefused("550 never");
        await this.#schedule.pause(this.#dice.below(MAIL_MS));
        this.letters.push(mail);
        await this.#schedule.pause(this.#dice.below(MAIL_MS), life);
        if (fate === 2) throw new MailUnknown("the connection broke");
      },
      close: () => {},
    };
  }

  /** The letters of one withdrawal that arrived. */
  lettersOf(withdrawalId: string): number {
    return this.letters.filter((letter) => letter.withdrawalId === withdrawalId).length;
  }
}

/** The secret of a letter's link. */
export function secretIn({ text }: Mail): string {
  const link = /^http\S+$/m.exec(text)?.[0] ?? assert.fail(text);
  return new URL(link).searchParams.get("secret") ?? assert.fail(link);
}
