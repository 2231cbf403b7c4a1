/** Accounts of the bots: two makers for each symbol, one for its bids and one for its asks, and two takers for all. */
import { randomKey } from "../../config/random-key.ts";
import type { DemoMarket } from "../listing.ts";
import { DEMO_ASSETS } from "../listing.ts";
import { type DemoNode, deleteKey, ensureAccount, ensureKey, opensTo } from "../operator.ts";
import type { Credentials } from "./client.ts";

/** What a bot owns of each asset it trades, in USDT. */
const WORTH = 2_000_000_000;

export interface BotAccounts {
  readonly makers: ReadonlyMap<string, { readonly bids: Credentials; readonly asks: Credentials }>;
  readonly takers: readonly [Credentials, Credentials];
}

/** Opens and funds what is missing; journals nothing when all is there. */
export async function openBotAccounts(node: DemoNode, markets: readonly DemoMarket[]): Promise<BotAccounts> {
  let bots = 0;
  const open = (name: string, assets: readonly string[]): Promise<Credentials> =>
    openBot(node, name, assets, `127.0.1.${++bots}`);
  const everything = [...new Set(markets.flatMap(({ spec }) => [spec.baseAsset, spec.quoteAsset]))];
  const [first, second, ...makers] = await Promise.all([
    open("taker-1", everything),
    open("taker-2", everything),
    ...markets.map(async ({ spec }) => {
      const assets = [spec.baseAsset, spec.quoteAsset];
      const name = spec.symbol.toLowerCase();
      const [bids, asks] = await Promise.all([open(`bids-${name}`, assets), open(`asks-${name}`, assets)]);
      return [spec.symbol, { bids, asks }] as const;
    }),
  ]);
  return { makers: new Map(makers), takers: [first, second] };
}

async function openBot(node: DemoNode, name: string, assets: readonly string[], ip: string): Promise<Credentials> {
  const grants = new Map(assets.map((asset) => [asset, grantOf(asset)]));
  const wanted = { email: `${name}@bots.pricetime`, name, makerBps: 0, takerBps: 0, grants };
  const accountId = await ensureAccount(node, wanted);
  for (const { apiKey, sealedSecret } of node.view.apiKeys(accountId)) {
    const secretKey = opensTo(node, sealedSecret);
    if (secretKey !== undefined) return { apiKey, secretKey, ip };
    await deleteKey(node, apiKey);
  }
  const apiKey = randomKey();
  const secretKey = randomKey();
  await ensureKey(node, { accountId, apiKey, secretKey, permissions: ["TRADE", "USER_DATA"] });
  return { apiKey, secretKey, ip };
}

function grantOf(asset: string): string {
  const known = DEMO_ASSETS.find(({ spec }) => spec.asset === asset);
  return BigInt(Math.ceil(WORTH / (known?.startValue ?? 1))).toString();
}
