/**
 * The bots' accounts, their connections through the gateway, and their order limits. Each symbol has makers for bids,
 * asks and depth, and a taker; each is subject to the limits of one client.
 */
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";
import { BOT_ADDRESSES, deleteKey, type DemoNode, ensureAccount, ensureKey, opensTo } from "../operator.ts";
import { randomKey } from "../../../platform/secrets/api-keys.ts";
import { DEMO_ASSETS } from "../assets.ts";
import type { DemoMarket } from "../markets.ts";
import { createHmac } from "node:crypto";

// Limits the orders of a side's makers to the limits of their accounts: 10 a second and 100,000 a day. Unused orders
// are saved, up to a maximum, for times when the price moves.

/** The average number of orders per account and second: 89,000 a day. */
const PLACED_PER_SECOND = 1.03;
const MOST_SAVED = 100;
/**
 * The number of orders of each account that are reserved for the best quotes, and for refilling a side that takers have
 * emptied.
 */
const RESERVE = 70;
/**
 * Orders per account and round: in the first round, while the side is being filled, and afterwards. No second has more
 * than 10 orders, however unevenly rounds are spaced.
 */
const PER_LOOK = { first: 4, filling: 2, standing: 2 };
/**
 * The maximum number of orders in the first round: the node is ready only after it, so it must be short even on busy
 * symbols.
 */
const MOST_FIRST = 8;
/** Orders per account and round if rounds are infrequent. */
const PER_SELDOM_LOOK = { first: 6, filling: 4, standing: 2 };
/** The average interval from which rounds count as infrequent. */
const SELDOM_MS = 1000;

export class Allowance {
  readonly #accounts: number;
  readonly #isSeldom: boolean;
  #left: number;

  /** `lookMs`: the average interval between rounds while no quotes are missing. `name`: the name of the saved state. */
  constructor(accounts: number, lookMs: number, name: string, saved: SavedState) {
    this.#accounts = accounts;
    this.#isSeldom = lookMs >= SELDOM_MS;
    this.#left = saved.restore(name, z.number(), () => this.#left) ?? accounts * MOST_SAVED;
  }

  /** Returns the maximum number of orders for a round that begins `sinceMs` after the previous one. */
  most(phase: "first" | "filling" | "standing", sinceMs: number): number {
    const earned = (this.#accounts * PLACED_PER_SECOND * sinceMs) / 1000;
    this.#left = Math.min(this.#accounts * MOST_SAVED, this.#left + earned);
    const perLook = this.#isSeldom ? PER_SELDOM_LOOK : PER_LOOK;
    const most = Math.min(this.#accounts * perLook[phase], Math.floor(this.#left));
    if (phase === "first") return Math.min(most, MOST_FIRST);
    // On a side with enough quotes, only the best quote is urgent.
    return phase === "standing" && this.#left < this.#accounts * RESERVE ? Math.min(most, 1) : most;
  }

  use(placed: number): void {
    this.#left -= placed;
  }
}

/**
 * The value of a bot's balance in each asset it trades, in USDT: more than ten times the balances of all demo accounts
 * together.
 */
const WORTH = 20_000_000_000;

/**
 * The average number of taker orders per account and second. An account may place 100,000 orders a day, 1.16 a second;
 * the margin covers sweeps and days with twice the average activity.
 */
const TAKEN_PER_SECOND = 0.4;

/** The accounts for one job on a symbol; busy symbols have several. */
type Accounts = readonly [Credentials, ...Credentials[]];

export interface SymbolAccounts {
  readonly bids: Accounts;
  readonly asks: Accounts;
  /** The accounts whose quotes on both sides are far from the mid price. */
  readonly depth: Accounts;
  readonly taker: Accounts;
}
/** The bots' accounts by symbol. */
export type BotAccounts = ReadonlyMap<string, SymbolAccounts>;

/** Opens and funds missing accounts. Journals nothing if all accounts exist. */
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

/** Returns the smallest whole number of units of the asset whose value is at least `worth` USDT. */
export function grantOf(asset: string, worth: number): string {
  const known = DEMO_ASSETS.find(({ spec }) => spec.asset === asset);
  return BigInt(Math.ceil(worth / (known?.startValue ?? 1))).toString();
}

/** A request from a bot to the gateway. */
export interface VenueRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
}
export interface VenueResponse {
  readonly status: number;
  readonly body: string;
}
export type Venue = (request: VenueRequest) => Promise<VenueResponse>;

export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
  /** Each bot has its own address, and therefore the request limit of one client. */
  readonly ip: string;
}

/** The exchange rejected a request, for example by a limit, a filter or a suspension. Bots ignore this. */
export class Refused extends Error {
  override readonly name = "Refused";
}

type Parameters = Readonly<Record<string, string | number>>;

export class BotClient {
  readonly #venue: Venue;
  readonly #credentials: Credentials;
  readonly #nowMs: () => number;

  constructor(venue: Venue, credentials: Credentials, nowMs: () => number) {
    this.#venue = venue;
    this.#credentials = credentials;
    this.#nowMs = nowMs;
  }

  /**
   * Sends a signed request with all parameters in the query, the signature last. Throws `Refused` unless the status is
   * 200.
   */
  async signed<T>(method: string, path: string, parameters: Parameters): Promise<T> {
    const query = encode({ ...parameters, timestamp: this.#nowMs() });
    const signature = createHmac("sha256", this.#credentials.secretKey).update(query).digest("hex");
    return this.#send<T>(method, path, `${query}&signature=${signature}`, { "x-mbx-apikey": this.#credentials.apiKey });
  }

  async public<T>(path: string, parameters: Parameters): Promise<T> {
    return this.#send<T>("GET", path, encode(parameters), {});
  }

  async #send<T>(method: string, path: string, query: string, headers: Readonly<Record<string, string>>): Promise<T> {
    const { ip } = this.#credentials;
    const { status, body } = await this.#venue({ method, path, query, body: "", headers, ip });
    if (status !== 200) throw new Refused(`${method} ${path}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }
}

function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
