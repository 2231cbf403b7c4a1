/**
 * Sends the orders of a replay: orders of one instant together, in sequence, from accounts that are opened and funded
 * when first needed.
 */
import type { CancelOrder, Command, EngineView, PlaceOrder, Side, TimeInForce } from "@pricetime/engine";
import { act } from "../demo/operator.ts";
import { BOT_ADDRESSES } from "../demo/port.ts";
import type { Outcome, PromptSequencer, SettleNow } from "../../journal/sequencer/port.ts";
import { SavedStateUnreadable } from "../../platform/world/saved-state.ts";
import { BadMarketFile } from "../../research/market-files/rows.ts";

/**
 * The jobs of a replay, each with its own account: quotes between trades on either side, makers of single trades, and
 * takers.
 */
export const JOBS = ["bids", "asks", "makers", "takers"] as const;
type ReplayJob = (typeof JOBS)[number];
export type ReplayAccounts = Readonly<Record<ReplayJob, number>>;

/** The balance of each account in each asset: more than any market has ever traded. */
const GRANT = "1000000000000000";

export interface ReplayNode {
  readonly view: EngineView;
  readonly sequencer: Pick<PromptSequencer, "run" | "submit" | "submitNow" | "canSubmitNow">;
}

/** The author of these commands in the journal. */
export const BY = "replay";

/** Opens and funds the accounts of a replay. Journals nothing if all of them exist. */
export async function openReplayAccounts(node: ReplayNode, symbol: string): Promise<ReplayAccounts> {
  const market = node.view.marketBySymbol(symbol);
  if (market === undefined) throw new Error(`${symbol} is not listed`);
  for (const job of JOBS) {
    const name = nameOf(job, symbol);
    const email = `${name}${BOT_ADDRESSES}`;
    if (node.view.accountByEmail(email) !== undefined) continue;
    await act(node, { type: "openAccount", email, name, makerBps: 0, takerBps: 0 }, BY);
    const { accountId } = node.view.accountByEmail(email) ?? {};
    if (accountId === undefined) throw new Error("an account that was opened is there");
    for (const asset of [market.spec.baseAsset, market.spec.quoteAsset]) {
      await act(node, { type: "deposit", accountId, asset, amount: GRANT, reference: `${name} ${asset}` }, BY);
    }
  }
  return openedAccounts(node, symbol);
}

/** Returns the accounts of a replay that has begun. Throws `SavedStateUnreadable` if they do not exist. */
export function openedAccounts({ view }: ReplayNode, symbol: string): ReplayAccounts {
  const of = (job: ReplayJob): number => {
    const account = view.accountByEmail(`${nameOf(job, symbol)}${BOT_ADDRESSES}`);
    if (account === undefined)
      throw new SavedStateUnreadable(`replays: the accounts of that on ${symbol} are not open`);
    return account.accountId;
  };
  return { bids: of("bids"), asks: of("asks"), makers: of("makers"), takers: of("takers") };
}

const nameOf = (job: ReplayJob, symbol: string): string => `replay-${job}-${symbol.toLowerCase()}`;

/**
 * Yields the accounts of bots, agents and earlier replays with open orders on a symbol, because these orders would
 * interfere.
 */
export function* accountsInTheWay({ view }: ReplayNode, symbolId: number): Generator<number> {
  for (const { accountId, email } of view.accounts()) {
    if (email.endsWith(BOT_ADDRESSES) && view.countOpenOrders(accountId, symbolId) > 0) yield accountId;
  }
}

interface Queued {
  readonly command: Command;
  readonly path: string;
  /** The line in the file; 0 if the command may be rejected, like the cancel of an order that was filled. */
  readonly line: number;
}

export class OrderSender {
  readonly #node: ReplayNode;
  readonly #symbolId: number;
  readonly #accounts: ReplayAccounts;
  /** The prefix of the replay's client order ids. */
  readonly #prefix: string;
  #lastId: number;
  #queue: Queued[] = [];
  /** File and line of the row that is being replayed. */
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

  /**
   * Places a limit order, which rests, or with IOC takes liquidity. Returns its client order id: `id`, or a new one.
   */
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

  /** Cancels an order. `isThere`: the order is expected to be open, so a rejection is an error. */
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

  /** Cancels all open orders of a job. */
  cancelAll(job: keyof ReplayAccounts): void {
    this.cancelAllOf(this.#accounts[job]);
  }

  cancelAllOf(accountId: number): void {
    const newClientOrderId = this.#newId();
    const command = { type: "cancelOpenOrders", accountId, symbolId: this.#symbolId, newClientOrderId } as const;
    this.#queue.push({ command, path: this.path, line: 0 });
  }

  /** Whether queued commands can be executed in this turn. */
  get canFlushNow(): boolean {
    return this.#node.sequencer.canSubmitNow;
  }

  /**
   * Executes queued commands in this turn. Returns false without any effect if they have to wait. Throws like `flush`.
   */
  flushNow(): boolean {
    const queue = this.#queue;
    if (queue.length === 0) return true;
    let refused: BadMarketFile | undefined;
    const settle: SettleNow = (outcome, index) => void (refused ??= refusalOf(queue[index] as Queued, outcome));
    const commands = queue.map(({ command }) => command);
    if (!this.#node.sequencer.submitNow(commands, settle)) return false;
    this.#queue = [];
    if (refused !== undefined) throw refused;
    return true;
  }

  /** Executes all queued commands. Throws `BadMarketFile` for the first row that was rejected. */
  async flush(): Promise<void> {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#queue = [];
    const refused = await new Promise<BadMarketFile | undefined>((resolve) => {
      let left = queue.length;
      let first: BadMarketFile | undefined;
      for (const queued of queue) {
        this.#node.sequencer.submit(queued.command, (outcome) => {
          first ??= refusalOf(queued, outcome);
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

function refusalOf({ path, line }: Queued, outcome: Outcome | Error): BadMarketFile | undefined {
  if (line === 0) return undefined;
  const [event] = outcome instanceof Error ? [] : outcome.events;
  const reason = outcome instanceof Error ? outcome.message : event?.type === "rejected" ? event.reason : undefined;
  return reason === undefined ? undefined : new BadMarketFile(path, line, `the exchange refused it: ${reason}`);
}
