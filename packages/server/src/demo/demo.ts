/** The demo: its networks and listing, its accounts, its file and its bots. */
import type { Config } from "../config/config.ts";
import { DEMO_ACCOUNTS, DEMO_SUB_ACCOUNTS, openDemoAccounts } from "./accounts.ts";
import { openBotAccounts } from "./bots/bot-accounts.ts";
import { Bots, type BotsOptions } from "./bots/bots.ts";
import { writeDemoFile } from "./demo-file.ts";
import { demoListing, isTrading, liveMarkets } from "./listing.ts";
import { NoDemo } from "./no-demo.ts";
import type { DemoNode } from "./operator.ts";
import { giveDemoPast } from "./past.ts";
import {
  BOT_ADDRESSES,
  type BotsPart,
  type Demo,
  type DemoAddresses,
  type DemoGateway,
  type DemoLog,
  type DemoShown,
  type NodeListing,
} from "./port.ts";
import { renewDemoListing } from "./renewal.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { demoNetworks, openDemoVenue } from "./venue.ts";

type Tenure = Parameters<BotsPart["start"]>[0];

/** `config`: as the operator gave it. */
export function demoOf(config: Config, log: DemoLog): Demo {
  return config.demo ? new RunningDemo(config, log) : new NoDemo(config);
}

class RunningDemo implements Demo {
  readonly config: Config;
  readonly shown: DemoShown;
  readonly #log: DemoLog;
  /** Once the accounts are open. */
  #makeBots: ((tenure: Tenure) => Bots) | undefined;
  #bots: Bots | undefined;

  constructor(config: Config, log: DemoLog) {
    this.config = withDemo(config);
    this.#log = log;
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
    if (without.length > 0) this.#log.warn({ symbols: without }, "symbols of the demo begin without candles");
    keepHeapSmall();
    const markets = liveMarkets(node.view);
    const accounts = await openBotAccounts(node, markets);
    this.#makeBots = (tenure) => this.#botsOf(node, gateway, { markets, accounts }, tenure);
    return [];
  }

  async start(addresses: DemoAddresses): Promise<void> {
    await this.show(addresses);
    this.#bots = this.#makeBots?.({ isHeld: true });
    await this.#bots?.start();
  }

  async show(addresses: DemoAddresses): Promise<void> {
    const { accounts, subAccounts } = this.shown;
    writeDemoFile(this.config.dataFolder, { ...addresses, accounts, subAccounts });
  }

  get parts(): readonly BotsPart[] {
    const makeBots = this.#makeBots;
    if (makeBots === undefined) return [];
    const start = (tenure: Tenure): void => {
      this.#bots = makeBots(tenure);
      void this.#bots.start();
    };
    return [{ role: "bots", start, stop: () => this.stop() }];
  }

  async stop(): Promise<void> {
    await this.#bots?.stop();
  }

  #botsOf(node: DemoNode, gateway: DemoGateway, cast: Pick<BotsOptions, "markets" | "accounts">, tenure: Tenure): Bots {
    return new Bots({
      ...cast,
      venue: (request) => gateway.handle(request),
      seed: this.config.seed,
      nowMs: () => node.sequencer.nowMs(),
      world: node.world,
      isTrading: (symbol) => tenure.isHeld && isTrading(node.view, symbol),
      onError: (error) => this.#log.warn({ err: error }, "a bot failed"),
    });
  }
}

/** Every coin has a network, be it a sandbox; and bots are careless on purpose. */
function withDemo(config: Config): Config {
  const { wallet, tradingRules } = config;
  const networks = demoNetworks(wallet.networks);
  const exempt = [...tradingRules.exempt, BOT_ADDRESSES];
  return { ...config, wallet: { ...wallet, networks }, tradingRules: { ...tradingRules, exempt } };
}
