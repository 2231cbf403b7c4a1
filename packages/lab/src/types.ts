/** The types of the API for tests. Times are milliseconds since 1970 on the lab's clock; amounts are decimal strings. */
import type {
  AgentGroup,
  AgentType,
  MarketState,
  Replay,
  ReplayLayout,
  ScenarioStatus,
  WatchRecord,
} from "@pricetime/protocol";

export type {
  AgentGroup,
  AgentType,
  BalanceSeen,
  BookSeen,
  FillSeen,
  MarketState,
  MoneySeen,
  OpenOrdersSeen,
  OrderSeen,
  PriceSeen,
  RefusalSeen,
  Replay,
  ReplayLayout,
  ScenarioStatus,
  Seen,
  StatusSeen,
  WatchRecord,
} from "@pricetime/protocol";

/** When a move of the market starts. Default: at once. */
export interface When {
  readonly at?: number;
  readonly inMs?: number;
}

/** Controls one symbol's market: `docs/guides/lab-markets.md` describes each move. */
export interface Market {
  readonly symbol: string;
  state(): Promise<MarketState>;
  /** Sends a market move in the form that the admin API documents. */
  move(move: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** The price that the market's makers quote around. */
  fairPrice(price: string, when?: When): Promise<Record<string, unknown>>;
  crash(options: Swing & When): Promise<Record<string, unknown>>;
  spike(options: Swing & When): Promise<Record<string, unknown>>;
  /** Empties one side of the book for a while: on BUY there are no bids. */
  dryUp(options: { readonly side: "BUY" | "SELL"; readonly forMs: number } & When): Promise<Record<string, unknown>>;
  halt(when?: When): Promise<Record<string, unknown>>;
  resume(when?: When): Promise<Record<string, unknown>>;
  /** Cancels scheduled moves: all of them, or the one whose answer had this `id`. */
  clear(id?: number): Promise<void>;
}

export interface Swing {
  readonly percent: number;
  readonly overMs: number;
  readonly recoverMs?: number;
}

/** The requests, messages or deposits that a fault affects. Default: all. `account` is a name or an email address. */
export interface FaultPlace {
  readonly endpoint?: string;
  readonly account?: string;
  readonly symbol?: string;
  /** The transport. Default: both. */
  readonly over?: "rest" | "websocket";
  readonly stream?: string;
  /** The path of a WebSocket connection that is being opened: `/ws`, `/stream` or `/ws-api/v3`. */
  readonly path?: string;
  readonly method?: string;
  readonly coin?: string;
  readonly network?: string;
}

/** An injected fault: `docs/guides/lab-faults.md` lists all faults with their fields. */
export interface FaultRule {
  readonly fault: string;
  readonly where?: FaultPlace;
  /** The maximum number of times that the fault strikes. */
  readonly count?: number;
  /** The number of matches without effect before the fault first strikes. */
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
  /** Injects a fault. Resolves to the fault, whose `id` removes it. */
  add(rule: FaultRule): Promise<Fault>;
  /** Resolves to all faults, each with the number of times that it has struck. */
  list(): Promise<readonly Fault[]>;
  /** Removes the fault that `add` returned; without an argument, removes all faults. */
  remove(fault?: Fault | Fault["id"]): Promise<void>;
}

/** A delay by the lab's clock: constant, drawn (log-normal), or taken in order from a list or file. */
export type Wait =
  | { readonly ms: number }
  | { readonly medianMs: number; readonly sigma: number }
  | { readonly samplesMs: readonly number[] }
  | { readonly file: string };
/** One delay for all requests, or one for each kind of request. */
export type WaitByKind = Wait | { readonly place?: Wait; readonly cancel?: Wait; readonly query?: Wait };

/** Delays in each direction; a missing delay is zero. */
export interface LatencySetting {
  /** The delay of stream messages from the exchange to the client. */
  readonly marketData?: Wait;
  /** The delay of requests from the client to the exchange. */
  readonly orderEntry?: WaitByKind;
  readonly answer?: WaitByKind;
}

/**
 * The latency of everything that external clients send and receive. Delays are measured by the lab's clock: a request
 * is answered only after the clock has moved. A test that waits for its own requests therefore needs bots in lock step
 * that let the clock advance.
 */
export interface Latency {
  state(): Promise<LatencySetting>;
  /** Replaces the current latency settings; `{}` removes all delays. */
  set(setting: LatencySetting): Promise<LatencySetting>;
}

export interface Checkpoint extends Moment {
  readonly name: string;
  /** The hash of the exchange's state. */
  readonly hash: string;
}

export interface Restore {
  /** If true, keys that were created after the checkpoint stay valid. */
  readonly keepKeys?: boolean;
  /** If true, streams and sessions of the WebSocket API stay open, and continue from the state of the checkpoint. */
  readonly keepConnections?: boolean;
}

export interface Checkpoints {
  list(): Promise<readonly Checkpoint[]>;
  /** Resolves to a description of the checkpoint's contents. */
  show(name: string): Promise<Record<string, unknown>>;
  delete(name: string): Promise<void>;
  /** Resolves to the bytes of a file that `import` accepts, also on another machine. */
  export(name: string): Promise<Uint8Array>;
  import(name: string, file: Uint8Array): Promise<Checkpoint>;
}

/** An account with its API keys. */
export interface LabAccount {
  readonly name: string;
  readonly email: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** An account's balance of one asset. */
export interface Balance {
  readonly free: string;
  readonly locked: string;
}

export interface LabExchange {
  /** The URL of the REST API, for example `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** The URL for WebSockets, for example `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly seed: number;
  readonly version: string;
  /** The command that runs this program again with the same seed. */
  readonly repeat: string;
  /** Milliseconds from the call of `startExchange` to the first answer. */
  readonly readyMs: number;
  readonly accounts: readonly LabAccount[];
  /** Returns the account with this name. Throws if there is none. */
  account(name: string): LabAccount;
  /** Opens an account with a key unless it exists, sets its balances, and adds it to `accounts`. */
  openAccount(wanted: string | AccountWanted): Promise<LabAccount>;
  /** Sets the free balances, for example `{ USDT: "1000", BTC: "0" }`. Amounts that orders have locked stay locked. */
  setBalances(account: string, free: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Balance>>>;
  /** Creates another key for the account, with all permissions. */
  newKey(account: string): Promise<Pick<LabAccount, "apiKey" | "secretKey">>;
  readonly clock: Clock;
  market(symbol: string): Market;
  /** Resolves to the markets of all symbols. */
  markets(): Promise<readonly MarketState[]>;
  readonly faults: Faults;
  readonly latency: Latency;
  readonly agents: Agents;
  readonly replays: Replays;
  readonly watch: Watch;
  readonly scenario: ScenarioReporting;
  /** Stores the current state under a name. `replace` overwrites a checkpoint of the same name. */
  checkpoint(name: string, options?: { readonly replace?: boolean }): Promise<Checkpoint>;
  /** Restores a checkpoint. The checkpoint is not deleted. */
  restore(name: string, options?: Restore): Promise<Checkpoint>;
  /**
   * Restores the state of the last `takeStart`; by default the state at the start, with the options' symbols and
   * accounts.
   */
  reset(options?: Restore): Promise<Omit<Checkpoint, "name">>;
  /** Makes the current state the one that later calls of `reset` restore. */
  takeStart(): Promise<Omit<Checkpoint, "name">>;
  readonly checkpoints: Checkpoints;
  /**
   * Sends a request to the exchange, signed by the account if necessary: `send("bob", "POST /api/v3/order", {...})`.
   * Resolves to the parsed answer. Rejects with `LabError` if the request fails.
   */
  send<Answer = unknown>(account: string | null, what: string, parameters?: RequestParameters): Promise<Answer>;
  /** Environment variables for a bot in a separate process that is started with `node --import pricetime/lab/hold`. */
  environment(client: string): Record<string, string>;
  /** Stops the exchange. Further calls have no effect. */
  stop(): Promise<void>;
}

export type RequestParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** An account to open. */
export interface AccountWanted {
  readonly name: string;
  /** Initial balances by asset, for example `{ USDT: "1000" }`. */
  readonly balances?: Readonly<Record<string, string>>;
}

/** A symbol to list, in the form of `exchangeInfo`. Assets that do not exist are listed as well. */
export interface SymbolWanted {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  /** Decimals of an asset that does not exist yet. Default: 8. */
  readonly baseAssetPrecision?: number;
  readonly quoteAssetPrecision?: number;
  /** The initial status. Default: TRADING. */
  readonly status?: string;
  /** Filters as in `exchangeInfo`: `{ filterType: "PRICE_FILTER", tickSize: "0.01", … }`. */
  readonly filters?: readonly Readonly<Record<string, unknown>>[];
  readonly orderTypes?: readonly string[];
  readonly icebergAllowed?: boolean;
  readonly ocoAllowed?: boolean;
  readonly quoteOrderQtyMarketAllowed?: boolean;
  /**
   * Other fields of `exchangeInfo` are accepted and ignored, because their values are derived from the fields above.
   */
  readonly [field: string]: unknown;
}

export interface LabOptions {
  /**
   * The symbols to trade: names of the demo's symbols, or descriptions of new ones. Default: all of the demo's symbols.
   */
  readonly symbols?: readonly (string | SymbolWanted)[];
  /** Accounts to open in addition to the demo's alice, bob and carol. */
  readonly accounts?: readonly (string | AccountWanted)[];
  /** The seed of markets, faults and ids. Default: `PRICETIME_LAB_SEED`, else 1. */
  readonly seed?: number;
  /** The mode of the clock. Default: manual. */
  readonly clock?: ClockMode;
  /** The initial time of the clock, in milliseconds since 1970 or as an ISO date. */
  readonly clockStart?: number | string;
  /** The speed of a scaled clock relative to real time. */
  readonly clockSpeed?: number;
  /** How timestamps of requests are checked. Default: server. */
  readonly timing?: "server" | "client" | "off";
  /** Which history is recorded for `allOrders`, `myTrades` and candles. Default: on. */
  readonly history?: "on" | "off" | "candles";
  /** Whether the demo's makers and takers trade. Default: off. */
  readonly bots?: "on" | "off";
  /** Limits on requests and orders. Default: on. */
  readonly limits?: "on" | "off";
  /** The folder in which the exchange is stored. Without it, the exchange is in memory. */
  readonly data?: string;
  /**
   * Whether the exchange runs in a separate process, which exits with this process. Default: false, but true in Jest.
   */
  readonly process?: boolean;
}

// The lab's clock, which a test can control.

/** The current time and the mode of the clock: real time, scaled, or advanced only by the test. */
export interface ClockState {
  readonly mode: ClockMode;
  readonly nowMs: number;
  /** The speed relative to real time; 1 for real time. */
  readonly speed: number;
}
export type ClockMode = "real" | "scaled" | "manual";

export interface ClockChange {
  readonly mode?: ClockMode;
  readonly speed?: number;
  readonly nowMs?: number;
}

/** An instant of the exchange: its time, and the number of the last entry of its journal. */
export interface Moment {
  readonly nowMs: number;
  readonly seq: number;
}

/** The events that an advance may wait for. */
export type AwaitedEvent =
  | { readonly fill: { readonly account?: string; readonly symbol?: string } }
  | { readonly price: { readonly symbol: string; readonly atLeast?: string; readonly atMost?: string } }
  | { readonly deposit: { readonly account?: string; readonly coin?: string } };

/** How far to advance. `maxMs` limits the advance. Default: a day. */
export type Advance =
  | { readonly ms: number }
  | { readonly toMs: number }
  | { readonly untilIdle: true; readonly maxMs?: number }
  | { readonly untilEvent: AwaitedEvent; readonly maxMs?: number };

export interface Advanced extends Moment {
  /** Whether the awaited event has occurred; absent if none was awaited. */
  readonly reached?: boolean;
  /** Set if `interrupt` or a change of the clock ended the advance early. */
  readonly interrupted?: true;
}

export interface Clock {
  /** Resolves to the time of the exchange, in milliseconds. */
  now(): Promise<number>;
  state(): Promise<ClockState>;
  /** Changes the given settings. Time never goes backwards. */
  set(change: ClockChange): Promise<ClockState>;
  /** Resolves when everything that is due in this period has happened. A number is a duration in milliseconds. */
  advance(by: number | Advance): Promise<Advanced>;
  /** Ends a running advance after the current instant. */
  interrupt(): Promise<Moment>;
  /** Advances until nothing is due any more, or until `maxMs` have passed. */
  untilIdle(options?: { readonly maxMs?: number }): Promise<Advanced>;
  /**
   * Advances until the event has occurred. Rejects with `LabError` `NOT_REACHED` if it has not occurred within `maxMs`.
   */
  untilEvent(event: AwaitedEvent, options?: { readonly maxMs?: number }): Promise<Advanced>;
  /**
   * Adds a client in lock step, for which the clock waits. A client that `leads` wakes up only at its own times, and
   * before the other clients, so that its actions come first at each instant.
   */
  join(name: string, options?: { readonly leads?: boolean }): Promise<ClockClient>;
  /** Resolves to the names of the clients for which the clock waits. */
  clients(): Promise<readonly string[]>;
  /** Removes a client, so that the clock no longer waits for it. */
  dismiss(name: string): Promise<void>;
}

/** A client in lock step: the clock advances only after the client is done with the current instant. */
export interface ClockClient {
  readonly name: string;
  /**
   * Reports that the client is done. Resolves at the client's next instant: at `untilMs`, by default when anything is
   * due, but never before the processing time `tookMs` has passed. With `quietMs`, the client counts as done only when
   * nothing was sent to any client for that many milliseconds of real time. `quietMs` and `tookMs` exclude each other.
   */
  done(options?: { readonly untilMs?: number; readonly tookMs?: number; readonly quietMs?: number }): Promise<Moment>;
  /** Reports every instant up to `toMs` as done, for a test that lets bots run for a while. */
  until(toMs: number): Promise<Moment>;
  /** Leaves the clock, which no longer waits for this client. */
  leave(): Promise<void>;
}

// Agents that trade beside the bots of a lab: `docs/guides/lab-agents.md` describes each type.

/** Agents of one type on one symbol. */
export interface AgentsWanted {
  readonly type: AgentType;
  readonly symbol: string;
  /** The number of agents, each with its own account. Default: 1. */
  readonly count?: number;
  /** The average order size in the quote asset. Default: the average order size of the symbol's takers. */
  readonly orderQuote?: number;
  /** The maximum position of each agent, long or short, in the quote asset. Default: 50 times the order size. */
  readonly maxPositionQuote?: number;
  /** Other settings of the agent type. */
  readonly [setting: string]: unknown;
}

/**
 * Groups of agents. Methods accept a group or its `id`. All methods reject with `LabError` `UNKNOWN_AGENT` if it does
 * not exist.
 */
export interface Agents {
  /** Starts a group of agents. Rejects with `NOT_DRIVEN` unless bots trade the symbol (`bots: "on"`). */
  add(wanted: AgentsWanted): Promise<AgentGroup>;
  /** Resolves to all groups in the order of their creation. */
  list(): Promise<readonly AgentGroup[]>;
  /** Pauses the agents and cancels their open orders. */
  turnOff(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  turnOn(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  /** Removes the agents and cancels their open orders. Their accounts are not deleted. */
  remove(group: AgentGroup | AgentGroup["id"]): Promise<void>;
}

// Replays of recorded markets: `docs/guides/lab-replay.md` describes the files, and how replays interact with your own
// orders.

/** A time as milliseconds since 1970, or in ISO 8601. */
export type ReplayMoment = number | string;

export interface ReplayWanted {
  readonly symbol: string;
  /** Paths on the node's machine, the oldest file first. Relative paths start at this program's folder. */
  readonly files: readonly string[];
  /** The layout of the files. Default: detected from their columns. */
  readonly layout?: ReplayLayout;
  /** Whether your own orders affect recorded ones. Default: book. */
  readonly impact?: "book" | "none";
  /** Replay speed: recorded time per time of the lab's clock. Default: 1. */
  readonly speed?: number;
  /** Quotes around the last price if the files have no book: levels per side, distance, and quantity of each. */
  readonly band?: { readonly levels?: number; readonly spacing?: string; readonly size?: string };
  /** Which rows are checked before the replay starts. Default: all. */
  readonly check?: "all" | "beginning";
  /** The part of the files that is replayed: rows from `fromMs` up to but excluding `toMs`. */
  readonly fromMs?: ReplayMoment;
  readonly toMs?: ReplayMoment;
  /** The time at which the first row is replayed, by the lab's clock. Default: now. */
  readonly startAtMs?: ReplayMoment;
}

/**
 * Replays. Methods accept a replay or its `id`. All methods reject with `LabError` `UNKNOWN_REPLAY` if it does not
 * exist.
 */
export interface Replays {
  /**
   * Replays a recording on a symbol. The symbol's bots pause until the replay is removed. Resolves when the files have
   * been checked; the replay then advances with the clock. Rejects with `BAD_FILE`, whose message names file and line,
   * or with `ALREADY_REPLAYED`.
   */
  play(wanted: ReplayWanted): Promise<Replay>;
  /** Resolves to all replays, including ended ones. */
  list(): Promise<readonly Replay[]>;
  pause(replay: Replay | Replay["id"]): Promise<Replay>;
  resume(replay: Replay | Replay["id"]): Promise<Replay>;
  /** Sets the replay speed: recorded time per time of the lab's clock. */
  setSpeed(replay: Replay | Replay["id"], speed: number): Promise<Replay>;
  /** Replays the next rows now, regardless of their time. Default: one. Rejects with `NOT_PAUSED` unless paused. */
  step(replay: Replay | Replay["id"], rows?: number): Promise<Replay>;
  /** Removes the replay and its orders, restores the symbol's filters, and resumes its bots. */
  remove(replay: Replay | Replay["id"]): Promise<void>;
}

// The watch, and the status of a scenario.

export interface Watched {
  /** Names or email addresses of accounts. */
  readonly accounts?: readonly string[];
  readonly symbols?: readonly string[];
}

export interface WatchPage {
  readonly records: readonly WatchRecord[];
  /** The number of the newest record, to be passed to the next `look`. */
  readonly last: number;
  /**
   * The number of records that were discarded before they were read: 0 unless very many events occurred since the last
   * call.
   */
  readonly lost: number;
}

/** A lab has one watch. A restore or a reset ends it. */
export interface Watch {
  /**
   * Watches these accounts and symbols instead of those of an earlier call. The first records describe the current
   * state of each account and symbol; the records of later events have numbers above `last`.
   */
  begin(watched: Watched): Promise<Pick<WatchPage, "last">>;
  /** Resolves to all records after this number. Default: from the first record on. */
  look(after?: number): Promise<WatchPage>;
  /** Stops watching. */
  end(): Promise<void>;
}

/**
 * The status that the terminal and `pricetime lab scenario` show. `pricetime lab run-scenario` reports it; your own
 * runner can report it, too.
 */
export interface ScenarioReporting {
  /** Resolves to the status; null if no scenario is running. */
  state(): Promise<ScenarioStatus | null>;
  tell(status: ScenarioStatus): Promise<ScenarioStatus>;
  /** Reports that the scenario is over. */
  end(): Promise<void>;
}
