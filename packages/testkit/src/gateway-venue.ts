/**
 * An exchange in one process: the real engine, history in an in-memory SQLite database, and a sequencer that applies
 * each command separately, in the next turn of the event loop. The test controls the clock.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  ADOPT_NEWEST_RULES,
  type AssetNetwork,
  type Command,
  type DepositAddress,
  Engine,
  type EngineView,
  type Entry,
  type Event,
  type Permission,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";
import {
  ChainUnreachable,
  createConfirmations,
  createGateway,
  DEFAULT_LIMITS,
  fileSchema,
  type Gateway,
  type GatewayOptions,
  MACHINE,
  type NetworkStatus,
  NoSuchNetwork,
  type NotAccepted,
  orderLimitsOf,
  type Outcome,
  type OutcomeUnknown,
  type Sequencer,
  SendQueue,
  type TextResponse,
  type Timers,
  totpCheck,
  TradingRules,
  type Wallet,
  type WalletPorts,
  WithdrawalEmails,
  type WithdrawalToConfirm,
} from "@pricetime/server/parts";
import { createApiKey, deposit, listAsset, listSymbol, networkOf, openAccount } from "./commands.ts";
import {
  type Credentials,
  ed25519Key,
  encode,
  encodeSigned,
  type Parameters,
  type SigningKey,
} from "./client/client.ts";
import { type History, HistoryWriter, openHistoryFile, openQueries, type Query } from "@pricetime/server/data-folder";
import { historyOver } from "./journal.ts";

// An engine under the test's own clock, with an operator who lists symbols, opens accounts, and creates deposits and
// keys.

export interface TestKey extends Credentials {
  readonly accountId: number;
}

export abstract class EngineVenue {
  readonly engine: Engine;
  nowMs: number;
  #keys = 0;

  constructor(engine: Engine, startMs: number) {
    this.engine = engine;
    this.nowMs = startMs;
  }

  abstract apply(command: Command): Outcome;

  /** Returns a sequencer that applies each command separately, in the turn of the event loop after its submission. */
  sequencer(): Sequencer {
    return {
      submit: (command, settle) => setImmediate(() => settle(this.apply(command))),
      run: async (command) => this.apply(command),
      nowMs: () => Math.max(this.nowMs, this.engine.timeMs),
    };
  }

  /** Executes an operator's command, which must not be rejected. */
  act(command: Command): readonly Event[] {
    const { events } = this.apply(command);
    const [first] = events;
    assert(first?.type !== "rejected", `${command.type}: ${first?.type === "rejected" ? first.reason : ""}`);
    return events;
  }

  listAsset(asset: string, precision: number, networks: readonly AssetNetwork[] = []): void {
    this.act(listAsset(asset, precision, networks));
  }

  /** Lists a symbol. `pair` is, for example, BTC/USDT. */
  listSymbol(pair: string, filters?: SymbolFilters, more?: Partial<SymbolSpec>): void {
    this.act(listSymbol(pair, filters, more));
  }

  /** Opens an account or a sub-account without balances or keys. */
  openAccount(email: string, masterId?: number): number {
    const of = masterId === undefined ? {} : { masterId };
    const [event] = this.act(openAccount(email, { name: email, makerBps: 10, takerBps: 20, ...of }));
    assert(event?.type === "accountOpened");
    return event.accountId;
  }

  give(accountId: number, asset: string, amount: string): void {
    this.act(deposit(accountId, asset, amount, `${accountId} ${asset} ${this.engine.seq}`));
  }

  /** Creates an HMAC key. */
  key(
    accountId: number,
    permissions: readonly Permission[] = MAY_TRADE,
    ipAllowList: readonly string[] = [],
    secret?: string,
  ): TestKey {
    const apiKey = `key${++this.#keys}`.padEnd(64, "A");
    const secretKey = secret ?? `secret${this.#keys}`.padEnd(64, "B");
    const how = { sealedSecret: sealed(secretKey), permissions, ipAllowList, label: "test" };
    this.act(createApiKey(accountId, apiKey, how));
    return { accountId, apiKey, secretKey };
  }

  /** Creates an Ed25519 key. */
  ed25519Key(accountId: number, permissions: readonly Permission[]): SigningKey & { readonly privateKey: KeyObject } {
    const { publicKey: half, privateKey } = generateKeyPairSync("ed25519");
    const publicKey = half.export({ format: "der", type: "spki" }).toString("base64");
    const apiKey = `ed${++this.#keys}`.padEnd(64, "E");
    this.act(createApiKey(accountId, apiKey, { publicKey, permissions, label: "test" }));
    return { ...ed25519Key(apiKey, privateKey), privateKey };
  }
}

const MAY_TRADE: readonly Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"];

/** Replaces encryption in tests: reverses the text. */
export function sealed(text: string): string {
  return text.split("").reverse().join("");
}

// The wallet of the test exchange. Its networks accept every address except "nowhere", and tags that consist of digits.
// The network DOWN never answers.

const NETWORKS = ["BTC", "ETH", "XRP"];

export class VenueWallet implements Wallet {
  readonly #engine: EngineView;
  readonly #apply: (command: Command) => unknown;

  constructor(engine: EngineView, apply: (command: Command) => unknown) {
    this.#engine = engine;
    this.#apply = apply;
  }

  networks(): readonly NetworkStatus[] {
    return NETWORKS.map((network) => ({
      network,
      kind: "manual",
      isUp: true,
      height: 0,
      readHeight: 0,
      trouble: "",
    }));
  }

  isAddress(network: string, address: string, tag: string): boolean {
    return NETWORKS.includes(network) && address !== "nowhere" && /^[0-9]*$/.test(tag);
  }

  depthOf(): undefined {
    return undefined;
  }

  async depositAddress(accountId: number, network: string): Promise<DepositAddress> {
    if (network === "DOWN") throw new ChainUnreachable("DOWN does not answer");
    if (!NETWORKS.includes(network)) throw new NoSuchNetwork(network);
    const known = this.#engine.funds.depositAddress(accountId, network);
    if (known !== undefined) return known;
    const isTagged = network === "XRP";
    const address = isTagged ? "shared" : `${network}-${accountId}`;
    const tag = isTagged ? String(accountId) : "";
    this.#apply({ type: "assignDepositAddress", accountId, network, address, tag });
    return { accountId, network, address, tag };
  }
}

/** 2021-03-04T05:06:07.000Z. */
export const START_MS = 1_614_834_367_000;

export interface SignedOptions {
  readonly key?: TestKey;
  readonly ip?: string;
  /** Where the parameters are sent: all in the query (default), or all in a form body. */
  readonly in?: "query" | "body";
  readonly timestampMs?: number;
  /** Headers besides that of the key. */
  readonly headers?: Record<string, string>;
}

export interface TestAnswer {
  readonly status: number;
  // Tests read bodies of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  /** The received body as text, which preserves exact numbers and the order of fields. */
  readonly body: string;
  readonly headers: ReadonlyMap<string, string>;
}

const CONFIRMATIONS = createConfirmations("00112233445566778899aabbccddeeff".repeat(2));

export class TestVenue extends EngineVenue {
  readonly gateway: Gateway;
  readonly trader: TestKey;
  readonly maker: TestKey;
  /** Internal errors logged by the gateway. */
  readonly bugs: unknown[] = [];
  readonly fatal: Error[] = [];
  /** The withdrawals for which customers were sent a confirmation email. */
  readonly mails: WithdrawalToConfirm[] = [];
  /** If set, the next command fails with this error instead of reaching the engine. */
  failNext: NotAccepted | OutcomeUnknown | undefined;
  readonly sendQueue = new SendQueue();
  /** Objects whose `applied` is called with each applied command, before the answer is sent. */
  readonly followers = new Set<{ applied(entry: Entry, events: readonly Event[]): void }>();
  readonly #writer: HistoryWriter;
  readonly #query: Query;

  constructor(
    { soon = MACHINE.soon, ...options }: Partial<GatewayOptions & Pick<Timers, "soon">> = {},
    startMs = START_MS,
  ) {
    super(new Engine({ recordPostings: true }), startMs);
    const database = openHistoryFile(":memory:");
    this.#writer = new HistoryWriter(database);
    this.#query = openQueries(database);
    const letters = new WithdrawalEmails({
      view: this.engine,
      mails: { confirmWithdrawal: (mail) => this.mails.push(mail), withdrawalsWrittenOf: () => new Set() },
      confirmations: CONFIRMATIONS,
      log: { warn: () => undefined },
    });
    this.gateway = createGateway({
      engine: this.engine,
      sequencer: this.sequencer(),
      history: this.history(),
      unseal: sealed,
      walletPorts: this.walletPorts(),
      limits: { ...DEFAULT_LIMITS, enabled: false },
      world: { ...MACHINE, soon, nowMs: () => this.nowMs },
      log: { error: (fields) => this.bugs.push(fields) },
      onFatal: (error) => this.fatal.push(error),
      sendQueue: this.sendQueue,
      ...options,
    });
    this.sendQueue.follow(this.gateway, letters);
    this.apply(ADOPT_NEWEST_RULES);
    const { venueInterface } = options;
    const { rules } = options.limits ?? DEFAULT_LIMITS;
    const credits = venueInterface === undefined ? {} : { fillCredits: venueInterface.fillCredits };
    this.apply({ type: "setOrderLimits", by: "test", rules: orderLimitsOf(rules), ...credits });
    if (venueInterface !== undefined) this.act({ type: "setInterface", by: "test", interface: venueInterface.name });
    this.#list();
    this.trader = this.open("trader@example.org");
    this.maker = this.open("maker@example.org");
  }

  override sequencer(): Sequencer {
    const submit: Sequencer["submit"] = (command, settle) => setImmediate(() => settle(this.#outcome(command)));
    return { ...super.sequencer(), submit };
  }

  /** Returns the real address rules and two-factor check, with the networks of the test. */
  walletPorts(): WalletPorts {
    const tradingRules = new TradingRules({
      world: MACHINE,
      settings: fileSchema.parse({}).tradingRules,
      view: this.engine,
      sequencer: this.sequencer(),
      history: this.history(),
      log: { warn: () => undefined },
      onFatal: (error) => this.fatal.push(error),
    });
    return {
      wallet: new VenueWallet(this.engine, (command) => this.apply(command)),
      tradingRules,
      checkTotp: totpCheck({ unseal: sealed }, MACHINE.saved),
      confirmations: CONFIRMATIONS,
    };
  }

  #outcome(command: Command): Outcome | NotAccepted | OutcomeUnknown {
    const failure = this.failNext;
    this.failNext = undefined;
    return failure ?? this.apply(command);
  }

  override apply(command: Command): Outcome {
    const entry = { seq: this.engine.seq + 1, timeMs: this.nowMs, command };
    const events = this.engine.apply(entry);
    this.#writer.record(this.engine, entry, events, this.engine.postings);
    this.#writer.commit(this.engine, "");
    this.sendQueue.applied(entry, events);
    for (const each of this.followers) each.applied(entry, events);
    return { seq: entry.seq, timeMs: this.engine.timeMs, events };
  }

  history(): History {
    return historyOver(this.#query, () => this.engine.seq);
  }

  #list(): void {
    for (const [asset, precision] of [
      ["BTC", 8],
      ["ETH", 8],
      ["USDT", 8],
      ["KRW", 2],
    ] as const) {
      const network = networkOf(asset, { withdrawFee: "0.0005", withdrawMin: "0.001" });
      this.listAsset(asset, precision, asset === "BTC" ? [network] : []);
    }
    this.listSymbol("BTC/USDT", {
      priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
      percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
      lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
      minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
      icebergParts: { limit: 10 },
      marketLotSize: { minQty: "0", maxQty: "100", stepSize: "0" },
      maxNumOrders: { limit: 200 },
      maxNumAlgoOrders: { maxNumAlgoOrders: 5 },
    });
    this.listSymbol("ETH/BTC");
    this.listSymbol("BTC/KRW");
  }

  /** Opens a funded account with a key. */
  open(email: string): TestKey {
    const accountId = this.openAccount(email);
    for (const [asset, amount] of [
      ["BTC", "100"],
      ["ETH", "1000"],
      ["USDT", "1000000"],
      ["KRW", "1000000"],
    ] as const) {
      this.give(accountId, asset, amount);
    }
    return this.key(accountId);
  }

  /** Sends the request as it is. */
  async send(
    method: string,
    path: string,
    parts: { query?: string; body?: string; headers?: Record<string, string>; ip?: string } = {},
  ): Promise<TestAnswer> {
    const { query = "", body = "", headers = {}, ip = "127.0.0.1" } = parts;
    return read(await this.gateway.handle({ method, path, query, body, headers, ip }));
  }

  public(path: string, parameters: Parameters = {}): Promise<TestAnswer> {
    return this.send("GET", path, { query: encode(parameters) });
  }

  /** Sends the request with a key and a signature. */
  signed(method: string, path: string, parameters: Parameters = {}, options: SignedOptions = {}): Promise<TestAnswer> {
    const key = options.key ?? this.trader;
    const part = encodeSigned({ timestamp: options.timestampMs ?? this.nowMs, ...parameters }, key.secretKey);
    const headers = { "x-mbx-apikey": key.apiKey, ...options.headers };
    const ip = options.ip ?? "127.0.0.1";
    if (options.in === "body") {
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      return this.send(method, path, { body: part, headers: form, ip });
    }
    return this.send(method, path, { query: part, headers, ip });
  }

  order(parameters: Parameters, options: SignedOptions = {}): Promise<TestAnswer> {
    const defaults: Parameters =
      parameters.type === "MARKET"
        ? { symbol: "BTCUSDT", side: "BUY" }
        : { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
    return this.signed("POST", "/api/v3/order", { ...defaults, ...parameters }, options);
  }
}

function read({ status, headers, body }: TextResponse): TestAnswer {
  const pairs = new Map<string, string>();
  for (let i = 0; i < headers.length; i += 2) pairs.set((headers[i] as string).toLowerCase(), headers[i + 1] as string);
  return { status, headers: pairs, json: JSON.parse(body), body };
}

export function assertRefused(answer: TestAnswer, status: number, code: number, msg?: string): void {
  assert.deepEqual(
    { status: answer.status, code: answer.json.code, msg: msg === undefined ? undefined : answer.json.msg },
    { status, code, msg },
    JSON.stringify(answer.json),
  );
}
