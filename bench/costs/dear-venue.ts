/**
 * A venue with responses of maximum length: 1,500 symbols, a book of 30,000 levels, an account with 10,000 open orders
 * and 1,000 assets, histories of more than a page. All in one process, so that the cost of a request on the thread that
 * accepts orders can be measured; history is queried on its own threads as usual.
 */
import assert from "node:assert/strict";
import type { KeyObject } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ADOPT_NEWEST_RULES, type Command, Engine, type Event, PERMISSIONS } from "@pricetime/engine";
import type { PlaceOrder, Side } from "@pricetime/engine";
import { HistoryReader, HistoryWriter, openHistoryFile, Progress } from "@pricetime/server/data-folder";
import {
  createConfirmations,
  createGateway,
  DEFAULT_LIMITS,
  fileSchema,
  type Gateway,
  type GatewayRequest,
  type GatewayResponse,
  MACHINE,
  type Outcome,
  type Replier,
  type Sequencer,
  textOf,
  TradingRules,
} from "@pricetime/server/parts";
import { networkOf } from "@pricetime/testkit/commands";
import { encode, encodeSigned, type Parameters } from "@pricetime/testkit/client";
import { EngineVenue, sealed, type TestKey, VenueWallet } from "@pricetime/testkit/gateway-venue";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Cost, Probe } from "./probe.ts";

export const SYMBOLS = 1500;
const ASSETS_HELD = 1000;
export const OPEN_ORDERS = 10_000;
/** The number of open orders on a single symbol. */
export const OPEN_ORDERS_ON_ONE = 2000;
export const OPEN_LISTS = 1000;
/** The price levels of the deepest book, both sides together. */
export const LEVELS = 30_000;
const SUB_ACCOUNTS = 1000;
/** The minutes of the last day in which the busiest symbol traded: all of them. */
const MINUTES = 1440;
const HISTORY_ROWS = 1200;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const START_MS = 1_614_834_367_000;
const COMMANDS_A_COMMIT = 2000;

/** The indexes of symbols with particular data. */
export const BUSY = 0;
export const DEEP = 1;
export const CROWDED = 2;
export const QUIET = 3;
export const MID_TICKS = 1_000_000;
/** One whole unit of the base asset. */
export const LOT = 100_000_000;

export const symbolOf = (symbolId: number): string => `COIN${symbolId}USDT`;

export interface Answered {
  readonly status: number;
  readonly body: string;
}

export class DearVenue extends EngineVenue {
  readonly probe = new Probe();
  readonly gateway: Gateway;
  readonly owner: TestKey;
  /** The counterparty of the owner's trades. */
  readonly maker: TestKey;
  /** Owns 100 USDT, and places orders that exceed its balance. */
  readonly pauper: TestKey;
  /** An Ed25519 key of the owner. */
  readonly ed25519: { readonly apiKey: string; readonly privateKey: KeyObject };
  readonly #folder = temporaryFolder();
  readonly #writer: HistoryWriter;
  readonly #history: HistoryReader;
  /** The events of the last command. */
  lastEvents: readonly Event[] = [];
  #uncommitted = 0;
  /** When true, history is no longer written: in a node, another thread does that. */
  readonly #isFilled: boolean = false;
  #ids = 0;

  constructor() {
    super(new Engine({ hashSeed: 1, recordPostings: true }), START_MS - 40 * DAY_MS);
    const path = join(this.#folder, "history.sqlite");
    this.#writer = new HistoryWriter(openHistoryFile(path));
    const progress = new Progress();
    progress.project(Number.MAX_SAFE_INTEGER);
    const onFatal = (error: Error): never => assert.fail(error);
    this.#history = new HistoryReader({ path, progress, world: MACHINE, onFatal });
    const { engine } = this;
    const sequencer = this.sequencer();
    const rules = { settings: fileSchema.parse({}).tradingRules, view: engine, sequencer, history: this.#history };
    this.gateway = createGateway({
      engine,
      sequencer,
      history: this.#history,
      unseal: sealed,
      walletPorts: {
        wallet: new VenueWallet(engine, (command) => this.apply(command)),
        tradingRules: new TradingRules({ ...rules, world: MACHINE, log: { warn: () => undefined }, onFatal }),
        checkTotp: () => null,
        confirmations: createConfirmations("00".repeat(32)),
      },
      limits: { ...DEFAULT_LIMITS, enabled: false },
      world: {
        ...MACHINE,
        nowMs: () => this.nowMs,
        soon: (next) => void setImmediate(() => this.probe.stretch(next)),
      },
      log: { error: (fields) => assert.fail(JSON.stringify(fields, (_, value) => String(value.stack ?? value))) },
      onFatal,
    });
    this.apply(ADOPT_NEWEST_RULES);
    this.#list();
    this.owner = this.#open("owner");
    this.maker = this.#open("maker");
    this.pauper = this.#open("pauper");
    this.ed25519 = this.ed25519Key(this.owner.accountId, PERMISSIONS);
    this.#fill();
    this.#commit();
    this.#isFilled = true;
  }

  async started(): Promise<void> {
    await this.#history.started();
  }

  async close(): Promise<void> {
    await this.#history.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  override apply(command: Command): Outcome {
    const { engine } = this;
    const entry = { seq: engine.seq + 1, timeMs: this.nowMs, command };
    const events = engine.apply(entry);
    this.lastEvents = events;
    if (!this.#isFilled) {
      this.#writer.record(engine, entry, events, engine.postings);
      if (++this.#uncommitted >= COMMANDS_A_COMMIT) this.#commit();
    }
    return { seq: entry.seq, timeMs: engine.timeMs, events };
  }

  /** Places a LIMIT order and returns its client order ID. */
  place({ accountId }: TestKey, symbolId: number, side: Side, priceTicks: number, lots = LOT): string {
    const clientOrderId = this.id();
    const terms = { side, orderType: "LIMIT", timeInForce: "GTC", stopTicks: 0, icebergLots: 0 } as const;
    const amounts = { priceTicks, quantityLots: lots, quoteOrderQty: 0n };
    const order: PlaceOrder = { type: "placeOrder", accountId, symbolId, clientOrderId, ...terms, ...amounts };
    this.act(order);
    return clientOrderId;
  }

  /** Places an OCO and returns its client order ID. */
  placeList(symbolId: number): string {
    const listClientOrderId = this.id();
    const leg = { timeInForce: "GTC", icebergLots: 0 } as const;
    const stop = { orderType: "STOP_LOSS_LIMIT", priceTicks: MID_TICKS - 2000, stopTicks: MID_TICKS - 1000 } as const;
    const limit = { orderType: "LIMIT_MAKER", priceTicks: MID_TICKS + 1000, stopTicks: 0 } as const;
    this.act({
      type: "placeOco",
      accountId: this.owner.accountId,
      symbolId,
      side: "SELL",
      quantityLots: LOT,
      stopLeg: { ...leg, ...stop, clientOrderId: this.id() },
      limitLeg: { ...leg, ...limit, clientOrderId: this.id() },
      listClientOrderId,
    });
    return listClientOrderId;
  }

  /** The owner's listen key. */
  listenKey(): string {
    const { accountId } = this.owner;
    const [event] = this.act({ type: "openListenKey", accountId, listenKey: this.id().padEnd(60, "x") });
    assert.ok(event?.type === "listenKeyOpened");
    return event.listenKey;
  }

  id(): string {
    return `id${this.#ids++}`;
  }

  /** `key` is the API key, if the request needs one. */
  request(
    method: string,
    path: string,
    parameters: Parameters,
    key: TestKey | undefined,
    isSigned = key !== undefined,
  ): GatewayRequest {
    const rest = { method, path, body: "", ip: "127.0.0.1" };
    const headers = key === undefined ? {} : { "x-mbx-apikey": key.apiKey };
    if (key === undefined || !isSigned) return { ...rest, query: encode(parameters), headers };
    const timed = { ...parameters, timestamp: Math.max(this.nowMs, this.engine.timeMs) };
    return { ...rest, query: encodeSigned(timed, key.secretKey), headers };
  }

  /** The cost of answering `ask`, and the response. */
  async cost(ask: (gateway: Gateway, replier: Replier) => void): Promise<Cost & Answered> {
    let answer: GatewayResponse | undefined;
    const cost = await this.probe.cost((done) =>
      ask(this.gateway, {
        reply: (response) => {
          answer = response;
          done();
        },
      }),
    );
    assert.ok(answer !== undefined);
    return { ...cost, status: answer.status, body: textOf(answer.body) };
  }

  override sequencer(): Sequencer {
    const submit: Sequencer["submit"] = (command, settle) =>
      setImmediate(() => this.probe.stretch(() => settle(this.apply(command))));
    return { ...super.sequencer(), submit };
  }

  #commit(): void {
    this.#writer.commit(this.engine, "");
    this.#uncommitted = 0;
  }

  #list(): void {
    this.listAsset("USDT", 8);
    for (let n = 0; n < SYMBOLS; n++) {
      this.listAsset(`COIN${n}`, 8, [NETWORK]);
      this.listSymbol(`COIN${n}/USDT`, FILTERS);
    }
  }

  #open(name: string): TestKey {
    return this.key(this.openAccount(`${name}@example.org`), PERMISSIONS);
  }

  #fill(): void {
    const { owner, maker, pauper } = this;
    for (const { accountId } of [owner, maker]) {
      this.give(accountId, "USDT", "1000000000000");
      for (let n = 0; n < ASSETS_HELD; n++) this.give(accountId, `COIN${n}`, "1000000");
    }
    for (let n = ASSETS_HELD; n < SYMBOLS; n++) this.give(maker.accountId, `COIN${n}`, "1000");
    this.give(pauper.accountId, "USDT", "100");
    for (let n = 0; n < SUB_ACCOUNTS; n++) this.openAccount(`sub${n}@example.org`, owner.accountId);
    this.nowMs = START_MS - DAY_MS;
    this.#trade();
    this.nowMs = START_MS;
    this.#move();
    this.#rest();
  }

  #trade(): void {
    const { owner, maker } = this;
    for (let symbolId = 0; symbolId < SYMBOLS; symbolId++) {
      this.place(maker, symbolId, "SELL", MID_TICKS);
      this.place(owner, symbolId, "BUY", MID_TICKS);
    }
    for (let minute = 1; minute < MINUTES; minute++) {
      this.nowMs += MINUTE_MS;
      this.place(maker, BUSY, "SELL", MID_TICKS + (minute % 100));
      this.place(owner, BUSY, "BUY", MID_TICKS + (minute % 100));
    }
  }

  /** Makes deposits and transfers. */
  #move(): void {
    const { accountId } = this.owner;
    const [network, address] = [NETWORK.network, "0xowner"];
    this.act({ type: "assignDepositAddress", accountId, network, address, tag: "" });
    for (let n = 0; n < HISTORY_ROWS; n++) {
      const coin = { network, txId: `tx${n}`, output: 0 };
      this.act({ type: "seeDeposit", ...coin, asset: "COIN0", address, tag: "", amount: "1" });
      const sub = this.engine.accountByEmail("sub0@example.org")?.accountId ?? 0;
      const between = { fromAccountId: accountId, toAccountId: sub };
      this.act({ type: "transfer", accountId, ...between, asset: "COIN0", amount: "1" });
    }
  }

  #rest(): void {
    const { owner, maker } = this;
    for (let n = 0; n < LEVELS / 2; n++) {
      this.place(maker, DEEP, "BUY", MID_TICKS - 1 - n, LOT / 1000);
      this.place(maker, DEEP, "SELL", MID_TICKS + 1 + n, LOT / 1000);
    }
    for (let n = 0; n < OPEN_ORDERS_ON_ONE; n++) this.place(owner, CROWDED, "BUY", MID_TICKS - 1 - n);
    for (let n = 0; n < OPEN_LISTS; n++) this.placeList(QUIET + 1 + (n % 100));
    for (let n = OPEN_ORDERS_ON_ONE + 2 * OPEN_LISTS; n < OPEN_ORDERS; n++) {
      this.place(owner, QUIET + (n % (SYMBOLS - QUIET)), "BUY", MID_TICKS - 1 - Math.floor(n / SYMBOLS));
    }
    for (let symbolId = QUIET; symbolId < SYMBOLS; symbolId++) this.place(maker, symbolId, "SELL", MID_TICKS + 50);
  }
}

const NETWORK = networkOf("ETH");
/** Ticks of 0.01, lots of 10^-8, without a limit on open orders. */
const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
  percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  lotSize: { minQty: "0.00000001", maxQty: "90000", stepSize: "0.00000001" },
  minNotional: { minNotional: "0.01", applyToMarket: true, avgPriceMins: 5 },
  icebergParts: { limit: 10 },
  marketLotSize: { minQty: "0", maxQty: "0", stepSize: "0" },
};
