/** Endpoints that a banned address can still use, and requests that avoid being counted. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { comes } from "@pricetime/testkit/waiting";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import { openHostile, statuses } from "../hostile.ts";
import { formatCounts, load } from "../load.ts";
import { startExchange } from "@pricetime/testkit/venue";
import { setTimeout as sleep } from "node:timers/promises";

const BANNED = "127.0.0.5";
/** Has weight 40; the ban starts at 1.5 times 1,200. */
const DEAR = "/api/v3/ticker/24hr";
const UNTIL_BANNED = 60;
const ANSWER_MS = 5_000;

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const ping = (headers = ""): string => `GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

/** Requests that a banned address sends. */
const ENDPOINTS: readonly (readonly [name: string, request: string])[] = [
  ["REST", ping()],
  ["REST through `node:http`", ping("TE: trailers\r\n")],
  [
    "OPTIONS",
    "OPTIONS /api/v3/ping HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nAccess-Control-Request-Method: GET\r\n\r\n",
  ],
  ["/ws", `GET /ws/btcusdt@trade HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`],
  ["/stream", `GET /stream?streams=btcusdt@trade HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`],
  ["/ws-api/v3", `GET /ws-api/v3 HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`],
];

const WINDOW_MS = 60_000;
const ENOUGH_MS = 5_000;

/** Waits if the current minute is almost over, so that all requests are counted in one calendar minute. */
async function withinOneWindow(): Promise<void> {
  const leftMs = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (leftMs < ENOUGH_MS) await sleep(leftMs);
}

/** The head of the response to these bytes; "" if there was none. */
async function answerTo(port: number, localAddress: string, first: string): Promise<string> {
  const hostile = openHostile({ port, localAddress, first });
  await comes(() => hostile.isClosed || hostile.text.includes("\r\n\r\n"), { withinMs: ANSWER_MS });
  hostile.socket.destroy();
  return hostile.text;
}

async function afterBan(port: number): Promise<Row> {
  const checks = new Checks();
  await withinOneWindow();
  const request = (): string => `GET ${DEAR} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const counts = await load({ port, localAddress: BANNED, connections: 1, count: UNTIL_BANNED, request });
  checks.expect(
    "the address is banned",
    [...counts.keys()].some((what) => what.startsWith("418")),
  );
  for (const [name, bytes] of ENDPOINTS) {
    const status = statuses(await answerTo(port, BANNED, bytes))[0];
    checks.observe(`${name}: ${status ?? "closed"}`);
    checks.expect(`${name} is refused`, status === undefined || status === 418 || status === 429);
  }
  const does = "a banned address tries every kind of endpoint";
  return checks.row("bans", does, "every one is refused");
}

const TIMES = 100;

function usedWeight(head: string): number {
  return Number(/^x-mbx-used-weight-1m: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
}

/** Sends it 100 times and reports the weight that the node then counts for the address. */
async function uncounted(port: number, localAddress: string, what: string, bytes: string): Promise<Row> {
  const checks = new Checks();
  await withinOneWindow();
  let refused = 0;
  for (let i = 0; i < TIMES; i++) {
    const status = statuses(await answerTo(port, localAddress, bytes))[0];
    if (status === 429 || status === 418) refused++;
  }
  const used = usedWeight(await answerTo(port, localAddress, ping()));
  checks.observe(`weight used afterwards: ${used}`);
  checks.expect("they are counted", used >= TIMES || refused > 0);
  const does = `${TIMES} ${what} from one address`;
  return checks.row("bans", does, "they count as requests");
}

const ADDRESSES_OF_ONE_NETWORK = 60;

/** 60 addresses of one /64 network, as a proxy reports them. */
async function oneNetwork(port: number): Promise<Row> {
  const checks = new Checks();
  await withinOneWindow();
  const request = (i: number): string =>
    `GET ${DEAR} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8::${(i + 1).toString(16)}\r\n\r\n`;
  const count = ADDRESSES_OF_ONE_NETWORK;
  const counts = await load({ port, localAddress: "127.0.0.1", connections: 1, count, request });
  checks.observe(formatCounts(counts));
  checks.expect(
    "the limits count them as one",
    [...counts.keys()].some((what) => /^4(?:29|18)/.test(what)),
  );
  const does = `${count} addresses of one IPv6 /64, each with a request of weight 40`;
  return checks.row("bans", does, "a /64 counts as one address");
}

async function run({ scope }: Campaign): Promise<Row[]> {
  const config = join(scope.folder(), "pricetime.yaml");
  writeFileSync(config, JSON.stringify({ http: { trustedProxies: ["127.0.0.1"] } }));
  const exchange = await startExchange({ dataFolder: scope.folder(), args: ["--bots", "off", "--config", config] });
  scope.defer(() => exchange.kill());
  const port = Number(new URL(exchange.rest).port);
  return [
    await afterBan(port),
    await uncounted(
      port,
      "127.0.0.6",
      "OPTIONS",
      "OPTIONS /api/v3/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ),
    await uncounted(port, "127.0.0.7", "malformed requests", "GET /api/v3/ping HTTP/9.9\r\nwhat is this\r\n\r\n"),
    await oneNetwork(port),
  ];
}

export const banned: Attack = { name: "bans", run };
