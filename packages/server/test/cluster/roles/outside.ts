/** The environment of several nodes in virtual time: one chain and one mail server, which outlive them and count. */
import type { AssetSpec } from "@pricetime/engine";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { Mail } from "../../../src/people/mail/port.ts";
import { MailRefused, MailUnknown, type Sending } from "../../../src/people/mail/smtp.ts";
import type { Chain, ChainCoin } from "../../../src/funds/wallet/chain.ts";

export interface Outside {
  readonly network: string;
  /** Assets to be listed. Customers deposit and withdraw the first. */
  readonly assets: readonly [AssetSpec, ...AssetSpec[]];
  /** The chain as seen by one process. Broadcast transactions arrive even if their sender has died or is suspended. */
  chainFor(life: Life): Chain;
  /** Makes an external payment. */
  give(address: string, amount: string): Promise<void>;
  /** The deposits to these addresses. */
  coins(isOurs: (address: string) => boolean): Promise<readonly ChainCoin[]>;
  /** A unique external address. */
  payee(number: number): string;
  /** How often a payee was paid this amount; rejects if something else arrived. */
  timesPaid(payee: string, amount: string): Promise<number>;
  readonly mails: MailWorld;
}

/** The maximum delay of a response; a suspended process may be at any point in between. */
const CHAIN_MS = 300;
const MAIL_MS = 800;

export interface Ways {
  readonly schedule: Schedule;
  readonly dice: Dice;
}

/** A chain with network latency. */
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

/** How the mail server treats an email, and which emails it accepted. */
export interface MailServerPort {
  /** `refusal`: the response code; 0: accepted. Rejects as `Sending.send`. */
  take(mail: Mail, refusal: number): Promise<void>;
  /** The withdrawals of accepted emails, in order; notices are `notice:` and their number. */
  letters(): readonly string[];
}

export class MailWorld {
  readonly #server: MailServerPort;
  readonly #ways: Ways;
  /** Whether the mail server is failing: it rejects, or its response is lost. */
  isSick = false;

  constructor(server: MailServerPort, ways: Ways) {
    this.#server = server;
    this.#ways = ways;
  }

  letters(): readonly string[] {
    return this.#server.letters();
  }

  /** The mail server as seen by one process. Submitted emails arrive. */
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

/** A simulated mail server. */
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
