/** Runs a scenario on the engine (with either book) or on the model. */
import assert from "node:assert/strict";
import {
  type Command,
  Engine,
  type EngineOptions,
  FEE_ACCOUNT,
  FIRST_EDITION,
  NEWEST_EDITION,
  OUTSIDE_ACCOUNT,
} from "@pricetime/engine";
import {
  type Amount,
  clauses,
  type Happening,
  happeningsOf,
  ModelExchange,
  type ModelMarket,
  scaled,
  show,
} from "@pricetime/testkit/models";
import { accountOf, type Accounts, operatorCommands } from "./operator.ts";
import { amendCommand, cancelCommand, ocoCommand, orderCommand, otoCommand, replaceCommand } from "./orders.ts";
import type { Line, Scenario } from "./parse.ts";
import { portrait } from "../portrait.ts";
import { Words } from "./words.ts";

const START_MS = Date.UTC(2020, 0, 1);

/** The implementation on which a scenario is run. */
export interface Subject {
  apply(timeMs: number, command: Command): Happening[];
  balance(accountId: number, asset: string): { free: Amount; locked: Amount };
  /** Client ids, oldest first. */
  open(accountId: number): string[];
  /** The ones that wait for their stop price. */
  waiting(accountId: number): string[];
  /** Client ids of executing lists, oldest first. */
  lists(accountId: number): string[];
  /** The client ids of orders that wait for the working order of their list. */
  pending(accountId: number): string[];
  /** Lines such as `sell 101 x 2`, with the best prices in the middle. */
  book(symbol: string): string[];
}

class Run {
  readonly #subject: Subject;
  /** Runs the scenario too, to know the scale of its symbols. */
  readonly #model: ModelExchange;
  readonly #accounts: Accounts = new Map([
    ["OUTSIDE", OUTSIDE_ACCOUNT],
    ["FEES", FEE_ACCOUNT],
  ]);
  #timeMs = START_MS;

  constructor(subject: Subject, model: ModelExchange) {
    this.#subject = subject;
    this.#model = model;
  }

  /** The rules version is set first, wherever the scenario names it. */
  adopt(edition: number): void {
    if (edition > FIRST_EDITION) this.#subject.apply(this.#timeMs, { type: "adoptRules", edition });
  }

  line(line: Line): void {
    const words = new Words(line.words);
    const verb = words.take();
    if (verb === "rules") return;
    if (verb === "wait") this.#timeMs += words.duration();
    else if (verb === "book")
      assert.deepEqual(this.#subject.book(this.#market(words.after("of") ?? "").spec.symbol), line.rows);
    else if (this.#accounts.has(verb)) this.#trader(verb, words, line);
    else for (const command of operatorCommands(verb, words, this.#accounts, this.#timeMs)) this.#apply(command, line);
  }

  #trader(name: string, words: Words, line: Line): void {
    const accountId = accountOf(this.#accounts, name);
    const find = (symbol: string) => this.#market(symbol);
    if (words.has("has")) this.#has(accountId, words);
    else if (words.has("cancel")) this.#apply(cancelCommand(words, accountId, find), line);
    else if (words.has("amend")) this.#apply(amendCommand(words, accountId, find), line);
    else if (words.has("oco")) this.#apply(ocoCommand(words, accountId, find), line);
    else if (words.has("oto")) this.#apply(otoCommand(words, accountId, find, "OTO"), line);
    else if (words.has("opo")) this.#apply(otoCommand(words, accountId, find, "OPO"), line);
    else if (words.has("replace")) this.#apply(replaceCommand(words, accountId, find, "STOP_ON_FAILURE"), line);
    else if (words.has("replace-anyway")) this.#apply(replaceCommand(words, accountId, find, "ALLOW_FAILURE"), line);
    else this.#apply(orderCommand(words, accountId, find), line);
  }

  /** Default: the first symbol. */
  #market(symbol: string): ModelMarket {
    const { markets } = this.#model;
    const market = symbol === "" ? markets[0] : markets.find(({ spec }) => spec.symbol === symbol);
    if (market === undefined) throw new Error(`no symbol '${symbol}'`);
    return market;
  }

  /** `1.5 BTC, 10 + 2 USDT` (free + locked), or `open a1 a2`, or `open nothing`; `waiting` and `lists` likewise. */
  #has(accountId: number, words: Words): void {
    for (const what of ["open", "waiting", "lists", "pending"] as const) {
      if (!words.has(what)) continue;
      const expected: string[] = [];
      while (!words.done) expected.push(words.take());
      assert.equal(this.#subject[what](accountId).join(" ") || "nothing", expected.join(" "));
    }
    while (!words.done) {
      const free = words.take();
      const locked = words.after("+") ?? "0";
      const asset = words.take().replace(",", "");
      const balance = this.#subject.balance(accountId, asset);
      assert.equal(`${show(balance.free)} + ${show(balance.locked)} ${asset}`, `${free} + ${locked} ${asset}`);
    }
  }

  #apply(command: Command, line: Line): void {
    const happened = this.#subject.apply(this.#timeMs, command).map(clauses);
    const said = happened.map((event) => event.join(", "));
    if (line.expected === null) {
      assert.ok(!said[0]?.startsWith("refused"), `unexpectedly ${said[0]}`);
      return;
    }
    const fits =
      happened.length === line.expected.length &&
      line.expected.every((expected, at) => expected.every((clause) => happened[at]!.includes(clause)));
    if (!fits)
      assert.deepEqual(
        said,
        line.expected.map((expected) => expected.join(", ")),
      );
  }
}

export function runScenario(scenario: Scenario, makeSubject: (model: ModelExchange) => Subject): void {
  const model = new ModelExchange();
  const run = new Run(makeSubject(model), model);
  const rules = scenario.lines.find(({ words }) => words[0] === "rules")?.words[1];
  run.adopt(rules === undefined ? NEWEST_EDITION : Number(rules));
  for (const line of scenario.lines) {
    try {
      run.line(line);
    } catch (error) {
      throw new Error(`${scenario.file}:${line.number} ${line.words.join(" ")}\n${String(error)}`, { cause: error });
    }
  }
}

/** The model alone. */
export function modelSubject(model: ModelExchange): Subject {
  return {
    apply: (timeMs, command) => model.apply(timeMs, command),
    balance: (accountId, asset) => model.money.of(accountId, asset),
    open: (accountId) => clientIds(model.openOrders(accountId)),
    waiting: (accountId) => clientIds(model.openOrders(accountId).filter(({ place }) => place === "waiting")),
    pending: (accountId) => clientIds(model.openOrders(accountId).filter(({ place }) => place === "pending")),
    lists: (accountId) =>
      [...model.lists, ...model.otos]
        .filter((list) => list.accountId === accountId)
        .sort((a, b) => a.orderListId - b.orderListId)
        .map(({ listClientOrderId }) => listClientOrderId),
    book: (symbol) => modelBook(model.markets.find(({ spec }) => spec.symbol === symbol)!),
  };
}

/**
 * The engine, with the model alongside to know the scales. With `restarts`, it is restored from its snapshot after
 * every command.
 */
export function engineSubject(options: EngineOptions, restarts = false): (model: ModelExchange) => Subject {
  return (model) => {
    let engine = new Engine(options);
    return {
      apply: (timeMs, command) => {
        model.apply(timeMs, command);
        const happened = happeningsOf(engine, engine.apply({ seq: engine.seq + 1, timeMs, command }));
        engine.checkInvariants();
        if (restarts) engine = restarted(engine, options);
        return happened;
      },
      balance: (accountId, asset) => {
        const { assetId, spec } = engine.assets().find((listed) => listed.spec.asset === asset)!;
        const { free, locked } = engine.balance(accountId, assetId);
        return { free: scaled(free, spec.precision), locked: scaled(locked, spec.precision) };
      },
      open: (accountId) => clientIds(engine.openOrders(accountId)),
      waiting: (accountId) =>
        clientIds(
          engine.openOrders(accountId).filter(({ isWorking, status }) => !isWorking && status !== "PENDING_NEW"),
        ),
      pending: (accountId) => clientIds(engine.openOrders(accountId).filter(({ status }) => status === "PENDING_NEW")),
      lists: (accountId) => engine.openOrderLists(accountId).map(({ listClientOrderId }) => listClientOrderId),
      book: (symbol) => engineBook(engine, symbol),
    };
  };
}

function restarted(engine: Engine, options: EngineOptions): Engine {
  const snapshot = engine.snapshot();
  const again = Engine.restore(snapshot, options);
  again.checkInvariants();
  assert.deepEqual(again.snapshot(), snapshot, "the snapshot of a restarted engine");
  assert.deepEqual(portrait(again), portrait(engine), "a restarted engine");
  return again;
}

function clientIds(orders: readonly { readonly clientOrderId: string }[]): string[] {
  return orders.map(({ clientOrderId }) => clientOrderId);
}

function engineBook(engine: Engine, symbol: string): string[] {
  const market = engine.marketBySymbol(symbol)!;
  const { priceDecimals, quantityDecimals } = market.scale;
  const row = (side: string, [ticks, lots]: readonly [number, number]) =>
    `${side} ${show(scaled(ticks, priceDecimals))} x ${show(scaled(lots, quantityDecimals))}`;
  const asks = market.asks(1000).map((level) => row("sell", level));
  return [...asks.reverse(), ...market.bids(1000).map((level) => row("buy", level))];
}

function modelBook(market: ModelMarket): string[] {
  const shown = new Map<Amount, Amount>();
  const signed = (side: string, price: Amount) => (side === "SELL" ? price : -price);
  for (const order of market.orders) {
    if (order.place !== "book") continue;
    const key = signed(order.side, order.price);
    shown.set(key, (shown.get(key) ?? 0n) + order.visible);
  }
  const row = ([key, visible]: [Amount, Amount]) =>
    key > 0n ? `sell ${show(key)} x ${show(visible)}` : `buy ${show(-key)} x ${show(visible)}`;
  const levels = [...shown].sort((a, b) => Number((a[0] < 0n ? -a[0] : a[0]) - (b[0] < 0n ? -b[0] : b[0])));
  return levels.map(row).reverse();
}
