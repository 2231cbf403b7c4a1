/** The exchange of a soak test: the real program on an empty folder, its accounts, and its stream subscribers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@pricetime/testkit/client";
import { openAccount, startExchange, type DemoAccount, type Exchange } from "@pricetime/testkit/venue";
import { GRANTS, MARKETS, QUIET_SYMBOLS } from "./markets.ts";
import type { SocketPlan } from "./messages.ts";

/** The number of accounts with subscribed user streams. */
const USER_STREAMS = 8;
/** The fraction of idle clients among the connections that the busy ones leave. */
const IDLE_SHARE = 0.25;

/** All connections come from one address here. */
const CONFIG =
  "http: { maxConnectionsPerIp: 20000, maxRequestsInFlightPerIp: 10000 }\n" +
  "streams: { maxConnectionsPerIp: 20000, maxSendBufferBytesPerIp: 4000000000 }\n";

export async function startVenue(folder: string): Promise<Exchange> {
  const config = join(folder, "soak.yaml");
  writeFileSync(config, CONFIG);
  const args = ["--bots", "off", "--limits", "off", "--config", config];
  return startExchange({ dataFolder: join(folder, "data"), args });
}

/** Opens `count` accounts with funds, and one without. */
export async function openAccounts(exchange: Exchange, count: number): Promise<DemoAccount[]> {
  const accounts: DemoAccount[] = [];
  for (let i = 0; i < count; i++) accounts.push(await openAccount(exchange, `trader${i}@soak.example`, GRANTS));
  return [...accounts, await openAccount(exchange, "poor@soak.example")];
}

/** Opens the account's user stream, or extends it. */
export async function openListenKey({ rest }: Exchange, account: DemoAccount): Promise<string> {
  const client = new Client(rest, account, 1);
  const { json } = await client.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream");
  client.close();
  return json.listenKey;
}

export const listened = (accounts: readonly DemoAccount[]): readonly DemoAccount[] =>
  accounts.slice(0, Math.min(USER_STREAMS, accounts.length - 1));

/** The subscribers on `total` connections, and the number of idle REST clients. */
export function planListeners(
  folder: string,
  listenKeys: ReadonlyMap<string, string>,
  total: number,
): { plans: SocketPlan[]; idle: number } {
  const plans: SocketPlan[] = [];
  for (const { symbol } of MARKETS) {
    const stream = symbol.toLowerCase();
    const record = { kind: "trade", of: symbol, file: join(folder, `trades-${symbol}`) } as const;
    plans.push({ path: `/ws/${stream}@trade`, count: 2, record });
    for (const each of ["depth@100ms", "bookTicker", "aggTrade", "kline_1m", "depth5"]) {
      plans.push({ path: `/ws/${stream}@${each}`, count: 1 });
    }
  }
  plans.push({ path: `/stream?streams=!ticker@arr/${QUIET_SYMBOLS[0]}@depth`, count: 2 });
  for (const [email, listenKey] of listenKeys) {
    const record = { kind: "user", of: email, file: join(folder, `user-${email}`) } as const;
    plans.push({ path: `/ws/${listenKey}`, count: 2, record });
  }
  const left = total - plans.reduce((sum, { count }) => sum + count, 0);
  if (left < QUIET_SYMBOLS.length) throw new Error(`${total} connections are too few`);
  const idle = Math.floor(left * IDLE_SHARE);
  for (const [at, symbol] of QUIET_SYMBOLS.entries()) {
    const share = at === 0 ? Math.ceil((left - idle) / 2) : Math.floor((left - idle) / 2);
    plans.push({ path: `/ws/${symbol}@trade`, count: share });
  }
  return { plans, idle };
}
