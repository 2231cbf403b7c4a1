/** A running lab as tests use it, with its accounts and symbols set up through the admin API. */
import type {
  AccountWanted,
  Agents,
  Balance,
  Checkpoint,
  Clock,
  ClockMode,
  Faults,
  LabAccount,
  LabExchange,
  LabOptions,
  Latency,
  Market,
  MarketState,
  Replays,
  RequestParameters,
  Restore,
  SymbolWanted,
  ScenarioReporting,
  Watch,
} from "../types.ts";
import { PERMISSIONS } from "@pricetime/engine";
import { Admin, Connections, LabError, type Origin, part } from "../client/admin.ts";
import { LabAgents, LabMarket, LabReplays, marketsOf } from "../client/market.ts";
import { LabCheckpoints, LabClock } from "../client/clock.ts";
import { LabFaults, LabLatency } from "../client/faults.ts";
import { LabScenario, LabWatch } from "../client/watch.ts";
import { send } from "../client/trade.ts";
import { HELD } from "../hold/environment.ts";

/** The addresses and accounts of a running node. A node in a separate process prints them as one line. */
export interface NodeAddress {
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly version: string;
  readonly accounts: readonly LabAccount[];
}

export interface RunningNode extends NodeAddress {
  /** Returns why the node ended without being stopped; undefined while it runs. */
  readonly whyGone: () => string | undefined;
  readonly stop: () => Promise<void>;
}

/** The flags of `pricetime serve` with which a lab is started. */
export interface NodeFlags {
  readonly clock: ClockMode;
  readonly seed: number;
  readonly bots: "on" | "off";
  readonly limits: "on" | "off";
  readonly clockStart?: number | string;
  readonly clockSpeed?: number;
  readonly timing?: NonNullable<LabOptions["timing"]>;
  readonly history?: NonNullable<LabOptions["history"]>;
  readonly data?: string;
}

/**
 * Returns an account with a valid key and the requested balances. A restored checkpoint may be older than the account
 * or its key, so both are created again if they are missing.
 */
export async function openAccount(
  admin: Admin,
  wanted: string | AccountWanted,
  known: readonly LabAccount[],
): Promise<LabAccount> {
  const { name, balances = {} } = typeof wanted === "string" ? { name: wanted } : wanted;
  const before = known.find((each) => each.name === name);
  const account = (await found(admin, name, before)) ?? (await newAccount(admin, name));
  if (Object.keys(balances).length > 0) await setBalances(admin, account.email, balances);
  return account;
}

async function found(admin: Admin, name: string, before: LabAccount | undefined): Promise<LabAccount | undefined> {
  const email = before?.email ?? addressOf(name);
  try {
    const keys = await admin.ask<readonly LabAccount[]>("GET", `/v1/accounts/${part(email)}/keys`);
    if (before !== undefined && keys.some(({ apiKey }) => apiKey === before.apiKey)) return before;
  } catch (error) {
    if (error instanceof LabError && error.code === "UNKNOWN_ACCOUNT") return undefined;
    throw error;
  }
  return { name, email, ...(await newKey(admin, email)) };
}

const addressOf = (name: string): string => `${name}@lab.pricetime`;

async function setBalances(
  admin: Admin,
  email: string,
  free: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Balance>>> {
  const path = `/v1/lab/accounts/${part(email)}/balances`;
  return (await admin.ask<{ balances: Readonly<Record<string, Balance>> }>("POST", path, free)).balances;
}

async function newAccount(admin: Admin, name: string): Promise<LabAccount> {
  const email = addressOf(name);
  await admin.ask("POST", "/v1/accounts", { email, name });
  return { name, email, ...(await newKey(admin, email)) };
}

async function newKey(admin: Admin, email: string): Promise<Pick<LabAccount, "apiKey" | "secretKey">> {
  const path = `/v1/accounts/${part(email)}/keys`;
  const { apiKey, secretKey } = await admin.ask<LabAccount>("POST", path, { permissions: PERMISSIONS });
  return { apiKey, secretKey };
}

interface Listed {
  readonly symbol: string;
  readonly status: string;
}

/** The fields of a listing. All other fields of exchangeInfo are derived from them. */
const FIELDS = [
  ...["symbol", "status", "baseAsset", "quoteAsset", "orderTypes", "filters"],
  ...["icebergAllowed", "ocoAllowed", "quoteOrderQtyMarketAllowed"],
] as const;

/**
 * Suspends trading in all symbols except the wanted ones. Symbols that are given as a description are listed first.
 * Throws if a symbol is unknown.
 */
export async function keepSymbols(admin: Admin, wanted: readonly (string | SymbolWanted)[]): Promise<void> {
  for (const each of wanted) if (typeof each === "object") await list(admin, each);
  const names = wanted.map((each) => (typeof each === "string" ? each : each.symbol));
  const listed = await admin.ask<readonly Listed[]>("GET", "/v1/symbols");
  const unknown = names.filter((symbol) => !listed.some((each) => each.symbol === symbol));
  if (unknown.length > 0)
    throw new RangeError(
      `${unknown.join(", ")} is not listed. Use one of ${listed.map(({ symbol }) => symbol).join(", ")}.`,
    );
  for (const { symbol, status } of listed) {
    if (names.includes(symbol) || status !== "TRADING") continue;
    await admin.ask("PUT", `/v1/symbols/${part(symbol)}/status`, { status: "BREAK" });
  }
}

async function list(admin: Admin, wanted: SymbolWanted): Promise<void> {
  const { baseAsset, quoteAsset, baseAssetPrecision, quoteAssetPrecision } = wanted;
  const assets = await admin.ask<readonly { readonly asset: string }[]>("GET", "/v1/assets");
  for (const [asset, precision] of [[baseAsset, baseAssetPrecision] as const, [quoteAsset, quoteAssetPrecision]]) {
    if (assets.some((each) => each.asset === asset)) continue;
    await admin.ask("POST", "/v1/assets", { asset, name: asset, ...(precision !== undefined && { precision }) });
  }
  const fields = FIELDS.flatMap((name) => (wanted[name] === undefined ? [] : [[name, wanted[name]] as const]));
  await admin.ask("POST", "/v1/symbols", Object.fromEntries(fields));
}

export class RunningLab implements LabExchange {
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly seed: number;
  readonly version: string;
  readonly repeat: string;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly latency: Latency;
  readonly agents: Agents;
  readonly replays: Replays;
  readonly watch: Watch;
  readonly scenario: ScenarioReporting;
  readonly checkpoints: LabCheckpoints;
  readyMs = 0;
  accounts: readonly LabAccount[];
  readonly #node: RunningNode;
  readonly #connections = new Connections();
  readonly #origin: Origin;
  #stopped: Promise<void> | undefined;
  /** The admin API, used for setup before the test receives the lab. */
  readonly api: Admin;

  constructor(node: RunningNode, { seed, repeat }: Pick<Origin, "seed" | "repeat">) {
    const { rest, ws, admin, adminToken, version, accounts } = node;
    [this.rest, this.ws, this.admin, this.adminToken] = [rest, ws, admin, adminToken];
    [this.seed, this.version, this.repeat, this.accounts] = [seed, version, repeat, accounts];
    this.#node = node;
    this.#origin = { seed, version, repeat };
    this.api = new Admin(node, this.#connections, this.#origin);
    const known = (): readonly LabAccount[] => this.accounts;
    this.clock = new LabClock(this.api, this.#origin, known);
    this.faults = new LabFaults(this.api, known);
    this.latency = new LabLatency(this.api);
    this.agents = new LabAgents(this.api);
    this.replays = new LabReplays(this.api, this.#origin);
    this.watch = new LabWatch(this.api, known);
    this.scenario = new LabScenario(this.api);
    this.checkpoints = new LabCheckpoints(this.api);
  }

  account(name: string): LabAccount {
    const found = this.accounts.find((account) => account.name === name);
    if (found !== undefined) return found;
    throw new RangeError(
      `There is no account ${name}. Use one of ${this.accounts.map((account) => account.name).join(", ")}.`,
    );
  }

  async openAccount(wanted: string | AccountWanted): Promise<LabAccount> {
    const account = await openAccount(this.api, wanted, this.accounts);
    const at = this.accounts.findIndex(({ name }) => name === account.name);
    this.accounts = at === -1 ? [...this.accounts, account] : this.accounts.with(at, account);
    return account;
  }

  setBalances(account: string, free: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Balance>>> {
    return setBalances(this.api, this.account(account).email, free);
  }

  newKey(account: string): Promise<Pick<LabAccount, "apiKey" | "secretKey">> {
    return newKey(this.api, this.account(account).email);
  }

  market(symbol: string): Market {
    return new LabMarket(this.api, symbol);
  }

  markets(): Promise<readonly MarketState[]> {
    return marketsOf(this.api);
  }

  checkpoint(name: string, options?: { readonly replace?: boolean }): Promise<Checkpoint> {
    return this.checkpoints.make(name, options);
  }

  restore(name: string, options?: Restore): Promise<Checkpoint> {
    return this.checkpoints.restore(name, options);
  }

  reset(options?: Restore): Promise<Omit<Checkpoint, "name">> {
    return this.checkpoints.reset(options);
  }

  takeStart(): Promise<Omit<Checkpoint, "name">> {
    return this.checkpoints.takeStart();
  }

  send<Answer = unknown>(account: string | null, what: string, parameters?: RequestParameters): Promise<Answer> {
    const options = { rest: this.rest, connections: this.#connections, origin: this.#origin };
    const signer = account === null ? null : this.account(account);
    return send({ ...options, now: () => this.clock.now() }, signer, what, parameters);
  }

  environment(client: string): Record<string, string> {
    const { admin, adminToken, seed, rest, ws } = this;
    return {
      [HELD.url]: admin,
      [HELD.token]: adminToken,
      [HELD.client]: client,
      [HELD.seed]: String(seed),
      EXCHANGE: rest,
      EXCHANGE_WS: ws,
    };
  }

  stop(): Promise<void> {
    this.#connections.close();
    this.#stopped ??= this.#node.stop();
    return this.#stopped;
  }
}
