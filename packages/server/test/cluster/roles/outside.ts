/** What several nodes meet outside, in virtual time: one chain and one mail server that live on, and count. */
import type { AssetSpec } from "@pricetime/engine";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { Mail } from "../../../src/people/mail/port.ts";
import { MailRefused, MailUnknown, type Sending } from "../../../src/people/mail/smtp.ts";
import type { Chain, ChainCoin } from "../../../src/funds/wallet/chain.ts";

export interface Outside {
  readonly network: string;
  /** To be listed; the first is what customers bring and take. */
  readonly assets: readonly [AssetSpec, ...AssetSpec[]];
  /** The chain as one process reaches it: what was broadcast arrives though its sender has died or stands still. */
  chainFor(life: Life): Chain;
  /** Makes a stranger's payment. */
  give(address: string, amount: string): Promise<void>;
  /** Returns the coins that came to these addresses. */
  coins(isOurs: (address: string) => boolean): Promise<readonly ChainCoin[]>;
  /** Returns an address that is no other's. */
  payee(number: number): string;
  /** Returns how often a payee was paid this amount; rejects when something else arrived. */
  timesPaid(payee: string, amount: string): Promise<number>;
  readonly mails: MailWorld;
}

/** An answer takes up to this long, and a paused process may be anywhere in between. */
const CHAIN_MS = 300;
const MAIL_MS = 800;

export interface Ways {
  readonly schedule: Schedule;
  readonly dice: Dice;
}

/** A chain over a way that takes time. */
export function distant(chain: Chain, life: Life, { schedule, dice }: Ways): Chain {
  const pause = (): Promise<void> => schedule.pause(dice.below(CHAIN_MS), life);
  const over = async <T>(ask: () => Promise<T>): Promise<T> => {
    await pause();
    try {
      return await schedule.outside(ask());
    } finally {
      await pause();
    }
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
      await schedule.pause(dice.below(CHAIN_MS));
      try {
        await schedule.outside(chain.broadcast(signedTx));
      } finally {
        await pause();
      }
    },
    close: () => chain.close(),
  };
}

/** What a mail server does with a mail, and which letters it took. */
export interface MailServerPort {
  /** `refusal`: the answer to the receiver; 0: it is taken. Rejects as `Sending.send`. */
  take(mail: Mail, refusal: number): Promise<void>;
  /** The withdrawals of the letters that were taken, in order; of notices `notice:` and their number. */
  letters(): readonly string[];
}

export class MailWorld {
  readonly #server: MailServerPort;
  readonly #ways: Ways;
  /** Whether the mail server has a bad time: it refuses, or its answer is lost. */
  isSick = false;

  constructor(server: MailServerPort, ways: Ways) {
    this.#server = server;
    this.#ways = ways;
  }

  letters(): readonly string[] {
    return this.#server.letters();
  }

  /** The mail server as one process reaches it: what it was handed arrives. */
  sendingFor(life: Life): Sending {
    const { schedule, dice } = this.#ways;
    return {
      send: async (mail) => {
        await schedule.pause(dice.below(MAIL_MS), life);
        const fate = this.isSick ? dice.below(4) : 3;
        await schedule.pause(dice.below(MAIL_MS));
        try {
          await schedule.outside(this.#server.take(mail, REFUSALS[fate] ?? 0));
        } finally {
          await schedule.pause(dice.below(MAIL_MS), life);
        }
        if (fate === LOST) throw new MailUnknown("the connection broke");
      },
      close: () => {},
    };
  }
}

const REFUSALS = [450, 550];
const LOST = 2;

/** A mail server that is none. */
export class CountedMails implements MailServerPort {
  readonly #letters: string[] = [];

  async take({ withdrawalId, noticeId }: Mail, refusal: number): Promise<void> {
    if (refusal >= 500) throw new MailRefused(`${refusal} never`);
    if (refusal > 0) throw new Error(`${refusal} not now`);
    this.#letters.push(withdrawalId ?? `notice:${noticeId}`);
  }

  letters(): readonly string[] {
    return this.#letters;
  }
}
