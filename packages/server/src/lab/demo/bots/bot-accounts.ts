/** Accounts of the bots: for each symbol makers of bids, of asks and of depth and a taker, each within the limits of one client. */
import { BOT_ADDRESSES } from "../bot-addresses.ts";
import { randomKey } from "../../../platform/config/random-key.ts";
import { DEMO_ASSETS } from "../assets.ts";
import type { DemoMarket } from "../markets.ts";
import { type DemoNode, deleteKey, ensureAccount, ensureKey, opensTo } from "../operator.ts";
import { PLACED_PER_SECOND } from "./allowance.ts";
import type { Credentials } from "./client.ts";

/** What a bot owns of each asset it trades, in USDT: more than ten times what all demo accounts own together. */
const WORTH = 20_000_000_000;

/** An account may place 100,000 orders a day, 1.16 a second. Takers sweep, too, and have days that are twice as lively. */
const TAKEN_PER_SECOND = 0.4;

/** The accounts of one job; busy symbols have several. */
type Accounts = readonly [Credentials, ...Credentials[]];

/** The accounts of one symbol. */
export interface SymbolAccounts {
  readonly bids: Accounts;
  readonly asks: Accounts;
  /** The accounts that quote both sides far from the mid. */
  readonly depth: Accounts;
  readonly taker: Accounts;
}
/** The bots' accounts by symbol. */
export type BotAccounts = ReadonlyMap<string, SymbolAccounts>;

/** Opens and funds missing accounts; journals nothing when all exist. */
export async function openBotAccounts(node: DemoNode, markets: readonly DemoMarket[]): Promise<BotAccounts> {
  let bots = 0;
  const opened = markets.map(async ({ spec, ordersPerSecond, quotesPerSecond }) => {
    const assets = [spec.baseAsset, spec.quoteAsset];
    const open = (job: string): Promise<Credentials> =>
      openBot(node, `${job}-${spec.symbol.toLowerCase()}`, assets, `127.0.1.${++bots}`);
    const openAll = (job: string, count: number): Promise<[Credentials, ...Credentials[]]> =>
      Promise.all([open(job), ...Array.from({ length: count - 1 }, (_, index) => open(`${job}${index + 2}`))]);
    const makers = Math.ceil(quotesPerSecond / PLACED_PER_SECOND);
    const takers = Math.ceil(ordersPerSecond / TAKEN_PER_SECOND);
    const busy = Promise.all([openAll("bids", makers), openAll("asks", makers), openAll("taker", takers)]);
    const [[bids, asks, taker], depth] = await Promise.all([busy, open("depth")]);
    return [spec.symbol, { bids, asks, depth: [depth], taker }] as const;
  });
  return new Map(await Promise.all(opened));
}

async function openBot(node: DemoNode, name: string, assets: readonly string[], ip: string): Promise<Credentials> {
  const grants = new Map(assets.map((asset) => [asset, grantOf(asset, WORTH)]));
  const wanted = { email: `${name}${BOT_ADDRESSES}`, name, makerBps: 0, takerBps: 0, grants };
  const accountId = await ensureAccount(node, wanted);
  for (const { apiKey, sealedSecret } of node.view.apiKeys(accountId)) {
    const secretKey = opensTo(node, sealedSecret);
    if (secretKey !== undefined) return { apiKey, secretKey, ip };
    await deleteKey(node, apiKey);
  }
  const apiKey = randomKey(node.world);
  const secretKey = randomKey(node.world);
  await ensureKey(node, { accountId, apiKey, secretKey, permissions: ["TRADE", "USER_DATA"] });
  return { apiKey, secretKey, ip };
}

/** A whole number of the asset that is worth this much USDT. */
export function grantOf(asset: string, worth: number): string {
  const known = DEMO_ASSETS.find(({ spec }) => spec.asset === asset);
  return BigInt(Math.ceil(worth / (known?.startValue ?? 1))).toString();
}
