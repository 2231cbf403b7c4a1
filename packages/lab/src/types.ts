/** The types that a test uses. Times are milliseconds since 1970 of the exchange's clock, amounts are decimal texts. */
import type { ToldScenarios, Watch } from "./watch-types.ts";

export type * from "./watch-types.ts";

/** When a move of the market begins: at once by default. */
export interface When {
  readonly at?: number;
  readonly inMs?: number;
}

/** One symbol's market: what holds now, and what is scheduled. */
export interface MarketState {
  readonly symbol: string;
  readonly status: string;
  /** Who makes it; null: nobody. */
  readonly driver: string | null;
  /** The value that quotes stand around; null before the first step in a test's hand. */
  readonly price: number | null;
  /** What was asked for; null: nothing ever. */
  readonly holds: Readonly<Record<string, unknown>> | null;
  readonly scheduled: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** The hand on one symbol's market: `docs/guides/lab-markets.md` says what each does. */
export interface Market {
  readonly symbol: string;
  state(): Promise<MarketState>;
  /** Any move of the admin API, as it stands there. */
  move(move: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** The price that the market's makers quote around. */
  fairPrice(price: string, when?: When): Promise<Record<string, unknown>>;
  crash(options: Swing & When): Promise<Record<string, unknown>>;
  spike(options: Swing & When): Promise<Record<string, unknown>>;
  /** Empties one side of the book for a while: on BUY nobody bids. */
  dryUp(options: { readonly side: "BUY" | "SELL"; readonly forMs: number } & When): Promise<Record<string, unknown>>;
  halt(when?: When): Promise<Record<string, unknown>>;
  resume(when?: When): Promise<Record<string, unknown>>;
  /** Takes back what is scheduled: all of it, or the move that was answered with this `id`. */
  clear(id?: number): Promise<void>;
}

export interface Swing {
  readonly percent: number;
  readonly overMs: number;
  readonly recoverMs?: number;
}

/** Which requests, messages or coins a fault strikes: all by default. An account goes by its name or address. */
export interface FaultPlace {
  readonly endpoint?: string;
  readonly account?: string;
  readonly symbol?: string;
  /** Over which of them: all by default. */
  readonly over?: "rest" | "websocket";
  readonly stream?: string;
  /** The address of a WebSocket that is to be opened: `/ws`, `/stream` or `/ws-api/v3`. */
  readonly path?: string;
  readonly method?: string;
  readonly coin?: string;
  readonly network?: string;
}

/** A fault on demand: `docs/guides/lab-faults.md` has the list, with the fields of each. */
export interface FaultRule {
  readonly fault: string;
  readonly where?: FaultPlace;
  /** How often it strikes at most. */
  readonly count?: number;
  /** How many pass before it strikes. */
  readonly skip?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly [field: string]: unknown;
}

export interface Fault {
  readonly id: string | number;
  readonly [field: string]: unknown;
}

export interface Faults {
  /** Resolves to what its removal takes. */
  add(rule: FaultRule): Promise<Fault>;
  /** Every rule, with what it has struck. */
  list(): Promise<readonly Fault[]>;
  /** Removes the fault that `add` gave, or all faults without an argument. */
  remove(fault?: Fault | Fault["id"]): Promise<void>;
}

/** How long something is on its way, by the lab's clock: constant, drawn (log-normal), or taken in order from a list or file. */
export type Wait =
  | { readonly ms: number }
  | { readonly medianMs: number; readonly sigma: number }
  | { readonly samplesMs: readonly number[] }
  | { readonly file: string };
/** One for all requests, or one for each kind. */
export type WaitByKind = Wait | { readonly place?: Wait; readonly cancel?: Wait; readonly query?: Wait };

/** What is absent takes no time. */
export interface LatencySetting {
  /** The way of stream messages from the exchange to the client. */
  readonly marketData?: Wait;
  /** The way of requests from the client to the exchange. */
  readonly orderEntry?: WaitByKind;
  readonly answer?: WaitByKind;
}

/**
 * The latency of everything that clients outside send and hear. It passes by the lab's clock: a request is not answered
 * until somebody moves the clock, so a test that waits for its own requests needs bots in lock step beside it.
 */
export interface Latency {
  state(): Promise<LatencySetting>;
  /** Replaces the latency in force; `{}` ends it. */
  set(setting: LatencySetting): Promise<LatencySetting>;
}

export interface Checkpoint extends Moment {
  readonly name: string;
  /** The hash of the exchange's state. */
  readonly hash: string;
}

export interface Restore {
  /** Keys that were made after the checkpoint stay valid. */
  readonly keepKeys?: boolean;
  /** Streams and sessions of the WebSocket API stay open, and go on as the checkpoint has them. */
  readonly keepConnections?: boolean;
}

export interface Checkpoints {
  list(): Promise<readonly Checkpoint[]>;
  /** Describes the checkpoint's contents. */
  show(name: string): Promise<Record<string, unknown>>;
  delete(name: string): Promise<void>;
  /** The bytes of a file, which `import` takes, on another machine, too. */
  export(name: string): Promise<Uint8Array>;
  import(name: string, file: Uint8Array): Promise<Checkpoint>;
}

/** An account with the keys to trade on it. */
export interface LabAccount {
  readonly name: string;
  readonly email: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** What an account has of an asset. */
export interface Balance {
  readonly free: string;
  readonly locked: string;
}

export interface LabExchange {
  /** An address such as `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** An address such as `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly seed: number;
  readonly version: string;
  /** The one command that runs this program again with the same seed. */
  readonly repeat: string;
  /** Milliseconds from the call of `startExchange` to the first answer. */
  readonly readyMs: number;
  readonly accounts: readonly LabAccount[];
  /** The account of that name. Throws when there is none. */
  account(name: string): LabAccount;
  /** Opens an account with a key, unless it is there, and sets what it is to have. It is in `accounts` from then on. */
  openAccount(wanted: string | AccountWanted): Promise<LabAccount>;
  /** Sets what the account has free: `{ USDT: "1000", BTC: "0" }`. What its orders have locked stays locked. */
  setBalances(account: string, free: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Balance>>>;
  /** One more key of the account, with all permissions. */
  newKey(account: string): Promise<Pick<LabAccount, "apiKey" | "secretKey">>;
  readonly clock: Clock;
  market(symbol: string): Market;
  /** All of them. */
  markets(): Promise<readonly MarketState[]>;
  readonly faults: Faults;
  readonly latency: Latency;
  readonly agents: Agents;
  readonly replays: Replays;
  readonly watch: Watch;
  readonly scenario: ToldScenarios;
  /** Keeps this moment under a name; `replace`: also where there is one of that name. */
  checkpoint(name: string, options?: { readonly replace?: boolean }): Promise<Checkpoint>;
  /** Goes back to it. It stays. */
  restore(name: string, options?: Restore): Promise<Checkpoint>;
  /** Goes back to the start: symbols and accounts as its options asked for, or the last `takeStart`. */
  reset(options?: Restore): Promise<Omit<Checkpoint, "name">>;
  /** Makes the current state the one to which a reset returns. */
  takeStart(): Promise<Omit<Checkpoint, "name">>;
  readonly checkpoints: Checkpoints;
  /**
   * One request to the exchange, signed by the account where it needs to be: `send("bob", "POST /api/v3/order", {...})`.
   * Resolves to the parsed answer. Rejects with `LabError` when it is no success.
   */
  send<Answer = unknown>(account: string | null, what: string, parameters?: RequestParameters): Promise<Answer>;
  /** Environment of a bot in a process of its own, started with `node --import pricetime/lab/hold`. */
  environment(client: string): Record<string, string>;
  /** Ends the exchange. Calling it again does no harm. */
  stop(): Promise<void>;
}

export type RequestParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** An account to open. */
export interface AccountWanted {
  readonly name: string;
  /** Amounts by asset: `{ USDT: "1000" }`. */
  readonly balances?: Readonly<Record<string, string>>;
}

/** A symbol to list, as `exchangeInfo` describes one. Assets that are not there are listed with it. */
export interface SymbolWanted {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  /** Decimals of an asset that is not there yet; default: 8. */
  readonly baseAssetPrecision?: number;
  readonly quoteAssetPrecision?: number;
  /** Default: TRADING. */
  readonly status?: string;
  /** As in `exchangeInfo`: `{ filterType: "PRICE_FILTER", tickSize: "0.01", … }`. */
  readonly filters?: readonly Readonly<Record<string, unknown>>[];
  readonly orderTypes?: readonly string[];
  readonly icebergAllowed?: boolean;
  readonly ocoAllowed?: boolean;
  readonly quoteOrderQtyMarketAllowed?: boolean;
  /** What else `exchangeInfo` says of it follows from these. */
  readonly [field: string]: unknown;
}

export interface LabOptions {
  /** The symbols that trade: names of the demo's, and listings of others. All of the demo's by default. */
  readonly symbols?: readonly (string | SymbolWanted)[];
  /** Accounts to open beside the demo's alice, bob and carol. */
  readonly accounts?: readonly (string | AccountWanted)[];
  /** The seed of markets, faults and ids. Default: `PRICETIME_LAB_SEED`, else 1. */
  readonly seed?: number;
  /** Default: manual. */
  readonly clock?: ClockMode;
  /** Where the clock begins; milliseconds since 1970 or an ISO date. */
  readonly clockStart?: number | string;
  /** How much faster than the machine's a scaled clock runs. */
  readonly clockSpeed?: number;
  /** How timestamps of requests are judged. Default: server. */
  readonly timing?: "server" | "client" | "off";
  /** What is kept for `allOrders`, `myTrades` and candles. Default: on. */
  readonly history?: "on" | "off" | "candles";
  /** The demo's makers and takers. Default: off. */
  readonly bots?: "on" | "off";
  /** Limits on requests and orders. Default: on. */
  readonly limits?: "on" | "off";
  /** A folder that keeps the exchange; in memory without it. */
  readonly data?: string;
  /** Whether it runs in a process of its own, which ends with this one. Default: false; in Jest true. */
  readonly process?: boolean;
}

// The clock, as a test controls it.

/** Where the clock stands, and how it moves: by itself, by itself at another speed, or by the test alone. */
export interface ClockState {
  readonly mode: ClockMode;
  readonly nowMs: number;
  /** 1 where a second lasts a second. */
  readonly speed: number;
}
export type ClockMode = "real" | "scaled" | "manual";

export interface ClockChange {
  readonly mode?: ClockMode;
  readonly speed?: number;
  readonly nowMs?: number;
}

/** A moment of the exchange: its time, and the number of the last entry of its journal. */
export interface Moment {
  readonly nowMs: number;
  readonly seq: number;
}

/** The events that an advance may wait for. */
export type AwaitedEvent =
  | { readonly fill: { readonly account?: string; readonly symbol?: string } }
  | { readonly price: { readonly symbol: string; readonly atLeast?: string; readonly atMost?: string } }
  | { readonly deposit: { readonly account?: string; readonly coin?: string } };

/** How far to go. `maxMs` bounds the way, a day by default. */
export type Advance =
  | { readonly ms: number }
  | { readonly toMs: number }
  | { readonly untilIdle: true; readonly maxMs?: number }
  | { readonly untilEvent: AwaitedEvent; readonly maxMs?: number };

export interface Advanced extends Moment {
  /** Whether the awaited event has come; absent when none was awaited. */
  readonly reached?: boolean;
  /** Somebody has ended it on the way: `interrupt`, or a change of the clock. */
  readonly interrupted?: true;
}

export interface Clock {
  /** The exchange's time. */
  now(): Promise<number>;
  state(): Promise<ClockState>;
  /** Changes what is given. Time never goes back. */
  set(change: ClockChange): Promise<ClockState>;
  /** Resolves when all that falls due on the way has happened. A number is milliseconds. */
  advance(by: number | Advance): Promise<Advanced>;
  /** Ends a running advance after the current instant. */
  interrupt(): Promise<Moment>;
  /** Goes on until nothing is due any more, or `maxMs` are over. */
  untilIdle(options?: { readonly maxMs?: number }): Promise<Advanced>;
  /** Goes on until it has happened; rejects with `LabError` `NOT_REACHED` when it did not come before the end. */
  untilEvent(event: AwaitedEvent, options?: { readonly maxMs?: number }): Promise<Advanced>;
  /**
   * Makes the clock wait for a client: lock step. `leads`: the client is woken only at its own times, and before the
   * others, so that its acts at a moment come before theirs.
   */
  join(name: string, options?: { readonly leads?: boolean }): Promise<ClockClient>;
  /** Names of the clients for which the clock waits. */
  clients(): Promise<readonly string[]>;
  /** The clock waits for this client no longer, whoever it is. */
  dismiss(name: string): Promise<void>;
}

/** A client in lock step: no moment passes before it is done with it. */
export interface ClockClient {
  readonly name: string;
  /**
   * Resolves at the client's next moment: at `untilMs`, by default when anything is due; never before the `tookMs` of
   * its thinking are over. `quietMs`: it is done when nobody was sent anything for so long, by the machine's clock;
   * not together with `tookMs`.
   */
  done(options?: { readonly untilMs?: number; readonly tookMs?: number; readonly quietMs?: number }): Promise<Moment>;
  /** Is done with every moment until then: for a test that lets bots live for a while. */
  until(toMs: number): Promise<Moment>;
  /** The clock waits for it no longer. */
  leave(): Promise<void>;
}

// Agents that trade beside the bots of a lab: `docs/guides/lab-agents.md` describes each type.

export type AgentType = "noise" | "momentum" | "reversion" | "informed" | "worked" | "stop-hunter";

/** Agents of one type on one symbol. */
export interface AgentsWanted {
  readonly type: AgentType;
  readonly symbol: string;
  /** How many, each with an account of its own. Default: 1. */
  readonly count?: number;
  /** The average order, in the quote asset. Default: that of the symbol's takers. */
  readonly orderQuote?: number;
  /** What each may own or owe at most, in the quote asset. Default: 50 orders. */
  readonly maxPositionQuote?: number;
  /** What else the type has. */
  readonly [setting: string]: unknown;
}

/** What has become of them since they were made. */
export interface AgentGroup {
  readonly id: number;
  readonly type: AgentType;
  readonly symbol: string;
  readonly count: number;
  /** All others, as they hold. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isOn: boolean;
  /** Names of their accounts. */
  readonly accounts: readonly string[];
  /** Both sides of a trade count where both are theirs; so they do in `volumeQuote`. */
  readonly trades: number;
  readonly volumeQuote: string;
  /** What they own beside what they were given; below zero they owe. */
  readonly positionBase: string;
  /** What they have gained, at the last price. */
  readonly profitQuote: string;
}

/** A group may be named by its `id`. All reject with `LabError` `UNKNOWN_AGENT` where it is gone. */
export interface Agents {
  /** Lets them trade. Rejects with `NOT_DRIVEN` where no bots trade the symbol: start the exchange with `bots: "on"`. */
  add(wanted: AgentsWanted): Promise<AgentGroup>;
  /** In the order in which they were made. */
  list(): Promise<readonly AgentGroup[]>;
  /** Lets them stand still. Their open orders are cancelled. */
  turnOff(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  turnOn(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  /** Their open orders are cancelled; their accounts stay. */
  remove(group: AgentGroup | AgentGroup["id"]): Promise<void>;
}

// Recorded markets that a lab plays: `docs/guides/lab-replay.md` describes the files, and how they meet own orders.

export type ReplayLayout = "trades" | "aggTrades" | "klines" | "lobster" | "recording";

/** A moment as milliseconds since 1970, or as ISO 8601 writes it. */
export type ReplayMoment = number | string;

export interface ReplayWanted {
  readonly symbol: string;
  /** Paths on the node's machine, the oldest first; relative ones are taken from this program's folder. */
  readonly files: readonly string[];
  /** Default: by the files' columns. */
  readonly layout?: ReplayLayout;
  /** What own orders do to recorded ones. Default: book. */
  readonly impact?: "book" | "none";
  /** The files' time in a unit of the lab's. Default: 1. */
  readonly speed?: number;
  /** Quotes around the last price, where the files have no book: how many a side, how far apart, and of which quantity. */
  readonly band?: { readonly levels?: number; readonly spacing?: string; readonly size?: string };
  /** Which rows are looked at before any is played. Default: all. */
  readonly check?: "all" | "beginning";
  /** The part of the files that is played: rows from `fromMs` to before `toMs`. */
  readonly fromMs?: ReplayMoment;
  readonly toMs?: ReplayMoment;
  /** When the first row is played, by the lab's clock. Default: now. */
  readonly startAtMs?: ReplayMoment;
}

export interface Replay {
  readonly id: number;
  readonly symbol: string;
  readonly layout: ReplayLayout;
  /** True: candles, played as four trades each in an assumed order. */
  readonly isAssumed: boolean;
  readonly files: readonly string[];
  readonly impact: "book" | "none";
  readonly state: "checking" | "waiting" | "playing" | "paused" | "ended" | "failed";
  readonly speed: number;
  /** When the last row was played, by the lab's clock, and its time in the file; null before the first. */
  readonly atMs: number | null;
  readonly fileMs: number | null;
  /** How many were played. */
  readonly rows: number;
  readonly trades: number;
  /** Rows that are no orders of anybody, such as executions of hidden ones. */
  readonly skipped: number;
  /** How far it is in the files. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** How far the look at large files is, while it is `checking`. */
  readonly checkedBytes?: number;
  /** What is strange about its files, which are played all the same: every row has the same side, candles are missing. */
  readonly doubts: readonly string[];
  /** Why it has failed. */
  readonly error?: string;
}

/** A replay may be named by its `id`. All reject with `LabError` `UNKNOWN_REPLAY` where it is gone. */
export interface Replays {
  /**
   * Plays a recording on a symbol, whose bots stand still until it is removed. Resolves when its files were looked at;
   * then it plays as the clock goes. Rejects with `BAD_FILE`, which names file and line, or `ALREADY_REPLAYED`.
   */
  play(wanted: ReplayWanted): Promise<Replay>;
  /** Those that are over among them. */
  list(): Promise<readonly Replay[]>;
  pause(replay: Replay | Replay["id"]): Promise<Replay>;
  resume(replay: Replay | Replay["id"]): Promise<Replay>;
  /** The files' time in a unit of the lab's. */
  setSpeed(replay: Replay | Replay["id"], speed: number): Promise<Replay>;
  /** Plays the next rows now, whatever their time: one by default. Rejects with `NOT_PAUSED` unless it is paused. */
  step(replay: Replay | Replay["id"], rows?: number): Promise<Replay>;
  /** Its orders go, the symbol's filters are as before, and its bots go on. */
  remove(replay: Replay | Replay["id"]): Promise<void>;
}
