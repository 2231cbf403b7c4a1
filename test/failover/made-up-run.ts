/**
 * An honest run, made without any node: clients whose requests overlap, an engine that carries each out at one moment
 * between its request and its answer, and the log of it. What tests spoil of it must be found.
 */
import { ADOPT_NEWEST_RULES, Engine, type Command, type ListLeg, type OrderRecord } from "@pricetime/engine";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { happeningsOf, scaled, show, type Happening } from "@pricetime/testkit/models";
import type { LoggedEntry } from "../../failover/checks/log.ts";
import {
  type Ask,
  type Operation,
  type Outcome,
  QUANTITY_DECIMALS,
  type ToldBalance,
  type ToldOrder,
} from "../../failover/clients/operation.ts";

export const EMAILS = ["one@failover.example", "two@failover.example"];
const SYMBOL = "AAAUSDT";
const FIRST_ACCOUNT = 100;
const PLACES = 8;
const FILTERS = {
  priceFilter: { minPrice: "1", maxPrice: "100000", tickSize: "1" },
  lotSize: { minQty: "1", maxQty: "100000", stepSize: "0.000001" },
};
const LOTS = 10 ** QUANTITY_DECIMALS;

export interface MadeUpRun {
  readonly entries: readonly LoggedEntry[];
  readonly operations: readonly Operation[];
}

const OPENING: readonly Command[] = [
  ADOPT_NEWEST_RULES,
  listAsset("AAA", PLACES),
  listAsset("USDT", PLACES),
  listSymbol("AAA/USDT", FILTERS, { orderTypes: ["LIMIT", "STOP_LOSS_LIMIT"], ocoAllowed: true }),
  ...EMAILS.flatMap((email, at): Command[] => [
    openAccount(email, { name: email, makerBps: 10, takerBps: 10 }),
    deposit(FIRST_ACCOUNT + at, "AAA", "1000"),
    deposit(FIRST_ACCOUNT + at, "USDT", "1000000"),
  ]),
];

export function makeUpRun(seed: number, count: number): MadeUpRun {
  const run = new Run(seed);
  for (const command of OPENING) run.enter(command);
  for (let i = 0; i < count; i++) run.step();
  return run;
}

class Run implements MadeUpRun {
  readonly entries: LoggedEntry[] = [];
  readonly operations: Operation[] = [];
  readonly #engine = new Engine();
  readonly #dice: Dice;
  readonly #orders: { readonly order: string; readonly account: number }[] = [];
  readonly #told = new Map<string, ToldOrder>();
  readonly #ids = new Map<number, string>();
  #nowMs = 1000;
  #count = 0;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
  }

  enter(command: Command): readonly Happening[] {
    const seq = this.entries.length + 1;
    const timeMs = Math.floor(this.#nowMs);
    const happened = happeningsOf(this.#engine, this.#engine.apply({ seq, timeMs, command }));
    this.entries.push({ seq, timeMs, node: "n1", command });
    for (const each of happened) this.#note(each);
    return happened;
  }

  step(): void {
    const dice = this.#dice;
    this.#nowMs += dice.between(1, 20);
    const account = dice.below(EMAILS.length);
    const mine = this.#orders.filter((each) => each.account === account);
    const kind =
      mine.length === 0
        ? "place"
        : dice.pick(["place", "place", "place", "list", "amend", "cancel", "query", "query", "openOrders", "balances"]);
    if (kind === "place") return this.#place(account);
    if (kind === "list") return this.#list(account);
    if (kind === "balances") return this.#add(account, { kind }, { is: "done", balances: this.#balances(account) });
    const open = this.#engine.openOrders(FIRST_ACCOUNT + account);
    if (kind === "openOrders") {
      const orders = open.map((order) => this.#told.get(order.clientOrderId) as ToldOrder);
      return this.#add(account, { kind, symbol: SYMBOL }, { is: "done", orders });
    }
    const { order } = dice.pick(mine);
    if (kind === "cancel") return this.#cancel(account, order, open);
    if (kind === "amend") return this.#amend(account, order);
    const told = this.#told.get(order);
    const outcome: Outcome = told === undefined ? { is: "refused", code: -2013 } : { is: "done", order: told };
    return this.#add(account, { kind: "query", order, symbol: SYMBOL }, outcome);
  }

  #place(account: number): void {
    const order = `o-${account}-${++this.#count}`;
    const side = this.#dice.pick(["BUY", "SELL"] as const);
    const priceTicks = 1000 + this.#dice.between(-5, 5);
    const quantity = this.#dice.oneIn(20) ? 5000 : this.#dice.between(1, 9);
    const quantityLots = quantity * LOTS;
    const stopTicks = this.#dice.oneIn(4) ? 1000 + this.#dice.between(1, 4) * (side === "BUY" ? 1 : -1) : 0;
    const stop = stopTicks === 0 ? {} : { stop: { type: "STOP_LOSS_LIMIT", stopPrice: String(stopTicks) } as const };
    const fate = this.#dice.below(30);
    const ask: Ask = {
      ...{ kind: "place", order, symbol: SYMBOL, side },
      ...{ price: String(priceTicks), quantity: String(quantity), ...stop },
    };
    this.#orders.push({ order, account });
    if (fate === 0) return this.#add(account, ask, { is: "notTaken" });
    if (fate === 1) return this.#add(account, ask, { is: "unknown" });
    const [first] = this.enter(
      placeOrder({
        ...{ accountId: FIRST_ACCOUNT + account, side, priceTicks, quantityLots, clientOrderId: order, stopTicks },
        orderType: stopTicks === 0 ? "LIMIT" : "STOP_LOSS_LIMIT",
      }),
    );
    if (fate === 2) return this.#add(account, ask, { is: "unknown" });
    if (first?.kind === "refused") return this.#add(account, ask, { is: "refused", code: -2010 });
    return this.#add(account, ask, { is: "done", order: this.#told.get(order) as ToldOrder });
  }

  /** An order that buys, and one that sells below the price that the first one trades at. */
  #list(account: number): void {
    const list = `l-${account}-${++this.#count}`;
    const orders = [`o-${account}-${++this.#count}`, `o-${account}-${++this.#count}`] as const;
    for (const order of orders) this.#orders.push({ order, account });
    const price = 1000 + this.#dice.between(-4, 4);
    const quantityLots = this.#dice.between(1, 9) * LOTS;
    const leg = (clientOrderId: string, stopTicks: number): ListLeg => ({
      ...{ timeInForce: "GTC", priceTicks: stopTicks || price, stopTicks, icebergLots: 0, clientOrderId },
      orderType: stopTicks === 0 ? "LIMIT" : "STOP_LOSS_LIMIT",
    });
    const stopTicks = this.#dice.pick([0, price - 2, price + 8]);
    const [first] = this.enter({
      ...{ type: "placeOto", accountId: FIRST_ACCOUNT + account, symbolId: 0, kind: "OTO", listClientOrderId: list },
      ...{ working: { side: "BUY", quantityLots, leg: leg(orders[0], 0) }, pendingSide: "SELL" },
      ...{ pendingLots: quantityLots, pending: leg(orders[1], stopTicks), pendingLimit: null },
    });
    const ask: Ask = { kind: "list", list, listKind: "oto", symbol: SYMBOL, orders, terms: {} };
    if (first?.kind === "refused") return this.#add(account, ask, { is: "refused", code: -2010 });
    const [working, pending] = orders.map((order) => this.#told.get(order) as ToldOrder) as [ToldOrder, ToldOrder];
    const asPlaced = { ...pending, status: "PENDING_NEW", executedQty: "0", cummulativeQuoteQty: "0" };
    return this.#add(account, ask, { is: "done", orders: [working, asPlaced] });
  }

  #amend(account: number, order: string): void {
    const unique = ++this.#count;
    const whole = this.#dice.between(1, 6);
    const happened = this.enter({
      ...{ type: "amendOrder", accountId: FIRST_ACCOUNT + account, symbolId: 0, orderId: 0, origClientOrderId: order },
      ...{ newClientOrderId: order, quantityLots: whole * LOTS + unique },
    });
    const quantity = `${whole}.${String(unique).padStart(QUANTITY_DECIMALS, "0")}`;
    const ask: Ask = { kind: "amend", order, symbol: SYMBOL, quantity };
    const isDone = happened[0]?.kind === "amended";
    const told = this.#told.get(order) as ToldOrder;
    this.#add(account, ask, isDone ? { is: "done", order: told } : { is: "refused", code: -2038 });
  }

  #cancel(account: number, order: string, open: readonly OrderRecord[]): void {
    const cancelId = `x-${account}-${++this.#count}`;
    const isOpen = open.some(({ clientOrderId }) => clientOrderId === order);
    this.enter({
      ...{ type: "cancelOrder", accountId: FIRST_ACCOUNT + account, symbolId: 0, orderId: 0 },
      ...{ origClientOrderId: order, newClientOrderId: cancelId },
    });
    const ask: Ask = { kind: "cancel", order, symbol: SYMBOL, cancelId };
    const told = this.#told.get(order) as ToldOrder;
    this.#add(account, ask, isOpen ? { is: "done", order: told } : { is: "refused", code: -2011 });
  }

  #add(account: number, ask: Ask, outcome: Outcome): void {
    const beganMs = this.#nowMs - this.#dice.below(30);
    const endedMs = this.#nowMs + 0.5 + this.#dice.below(30);
    const who = { client: account, account, node: "n1", atLeastSeq: 0, seq: this.entries.length, staleMs: -1 };
    this.operations.push({ ...who, ask, beganMs, endedMs, outcome });
  }

  #note(each: Happening): void {
    if (each.kind === "opened") {
      this.#ids.set(each.orderId, each.clientOrderId);
      this.#change(each.orderId, each.isPending ? "PENDING_NEW" : "NEW", 0n, 0n);
    } else if (each.kind === "ended") this.#change(each.orderId, each.status, each.executed, each.executedQuote);
    else if (each.kind === "traded") {
      for (const { orderId, status, executed, executedQuote } of [each.taker, each.maker]) {
        this.#change(orderId, status, executed, executedQuote);
      }
    }
  }

  #change(orderId: number, status: string, executed: bigint, quote: bigint): void {
    const clientOrderId = this.#ids.get(orderId) as string;
    const [executedQty, cummulativeQuoteQty] = [show(executed), show(quote)];
    this.#told.set(clientOrderId, { clientOrderId, orderId, status, executedQty, cummulativeQuoteQty });
  }

  #balances(account: number): ToldBalance[] {
    return this.#engine.assets().map(({ assetId, spec }) => {
      const { free, locked } = this.#engine.balance(FIRST_ACCOUNT + account, assetId);
      return { asset: spec.asset, free: show(scaled(free, PLACES)), locked: show(scaled(locked, PLACES)) };
    });
  }
}
