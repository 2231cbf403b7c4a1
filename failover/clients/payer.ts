/**
 * A customer who deposits and withdraws on a network: outsiders pay to its address, and it withdraws to outsiders, each
 * of whom is paid once. It also operates the chain and mines its blocks, so that no payment is pending at the end.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import type { Dice } from "@pricetime/testkit/dice";
import { type AdminPort, type DemoAccount, operate } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import type { NodeAddress } from "./trader.ts";

/** A withdrawal and the response that its customer received. The order ID and the payee are used only once. */
export interface AskedWithdrawal {
  readonly orderId: string;
  readonly outcome: "done" | "refused" | "notTaken" | "unknown";
}

export interface PayerOptions {
  readonly account: DemoAccount;
  readonly coin: string;
  readonly network: string;
  readonly places: () => readonly NodeAddress[];
  /** The admin ports of running nodes. */
  readonly operated: () => readonly AdminPort[];
  readonly dice: Dice;
}

const STEP_MS = 700;
/** How long a response of a stopped node is waited for. */
const PATIENCE_MS = 8_000;
const DEPOSIT = "10";
const WITHDRAWN = "2";
const PAYEE_DIGITS = 20;
/** Long enough for the task to move to another node, and for pending payments. */
const OVER_WITHIN_MS = 60_000;

/** The destination of the withdrawal with this order ID. */
export const payeeOf = (orderId: string): string => orderId.replace("-", "").padEnd(PAYEE_DIGITS, "0");

export class Payer {
  readonly withdrawals: AskedWithdrawal[] = [];
  readonly #options: PayerOptions;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PayerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves to whether all pending payments are completed. */
  async stop(): Promise<boolean> {
    this.#isStopped = true;
    await this.#running;
    return comes(() => this.#isOver(), { withinMs: OVER_WITHIN_MS, everyMs: 200 });
  }

  async #run(): Promise<void> {
    for (let step = 1; !this.#isStopped; step++) {
      await this.#ask("faucet", { asset: this.#options.coin, amount: DEPOSIT, account: this.#options.account.email });
      await this.#ask("mine", { blocks: 1 });
      if (step % 2 === 0) this.withdrawals.push(await this.#withdraw(`w-${step}x`));
      await sleep(STEP_MS);
    }
  }

  /** The outcome is read from the chain at the end. */
  async #ask(what: string, body: object): Promise<void> {
    const { operated, dice, network } = this.#options;
    const running = operated();
    if (running.length === 0) return;
    const asked = operate(dice.pick(running), "POST", `/v1/networks/${network}/sandbox/${what}`, body);
    await Promise.race([asked.catch(() => {}), sleep(1_000)]);
  }

  async #withdraw(orderId: string): Promise<AskedWithdrawal> {
    const { account, coin, network, places, dice } = this.#options;
    const client = new Client(dice.pick(places()).rest, account, 1);
    const terms = { coin, network, address: payeeOf(orderId), amount: WITHDRAWN, withdrawOrderId: orderId };
    const asked = client.signed("POST", "/sapi/v1/capital/withdraw/apply", { ...terms, recvWindow: 60_000 });
    // Closing the client ends a request that is still running.
    const late = sleep(PATIENCE_MS).then(() => ({ status: 504 }));
    const { status } = await Promise.race([asked, late]).catch((error: NodeJS.ErrnoException) => {
      return { status: error.code === "ECONNREFUSED" ? 503 : 504 };
    });
    asked.catch(() => {});
    client.close();
    if (status === 200) return { orderId, outcome: "done" };
    if (status === 503) return { orderId, outcome: "notTaken" };
    return { orderId, outcome: status >= 500 ? "unknown" : "refused" };
  }

  /** Mines a block and checks. */
  async #isOver(): Promise<boolean> {
    await this.#ask("mine", { blocks: 1 });
    for (const node of this.#options.operated()) {
      const { waiting } = await operate<{ waiting: number }>(
        node,
        "GET",
        `/v1/networks/${this.#options.network}/sandbox`,
      );
      if (waiting > 0) return false;
      for (const path of ["/v1/pending-deposits", "/v1/withdrawals"]) {
        if ((await operate<unknown[]>(node, "GET", path)).length > 0) return false;
      }
    }
    return true;
  }
}
