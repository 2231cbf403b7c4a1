/** A real EVM chain with its own signer, and a real mail server. Virtual time does not advance while they work. */
import assert from "node:assert/strict";
import { getAddress } from "viem";
import { token } from "@pricetime/testkit/evm";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import type { Life } from "@pricetime/testkit/schedule";
import type { Mail } from "../../../src/people/mail/port.ts";
import { type Sending, smtpSending } from "../../../src/people/mail/smtp.ts";
import type { Chain, ChainCoin } from "../../../src/funds/wallet/chain.ts";
import { openVenue, type Venue } from "../../funds/wallet/evm/venue.ts";
import { assetNetwork } from "../../funds/wallet/sandbox-world.ts";
import { distant, type MailServerPort, MailWorld, type Outside, type Ways } from "./outside.ts";

const NETWORK = "ETH";
const BLOCK_MS = 2000;
const USDT_DECIMALS = 6;

function asset(name: string, precision: number) {
  const networks = [assetNetwork({ network: NETWORK, creditConfirmations: 2, finalConfirmations: 3 })];
  return { asset: name, name, precision, networks };
}

export class RealOutside implements Outside {
  readonly network = NETWORK;
  readonly assets = [asset("USDT", USDT_DECIMALS), asset("ETH", 8)] as const;
  readonly mails: MailWorld;
  readonly #ways: Ways;
  readonly #venue: Venue;
  readonly #server: MailServer;
  readonly #chains: Chain[] = [];

  static async open(): Promise<(ways: Ways) => RealOutside> {
    const [venue, server] = [await openVenue(), await startMailServer()];
    return (ways) => new RealOutside(ways, venue, server);
  }

  private constructor(ways: Ways, venue: Venue, server: MailServer) {
    this.#ways = ways;
    this.#venue = venue;
    this.#server = server;
    this.mails = new MailWorld(new RealMails(server), ways);
    this.#mineLater();
  }

  #mineLater(): void {
    this.#ways.schedule.after(BLOCK_MS, () => {
      void this.#ways.schedule.outside(this.#venue.anvil.mine(1));
      this.#mineLater();
    });
  }

  chainFor(life: Life): Chain {
    const chain = this.#venue.other();
    this.#chains.push(chain);
    return { ...distant(chain, life, this.#ways), close: async () => {} };
  }

  async give(address: string, amount: string): Promise<void> {
    const units = BigInt(Math.round(Number(amount) * 10 ** USDT_DECIMALS));
    const { anvil, usdt } = this.#venue;
    await anvil.call(usdt, token.transfer(getAddress(address), units), anvil.stranger);
  }

  async coins(isOurs: (address: string) => boolean): Promise<readonly ChainCoin[]> {
    const { chain } = this.#venue;
    const { height } = await chain.head();
    return chain.coins(0, height, isOurs);
  }

  payee(number: number): string {
    return getAddress(`0x${(0xabc000 + number).toString(16).padStart(40, "0")}`);
  }

  async timesPaid(payee: string, amount: string): Promise<number> {
    const { anvil, usdt } = this.#venue;
    const arrived = await anvil.tokenBalance(usdt, getAddress(payee));
    const once = BigInt(Math.round(Number(amount) * 10 ** USDT_DECIMALS));
    assert.equal(arrived % once, 0n);
    return Number(arrived / once);
  }

  async close(): Promise<void> {
    for (const chain of this.#chains) await chain.close();
    await this.#venue.stop();
    await this.#server.close();
  }
}

class RealMails implements MailServerPort {
  readonly #server: MailServer;
  readonly #sending: Sending;

  constructor(server: MailServer) {
    this.#server = server;
    const to = { host: "127.0.0.1", port: server.port, tls: false, requireTls: false, login: null };
    this.#sending = smtpSending(to, "exchange@example.com");
  }

  async take(mail: Mail, refusal: number): Promise<void> {
    if (refusal > 0) this.#server.refusals.push(refusal);
    await this.#sending.send(mail);
  }

  letters(): readonly string[] {
    // A notice does not contain its number.
    const ofWithdrawals = this.#server.taken.filter(({ raw }) => !raw.includes("You already have an account"));
    return ofWithdrawals.map(({ raw }) => /^ {2}Reference: +([0-9a-f]{32})/m.exec(raw)?.[1] ?? assert.fail(raw));
  }
}
