/** The demo: its networks and listing, its accounts, its file and its bots. */
import type { Config } from "../config/config.ts";
import { DEMO_ACCOUNTS, DEMO_SUB_ACCOUNTS, openDemoAccounts } from "./accounts.ts";
import { openBotAccounts } from "./bots/bot-accounts.ts";
import { Bots } from "./bots/bots.ts";
import { type DemoFile, writeDemoFile } from "./demo-file.ts";
import { demoListing, isTrading, liveMarkets } from "./listing.ts";
import { NoDemo } from "./no-demo.ts";
import type { DemoNode } from "./operator.ts";
import { giveDemoPast } from "./past.ts";
import { BOT_ADDRESSES, type Demo, type DemoGateway, type DemoLog, type DemoShown, type NodeListing } from "./port.ts";
import { renewDemoListing } from "./renewal.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { demoNetworks, openDemoVenue } from "./venue.ts";

/** `config`: as the operator gave it. */
export function demoOf(config: Config, log: DemoLog): Demo {
  return config.demo ? new RunningDemo(config, log) : new NoDemo(config);
}

class RunningDemo implements Demo {
  readonly config: Config;
  readonly shown: DemoShown;
  readonly #log: DemoLog;
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
    this.#bots = await this.#openBots(node, gateway);
    return [];
  }

  async start(addresses: Omit<DemoFile, "accounts" | "subAccounts">): Promise<void> {
    const { accounts, subAccounts } = this.shown;
    writeDemoFile(this.config.dataFolder, { ...addresses, accounts, subAccounts });
    await this.#bots?.start();
  }

  async stop(): Promise<void> {
    await this.#bots?.stop();
  }

  async #openBots(node: DemoNode, gateway: DemoGateway): Promise<Bots> {
    const markets = liveMarkets(node.view);
    keepHeapSmall();
    return new Bots({
      venue: (request) => gateway.handle(request),
      accounts: await openBotAccounts(node, markets),
      markets,
      seed: this.config.seed,
      nowMs: () => node.sequencer.nowMs(),
      world: node.world,
      isTrading: (symbol) => isTrading(node.view, symbol),
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
