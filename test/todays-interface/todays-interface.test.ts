/**
 * Checks each row of the tables of today's interface (docs/interface/today.md) against one running exchange: what a
 * table lists is there, and what it leaves out is absent, so that a feature cannot be added without its row.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { VENUE_INTERFACES } from "@pricetime/protocol";
import { Client, hmacKey, type SigningKey } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { ENDPOINT_ROWS, RETIRED_ENDPOINTS } from "./endpoints.ts";
import { missingNames, namesIn } from "./rows.ts";

/** The code of unknown endpoints and methods. */
const NOT_FOUND = -1099;

let exchange: Exchange;
let client: Client;
let api: ApiClient;
let key: SigningKey;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--interface", "today"] });
  const [account] = exchange.accounts;
  assert.ok(account);
  client = new Client(exchange.rest, account);
  key = hmacKey(account);
  api = await ApiClient.open(exchange.ws);
});
after(async () => {
  client.close();
  await api.close();
  await exchange.stop();
});

interface Sent {
  readonly code: number;
  readonly text: string;
  /** The request weight that the address has used in this minute. */
  readonly used: number;
}

/** Sends a request with a key and without a signature. `request` is a method and a path below /api/v3. */
async function send(request: string, query: string): Promise<Sent> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { "X-MBX-APIKEY": key.apiKey };
  const answer = await client.send<{ code?: number }>(method, `/api/v3/${path}`, { query, headers });
  const { status, text, json } = answer;
  return { code: json?.code ?? status, text, used: Number(answer.headers["x-mbx-used-weight-1m"]) };
}

/** A value that cannot be decoded is reported with the name of the parameter, if the endpoint has the parameter. */
async function takes(request: string, name: string): Promise<boolean> {
  const { code, text } = await send(request, `${name}=%zz`);
  assert.equal(code, -1100, text);
  return text.includes(`parameter '${name}'`);
}

/** The weight of a request, valid or not. */
async function weightOf(request: string, query: string): Promise<number> {
  for (;;) {
    const { used: before } = await send("GET ping", "");
    const { used } = await send(request, encodeURI(query));
    // A minute that ends in between starts the count again.
    if (used > before) return used - before;
  }
}

suite("endpoints", () => {
  for (const row of ENDPOINT_ROWS) {
    const { request, method, weights, parameters, isMissing, missing } = row;
    if (isMissing !== undefined) {
      test(`${request} is absent`, async () => {
        assert.equal((await send(request, "")).code, NOT_FOUND, "the endpoint exists: change its row");
        assert.equal((await api.call(method)).error.code, NOT_FOUND, "the method exists: change its row");
      });
      continue;
    }
    test(request || method, async () => {
      for (const name of [method, `v3/${method}`]) {
        assert.notEqual((await api.call(name)).error?.code, NOT_FOUND, `${name} is no method`);
      }
      if (request === "") return;
      for (const name of namesIn(parameters)) assert.ok(await takes(request, name), `${name} is unknown`);
      for (const [name] of missingNames(missing)) assert.ok(!(await takes(request, name)), `${name} is known`);
      for (const [query, weight] of Object.entries(weights))
        assert.equal(await weightOf(request, query), weight, query);
    });
  }

  for (const request of RETIRED_ENDPOINTS) {
    test(`${request} is retired`, async () => assert.equal((await send(request, "")).code, NOT_FOUND));
  }

  test("every endpoint and parameter of the exchange has its row", () => {
    const { endpoints, methods } = VENUE_INTERFACES.today.endpoints;
    for (const { id, method, paths, parameters, family } of [...new Set([...endpoints, ...methods])]) {
      if (family !== "api" || paths.some((path) => !path.startsWith("/api/"))) continue;
      const row = ENDPOINT_ROWS.find((each) => each.method === id);
      assert.ok(row !== undefined && row.isMissing === undefined, `${id} has no row`);
      assert.deepEqual(paths, row.request === "" ? [] : [row.request.replace(/^\w+ /, "/api/v3/")], id);
      assert.ok(row.request === "" || row.request.startsWith(`${method} `), id);
      const listed = namesIn(row.parameters + (row.added === undefined ? "" : ` ${row.added}`));
      assert.deepEqual(parameters.map(({ name }) => name).sort(), listed.sort(), id);
    }
  });
});
