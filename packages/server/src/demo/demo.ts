/** The demo: its accounts, its file and its bots. */
import type { Config } from "../config/config.ts";
import { type DemoAccount, DEMO_SUB_ACCOUNTS, openDemoAccounts } from "./accounts.ts";
import { openBotAccounts } from "./bots/bot-accounts.ts";
import { Bots } from "./bots/bots.ts";
import type { Venue } from "./bots/client.ts";
import { type DemoFile, writeDemoFile } from "./demo-file.ts";
import { isTrading, liveMarkets } from "./listing.ts";
import type { DemoNode } from "./operator.ts";
import { giveDemoPast } from "./past.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { openDemoVenue } from "./venue.ts";

/** The part of the gateway that bots use. */
export interface DemoGateway {
  readonly handle: Venue;
}
export interface DemoLog {
  warn(fields: object, message: string): void;
}

export interface Demo {
  readonly accounts: readonly DemoAccount[];
  /** The sub-accounts of the first account. */
  readonly subAccounts: readonly DemoAccount[];
  /** Writes `demo.json` and starts the bots if wanted; resolves when every symbol has a book and a trade. */
  start(addresses: Omit<DemoFile, "accounts" | "subAccounts">): Promise<void>;
  stop(): Promise<void>;
}

/** Opens and funds missing accounts; journals nothing on a complete folder. */
export async function openDemo(node: DemoNode, gateway: DemoGateway, config: Config, log: DemoLog): Promise<Demo> {
  const accounts = await openDemoAccounts(node, config.fees);
  await openDemoVenue(node);
  const without = config.bots ? await giveDemoPast(node, liveMarkets(node.view), config.seed) : [];
  if (without.length > 0) log.warn({ symbols: without }, "symbols of the demo begin without candles");
  const bots = config.bots ? await openBots(node, gateway, config, log) : undefined;
  const subAccounts = DEMO_SUB_ACCOUNTS;
  return {
    accounts,
    subAccounts,
    start: async (addresses) => {
      writeDemoFile(config.dataFolder, { ...addresses, accounts, subAccounts });
      await bots?.start();
    },
    stop: async () => bots?.stop(),
  };
}

async function openBots(node: DemoNode, gateway: DemoGateway, config: Config, log: DemoLog): Promise<Bots> {
  const markets = liveMarkets(node.view);
  keepHeapSmall();
  return new Bots({
    venue: (request) => gateway.handle(request),
    accounts: await openBotAccounts(node, markets),
    markets,
    seed: config.seed,
    nowMs: () => node.sequencer.nowMs(),
    world: node.world,
    isTrading: (symbol) => isTrading(node.view, symbol),
    onError: (error) => log.warn({ err: error }, "a bot failed"),
  });
}
