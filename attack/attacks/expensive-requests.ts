/** Requests whose cost to the node exceeds their weight, at the rate that their address is allowed. */
import type { Attack, Row } from "../attack.ts";
import { formatCounts, load } from "../load.ts";
import { signedRawRequest } from "@pricetime/testkit/raw-http";
import { besiege, type Siege, type Target } from "../siege.ts";
import { DEEP_SYMBOL, HOARD_SYMBOL, signedOrder, type VenueSize } from "../venue.ts";

const CONNECTIONS = 10;
const FIRST = "127.0.0.2";
/** Slightly less than an address's weight limit per minute. */
const WEIGHT = 1_190;
const MARKET_ORDERS = 990;

type Request = (target: Target, i: number) => string;

function expensive(does: string, count: number, request: Request): Siege {
  return {
    name: "expensive requests",
    does,
    strike: async (target) => {
      const { port, isAlive, endMs } = target;
      const isOver = (): boolean => !isAlive() || performance.now() >= endMs;
      const bytes = (i: number): string => request(target, i);
      return {
        saw: formatCounts(
          await load({ port, localAddress: FIRST, connections: CONNECTIONS, count, request: bytes, isOver }),
        ),
      };
    },
  };
}

const MARKET = { symbol: DEEP_SYMBOL, side: "BUY", type: "MARKET", quoteOrderQty: "6000000" };
const marketOrders = ({ asks }: VenueSize): Siege =>
  expensive(
    `${MARKET_ORDERS} market orders for 6,000,000 USDT by an account that has 100, over a book of ${asks} asks`,
    MARKET_ORDERS,
    ({ venue }) => signedOrder(venue.poor, MARKET),
  );

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const exchangeInfo = expensive(`${WEIGHT} \`exchangeInfo\` from one address, without pause`, WEIGHT, () =>
  get("/api/v3/exchangeInfo"),
);

const OPEN_ORDERS = { path: "/api/v3/openOrders", parameters: { symbol: HOARD_SYMBOL } };
const openOrders = ({ hoard }: VenueSize): Siege =>
  expensive(
    `${WEIGHT} \`openOrders\` of a symbol, without pause, by accounts with ${hoard} open orders`,
    WEIGHT,
    ({ venue }, i) => {
      const hoarder = venue.hoarders[i % venue.hoarders.length] ?? venue.poor;
      return signedRawRequest(hoarder, OPEN_ORDERS);
    },
  );

/** The most expensive form of each request, and how many: a total weight of 1,180. */
const MIXED: readonly (readonly [path: string, times: number])[] = [
  ["/api/v3/ticker/24hr", 10],
  [`/api/v3/depth?symbol=${DEEP_SYMBOL}&limit=5000`, 10],
  ["/api/v3/ticker/price", 70],
  ["/api/v3/ticker/bookTicker", 70],
];
const mixedRequests = MIXED.flatMap(([path, times]) => Array.from({ length: times }, () => get(path)));
const market = expensive(
  `\`ticker/24hr\` of 1,500 symbols and \`depth\` of 5,000 levels 10 times, all prices and all best prices 70 times, from one address`,
  mixedRequests.length,
  (_, i) => mixedRequests[i] ?? "",
);

const cancelAll = ({ hoard }: VenueSize): Siege => ({
  name: "expensive requests",
  does: `four accounts cancel all of their ${hoard} open orders at the same time`,
  strike: async ({ venue, port }) => {
    const answers = venue.hoarders.map((hoarder) => {
      const request = (): string => signedRawRequest(hoarder, { ...OPEN_ORDERS, method: "DELETE" });
      return load({ port, localAddress: FIRST, connections: 1, count: 1, request });
    });
    return { saw: (await Promise.all(answers)).map(formatCounts).join(", ") };
  },
});

export const expensiveRequests: Attack = {
  name: "expensive",
  run: async (campaign) => {
    const rows: Row[] = [];
    const { size } = await campaign.venue();
    const all = [marketOrders(size), openOrders(size), exchangeInfo, market, cancelAll(size)];
    const sieges = campaign.isShort ? all.slice(0, 1) : all;
    for (const siege of sieges) rows.push(await besiege(campaign, siege));
    return rows;
  },
};
