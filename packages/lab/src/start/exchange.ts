/** A lab that runs, as a test has it. */
import { Admin } from "../client/admin.ts";
import { LabAgents } from "../client/agents.ts";
import { LabCheckpoints } from "../client/checkpoints.ts";
import { LabClock } from "../client/clock.ts";
import { LabFaults } from "../client/faults.ts";
import { Connections } from "../client/http.ts";
import { LabLatency } from "../client/latency.ts";
import { LabMarket, marketsOf } from "../client/market.ts";
import type { Origin } from "../client/refusal.ts";
import { LabReplays } from "../client/replays.ts";
import { LabScenario } from "../client/scenario.ts";
import { send } from "../client/trade.ts";
import { LabWatch } from "../client/watch.ts";
import type {
  AccountWanted,
  Agents,
  Balance,
  Checkpoint,
  Checkpoints,
  Clock,
  Faults,
  LabAccount,
  LabExchange,
  Latency,
  Market,
  MarketState,
  Replays,
  RequestParameters,
  Restore,
  ToldScenarios,
  Watch,
} from "../types.ts";
import { HELD } from "../hold/environment.ts";
import { newKey, openAccount, setBalances } from "./accounts.ts";
import type { RunningNode } from "./node.ts";

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
  readonly scenario: ToldScenarios;
  readonly checkpoints: Checkpoints;
  readyMs = 0;
  accounts: readonly LabAccount[];
  readonly #node: RunningNode;
  readonly #connections = new Connections();
  readonly #origin: Origin;
  readonly #moments: LabCheckpoints;
  #stopped: Promise<void> | undefined;
  /** The admin API, for what is set up before a test has it. */
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
    this.#moments = new LabCheckpoints(this.api);
    this.checkpoints = this.#moments;
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
    return this.#moments.make(name, options);
  }

  restore(name: string, options?: Restore): Promise<Checkpoint> {
    return this.#moments.restore(name, options);
  }

  reset(options?: Restore): Promise<Omit<Checkpoint, "name">> {
    return this.#moments.reset(options);
  }

  takeStart(): Promise<Omit<Checkpoint, "name">> {
    return this.#moments.takeStart();
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
