/** Sends the orders of a replay: those of one turn together, in order. */
import type { CancelOrder, Command, PlaceOrder, Side, TimeInForce } from "@pricetime/engine";
import { BadMarketFile } from "../../research/market-files/bad-market-file.ts";
import type { Outcome, SettleNow } from "../../journal/sequencer/port.ts";
import type { ReplayAccounts, ReplayNode } from "./replay-accounts.ts";

interface Queued {
  readonly command: Command;
  readonly path: string;
  /** The line in the file; 0: the command may be refused, like the cancel of an order that was filled. */
  readonly line: number;
}

export class Desk {
  readonly #node: ReplayNode;
  readonly #symbolId: number;
  readonly #accounts: ReplayAccounts;
  /** What ids of orders begin with. */
  readonly #prefix: string;
  #lastId: number;
  #queue: Queued[] = [];
  /** The row that is played. */
  path = "";
  line = 0;

  constructor(node: ReplayNode, symbolId: number, accounts: ReplayAccounts, prefix: string, lastId: number) {
    this.#node = node;
    this.#symbolId = symbolId;
    this.#accounts = accounts;
    this.#prefix = prefix;
    this.#lastId = lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Places a LIMIT that rests, or with IOC takes. Returns its client order id: `id`, or a new one. */
  place(
    job: keyof ReplayAccounts,
    order: { readonly side: Side; readonly ticks: number; readonly lots: number; readonly id?: string },
    timeInForce: TimeInForce = "GTC",
  ): string {
    const { side, ticks, lots, id = this.#newId() } = order;
    const command: PlaceOrder = {
      type: "placeOrder",
      accountId: this.#accounts[job],
      symbolId: this.#symbolId,
      side,
      orderType: "LIMIT",
      timeInForce,
      priceTicks: ticks,
      quantityLots: lots,
      stopTicks: 0,
      icebergLots: 0,
      quoteOrderQty: 0n,
      clientOrderId: id,
    };
    this.#queue.push({ command, path: this.path, line: this.line });
    return id;
  }

  /** `isThere`: it was not filled by anybody, as far as we know. */
  cancel(job: keyof ReplayAccounts, origClientOrderId: string, isThere = true): void {
    const command: CancelOrder = {
      type: "cancelOrder",
      accountId: this.#accounts[job],
      symbolId: this.#symbolId,
      orderId: 0,
      origClientOrderId,
      newClientOrderId: this.#newId(),
    };
    this.#queue.push({ command, path: this.path, line: isThere ? this.line : 0 });
  }

  /** Cancels what is left of a job's orders. */
  cancelAll(job: keyof ReplayAccounts): void {
    this.cancelAllOf(this.#accounts[job]);
  }

  cancelAllOf(accountId: number): void {
    const newClientOrderId = this.#newId();
    const command = { type: "cancelOpenOrders", accountId, symbolId: this.#symbolId, newClientOrderId } as const;
    this.#queue.push({ command, path: this.path, line: 0 });
  }

  /** Whether what was placed can be carried out in this turn. */
  get canFlushNow(): boolean {
    return this.#node.sequencer.canSubmitNow;
  }

  /**
   * Carries out in this turn what was placed. Returns false where that has to wait, and then nothing has happened.
   * Throws as `flush`.
   */
  flushNow(): boolean {
    const queue = this.#queue;
    if (queue.length === 0) return true;
    let refused: BadMarketFile | undefined;
    const settle: SettleNow = (outcome, index) => {
      const { path, line } = queue[index] as Queued;
      const why = line === 0 ? undefined : refusalOf(outcome);
      if (why !== undefined) refused ??= refusedRow(path, line, why);
    };
    const commands = queue.map(({ command }) => command);
    if (!this.#node.sequencer.submitNow(commands, settle)) return false;
    this.#queue = [];
    if (refused !== undefined) throw refused;
    return true;
  }

  /** Resolves when all that was placed is carried out. Throws `BadMarketFile` for the first row that was refused. */
  async flush(): Promise<void> {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const refused = await new Promise<BadMarketFile | undefined>((resolve) => {
      let left = queue.length;
      let first: BadMarketFile | undefined;
      for (const { command, path, line } of queue) {
        this.#node.sequencer.submit(command, (outcome) => {
          const why = line === 0 ? undefined : refusalOf(outcome);
          if (why !== undefined) first ??= refusedRow(path, line, why);
          if (--left === 0) resolve(first);
        });
      }
    });
    if (refused !== undefined) throw refused;
  }

  #newId(): string {
    this.#lastId++;
    return this.#prefix + String(this.#lastId);
  }
}

const refusedRow = (path: string, line: number, why: string): BadMarketFile =>
  new BadMarketFile(path, line, `the exchange refused it: ${why}`);

function refusalOf(outcome: Outcome | Error): string | undefined {
  if (outcome instanceof Error) return outcome.message;
  const [event] = outcome.events;
  return event?.type === "rejected" ? event.reason : undefined;
}
