/** Checks in `/metrics` which reader handles the requests of published clients: the table of docs/internals/request-paths.md. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client, encodeSigned, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, type Exchange, ROOT, startExchange } from "@pricetime/testkit/venue";
import { lacking } from "../tools.ts";
import { type Published, publishedClients } from "./published.ts";
import type { PlainRequest, Task } from "./task.ts";

const PAGE = "docs/internals/request-paths.md";
/** The requests of each method: two pieces that a client writes may arrive as one. */
const REQUESTS = 20;
const ORDER = { symbol: "LTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "60.00" };
const COLUMNS = ["GET", "POST", "DELETE"] as const;

const folder = temporaryFolder();
const clients = publishedClients(folder);
let exchange: Exchange;
let account: DemoAccount;
let own: Client;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  account = exchange.accounts[0] ?? assert.fail("no accounts");
  own = new Client(exchange.rest, account);
});
after(async () => {
  own?.close();
  await exchange?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Counts {
  readonly direct: number;
  readonly node: number;
}

async function counts(): Promise<Counts> {
  const metrics = await (await fetch(`${exchange.admin}/metrics`)).text();
  const of = (lane: string): number =>
    Number(new RegExp(`^pricetime_http_requests_total\\{lane="${lane}"\\} (\\d+)$`, "m").exec(metrics)?.[1]);
  return { direct: of("direct"), node: of("node") };
}

let number = 0;

/** For DELETE, places the orders to be canceled. */
async function requestsOf(method: Task["method"]): Promise<readonly PlainRequest[]> {
  const requests: PlainRequest[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const orderId = `lane${number++}`;
    if (method === "DELETE") {
      const placed = await own.signed("POST", "/api/v3/order", { ...ORDER, newClientOrderId: orderId });
      assert.equal(placed.status, 200, placed.text);
    }
    requests.push({ orderId, ...plainRequest(method, orderId) });
  }
  return requests;
}

function plainRequest(method: Task["method"], orderId: string): Omit<PlainRequest, "orderId"> {
  const times = { timestamp: Date.now(), recvWindow: 60_000 };
  const signed = (parameters: Parameters): string => encodeSigned({ ...parameters, ...times }, account.secretKey);
  if (method === "POST") return { target: "/api/v3/order/test", body: signed({ ...ORDER, newClientOrderId: orderId }) };
  if (method === "GET") return { target: `/api/v3/account?${signed({})}` };
  return { target: `/api/v3/order?${signed({ symbol: ORDER.symbol, origClientOrderId: orderId })}` };
}

/** The cell of the table for these requests. */
async function laneOf(client: Published, method: Task["method"], keepsAlive: boolean): Promise<string> {
  const { apiKey, secretKey } = account;
  const requests = await requestsOf(method);
  const first = await counts();
  await client.run({ rest: exchange.rest, apiKey, secretKey, method, keepsAlive, requests, order: ORDER });
  const last = await counts();
  const [direct, node] = [last.direct - first.direct, last.node - first.node];
  assert.ok(direct + node >= REQUESTS, `only ${direct + node} of ${REQUESTS} requests arrived`);
  if (node === 0) return "direct";
  return direct === 0 ? "`node:http`" : `${direct} of ${direct + node} direct`;
}

/** The rows of the table on the page, by client. */
function writtenRows(): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(join(ROOT, PAGE), "utf8").split("\n");
  const rows = lines.filter((line) => line.startsWith("| ")).map((line) => line.split("|").slice(1, -1));
  return new Map(rows.slice(1).map(([name = "", ...cells]) => [name.trim(), cells.map((cell) => cell.trim())]));
}

test("the table has one row for each client", () => {
  assert.deepEqual(
    [...writtenRows().keys()],
    clients.map(({ name }) => name),
  );
});

for (const client of clients) {
  test(`${client.name}: requests are read as the table says`, { skip: lacking(client.needs) }, async () => {
    const lanes: string[] = [];
    for (const method of COLUMNS) lanes.push(await laneOf(client, method, true));
    lanes.push(client.closes ? await laneOf(client, "POST", false) : "");
    assert.deepEqual(lanes, writtenRows().get(client.name), `${PAGE}: | ${[client.name, ...lanes].join(" | ")} |`);
  });
}
