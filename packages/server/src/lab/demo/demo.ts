/** The demo: its networks and listing, its accounts, its file and its bots. */
import type { Config } from "../../platform/config/config.ts";
import {
  DEMO_ACCOUNTS,
  DEMO_SUB_ACCOUNTS,
  openDemoAccounts,
  removeDemoFile,
  withdrawDemoKeys,
  writeDemoFile,
} from "./accounts.ts";
import { BOT_ADDRESSES, type DemoNode } from "./operator.ts";
import type { BotsPart, Demo, DemoAddresses, DemoGateway, DemoInLab, DemoLog, DemoShown, NodeListing } from "./port.ts";
import { setFlagsFromString } from "node:v8";
import { AGENT_LIMITS } from "../../platform/config/lab-schema.ts";
import { ConfigError } from "../../platform/config/faults.ts";
import type { LabAgents } from "./agents/lab-agents.ts";
import { openBotAccounts, type Venue } from "./bots/bot-accounts.ts";
import { Bots } from "./bots/bots.ts";
import { LabBots } from "./lab-bots.ts";
import type { TradersParts } from "./bots/traders.ts";
import { demoListing, giveDemoPast, isTrading, liveMarkets, renewDemoListing } from "./listing.ts";
import { demoNetworks, openDemoVenue } from "./assets.ts";

// A node that is not a demo deletes the public keys of an earlier demo.

class NoDemo implements Demo {
  readonly config: Config;
  readonly shown = null;
  readonly parts = [];
  readonly agents = undefined;

  constructor(config: Config) {
    this.config = config;
  }

  async listing(): Promise<NodeListing> {
    return this.config;
  }

  async open(node: DemoNode): Promise<readonly string[]> {
    const withdrawn = await withdrawDemoKeys(node);
    return withdrawn === 0 ? [] : ["keys of an earlier demo were deleted"];
  }

  start(): Promise<void> {
    return this.show();
  }

  async show(): Promise<void> {
    removeDemoFile(this.config.dataFolder);
  }

  async stop(): Promise<void> {}
}

/**
 * Makes all threads collect garbage more often, so that the heap grows less. Bots create many short-lived objects all
 * day.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}

type TaskGrant = Parameters<BotsPart["start"]>[0];

type Cast = Pick<TradersParts, "markets" | "accounts">;

/** Creates the demo of a node. `config`: the operator's settings. `inLab`: undefined outside a lab. */
export function demoOf(config: Config, log: DemoLog, inLab?: DemoInLab): Demo {
  return config.demo ? new RunningDemo(config, log, inLab) : new NoDemo(config);
}

class RunningDemo implements Demo {
  readonly config: Config;
  readonly shown: DemoShown;
  readonly #log: DemoLog;
  readonly #inLab: DemoInLab | undefined;
  /** The text of `demo.json` that this process wrote last. */
  #file: string | undefined;
  /** Creates the bots; set once the accounts are open. */
  #makeBots: ((tenure: TaskGrant) => Bots | LabBots) | undefined;
  #bots: Bots | LabBots | undefined;

  constructor(config: Config, log: DemoLog, inLab: DemoInLab | undefined) {
    this.config = withDemo(config);
    this.#log = log;
    this.#inLab = inLab;
    this.shown = { bots: config.bots, accounts: DEMO_ACCOUNTS, subAccounts: DEMO_SUB_ACCOUNTS };
  }

  async listing(node: DemoNode): Promise<NodeListing> {
    await renewDemoListing(node, this.config);
    const listed = node.view.assets().map(({ spec }) => spec);
    return { ...demoListing(this.config, listed), exchangeFilters: this.config.exchangeFilters };
  }

  async open(node: DemoNode, gateway: DemoGateway): Promise<readonly string[]> {
    const { fees, bots, seed } = this.config;
    await openDemoAccounts(node, fees);
    await openDemoVenue(node);
    if (!bots) return [];
    const without = await giveDemoPast(node, liveMarkets(node.view), seed);
    if (without.length > 0) this.#log.warn({ symbols: without }, "demo symbols start without backfilled candles");
    if (this.#inLab === undefined) keepHeapSmall();
    const markets = liveMarkets(node.view);
    const accounts = await openBotAccounts(node, markets);
    this.#makeBots = (tenure) => this.#botsOf(node, gateway, { markets, accounts }, tenure);
    return [];
  }

  async start(addresses: DemoAddresses): Promise<void> {
    await this.show(addresses);
    this.#bots = this.#makeBots?.({ isHeld: true });
    await this.#bots?.start();
    if (this.#bots instanceof LabBots && !this.#bots.goesOn) await this.#addAgents(this.#bots);
  }

  async show(addresses: DemoAddresses): Promise<void> {
    const { accounts, subAccounts } = this.shown;
    this.#file = writeDemoFile(this.config.dataFolder, { ...addresses, accounts, subAccounts }, this.#file);
  }

  get parts(): readonly BotsPart[] {
    const makeBots = this.#makeBots;
    if (makeBots === undefined) return [];
    const start = (tenure: TaskGrant): void => {
      this.#bots = makeBots(tenure);
      void this.#bots.start();
    };
    return [{ role: "bots", start, stop: () => this.stop() }];
  }

  get agents(): LabAgents | undefined {
    return this.#bots instanceof LabBots ? this.#bots.agents : undefined;
  }

  async stop(): Promise<void> {
    await this.#bots?.stop();
  }

  /** Adds the configured agents, after checking that all of them are possible. */
  async #addAgents({ agents, dueMs }: LabBots): Promise<void> {
    const asked = this.config.lab?.agents ?? [];
    for (const [index, { symbol }] of asked.entries()) {
      if (!agents.drives(symbol))
        throw new ConfigError(`lab.agents[${index}].symbol: no bots trade ${symbol}. Choose a symbol of the demo`);
    }
    const { maxAgents } = AGENT_LIMITS;
    if (asked.reduce((sum, { count }) => sum + count, 0) > maxAgents)
      throw new ConfigError(`lab.agents: at most ${maxAgents} agents are supported`);
    for (const settings of asked) await agents.add({ ...settings }, dueMs);
  }

  #botsOf(node: DemoNode, gateway: DemoGateway, cast: Cast, tenure: TaskGrant): Bots | LabBots {
    const means = {
      ...cast,
      seed: this.config.seed,
      world: node.world,
      isTrading: (symbol: string) => tenure.isHeld && isTrading(node.view, symbol),
      onError: (error: unknown) => this.#log.warn({ err: error }, "demo bot failed"),
    };
    if (this.#inLab !== undefined) {
      const { control } = this.#inLab;
      return new LabBots({ ...means, control, view: node.view, sequencer: node.sequencer });
    }
    const venue: Venue = (request) => gateway.handle(request);
    return new Bots({ ...means, venue, nowMs: () => node.sequencer.nowMs() });
  }
}

/**
 * Returns the configuration of a demo: every asset has a network, at least a sandbox, and the bots are exempt from
 * trading rules.
 */
function withDemo(config: Config): Config {
  const { wallet, tradingRules } = config;
  const networks = demoNetworks(wallet.networks);
  const exempt = [...tradingRules.exempt, BOT_ADDRESSES];
  return { ...config, wallet: { ...wallet, networks }, tradingRules: { ...tradingRules, exempt } };
}
