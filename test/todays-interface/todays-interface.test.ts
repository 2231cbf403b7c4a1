/**
 * Checks each row of the tables of today's interface (docs/interface/today.md) against one running exchange: what a
 * table lists is there, and what it leaves out is absent, so that a feature cannot be added without its row.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { EXCHANGE_FILTERS, SYMBOL_FILTERS, VENUE_INTERFACES } from "@pricetime/protocol";
import { assertNoComposedId, Client, type Parameters } from "@pricetime/testkit/client";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";
import { BEHAVIOR_ROWS, SHUTDOWN_RULE, watchShutdown, weightOf } from "./behavior.ts";
import { ENDPOINT_ROWS, RETIRED_ENDPOINTS } from "./endpoints.ts";
import { errorTable } from "../../scripts/interface/error-tables.ts";
import { ERROR_ROWS } from "./errors.ts";
import { FIELD_ROWS } from "./fields.ts";
import { FILTER_ROWS, FILTERED, type FilterRow, STEPS } from "./filters.ts";
import { missingNames, namesIn } from "./rows.ts";
import { collect, order, SYMBOL, Venue } from "./samples.ts";
import { RETIRED_STREAMS, STREAM_ROWS } from "./streams.ts";
import { WORD_ROWS } from "./words.ts";

/** The code of unknown endpoints and methods. */
const NOT_FOUND = -1099;

let exchange: Exchange;
let venue: Venue;
let client: Client;
/** With order ids by symbol, as Binance counts them. */
const start = (): Promise<Exchange> =>
  startExchange({ args: ["--bots", "off", "--interface", "today", "--order-ids", "symbol"] });
before(async () => {
  exchange = await start();
  venue = new Venue(exchange);
  client = venue.maker;
});
after(async () => {
  venue.close();
  await exchange.stop();
});

// Endpoints are checked on an exchange of their own, because all requests together weigh more than a minute allows.
let asked: Exchange;
let asker: Client;
let api: ApiClient;
async function startAsked(): Promise<void> {
  asked = await start();
  asker = new Client(asked.rest, asked.accounts[0]);
  api = await ApiClient.open(asked.ws);
}
async function stopAsked(): Promise<void> {
  asker.close();
  api.socket.terminate();
  await asked.stop();
}

interface Sent {
  readonly code: number;
  readonly text: string;
}

/** Sends a request with a key and without a signature. `request` is a method and a path below /api/v3. */
async function send(request: string, query: string): Promise<Sent> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { "X-MBX-APIKEY": asked.accounts[0]?.apiKey ?? "" };
  const { status, text, json } = await asker.send<{ code?: number }>(method, `/api/v3/${path}`, { query, headers });
  return { code: json?.code ?? status, text };
}

/** A value that cannot be decoded is reported with the name of the parameter, if the endpoint has the parameter. */
async function takes(request: string, name: string): Promise<boolean> {
  const { code, text } = await send(request, `${name}=%zz`);
  assert.equal(code, -1100, text);
  return text.includes(`parameter '${name}'`);
}

suite("endpoints", () => {
  before(startAsked);
  after(stopAsked);

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
      for (const [query, weight] of Object.entries(weights)) {
        const ask = () => (request === "" ? api.call(method) : send(request, encodeURI(query)));
        assert.equal(await weightOf(asker, ask), weight, query);
      }
      if (request === "") return;
      for (const name of namesIn(parameters)) assert.ok(await takes(request, name), `${name} is unknown`);
      for (const [name] of missingNames(missing)) assert.ok(!(await takes(request, name)), `${name} is known`);
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

suite("fields and words", () => {
  before(() => collect(venue));

  for (const { of, always, sometimes = "", added = "", missing, isMissing } of FIELD_ROWS) {
    test(`fields of ${of}`, () => {
      const samples = venue.samples.of(of);
      if (isMissing !== undefined) return assert.deepEqual(samples, [], "it is sent: change its row");
      assert.ok(samples.length > 0, "there is no sample");
      const fields = new Set(samples.flatMap((sample) => Object.keys(sample)));
      const every = namesIn(always);
      for (const sample of samples)
        assert.deepEqual(
          every.filter((name) => !(name in sample)),
          [],
          "absent",
        );
      for (const [name] of missingNames(missing)) assert.ok(!fields.has(name), `${name} is there: change its row`);
      const listed = [...every, ...namesIn(sometimes), ...namesIn(added)];
      assert.deepEqual([...fields].sort(), listed.sort());
    });
  }

  test("every object of an answer has its row", () => {
    const rows = new Set([...FIELD_ROWS.map(({ of }) => of), ...OTHERS]);
    assert.deepEqual(
      venue.samples.names().filter((name) => !rows.has(name)),
      [],
    );
  });

  for (const { enumeration, sent, taken, words: listed, added = "", missing } of WORD_ROWS) {
    const words = added === "" ? listed : `${listed} ${added}`;
    test(`words of ${enumeration}`, async () => {
      const left = missingNames(missing).map(([name]) => name);
      for (const field of sent ?? []) {
        const found = [...venue.samples.texts(field)].sort();
        assert.ok(found.length > 0, `${field} has no word`);
        assert.deepEqual(
          found.filter((word) => !namesIn(words).includes(word)),
          [],
          field,
        );
      }
      if (sent !== undefined) {
        const found = new Set(sent.flatMap((field) => [...venue.samples.texts(field)]));
        assert.deepEqual([...found].sort(), namesIn(words).sort());
      }
      if (taken === undefined) return;
      const [request, parameter, others] = taken;
      for (const word of namesIn(words)) assert.notEqual(await codeOf(request, parameter, word), others, word);
      for (const word of [...left, "NO_SUCH"]) assert.equal(await codeOf(request, parameter, word), others, word);
    });
  }
});

suite("streams", () => {
  for (const name of [
    ...STREAM_ROWS.filter(({ isMissing }) => isMissing !== undefined).map((row) => row.name),
    ...RETIRED_STREAMS,
  ]) {
    test(`${name} is absent`, async () => {
      const socket = new WebSocket(`${exchange.ws}/ws/${name}`);
      const [code, reason] = (await once(socket, "close")) as [number, Buffer];
      assert.equal(code, 1008, `the stream exists: change its row`);
      assert.ok(String(reason).includes(name), String(reason));
    });
  }
});

suite("filters", () => {
  /** The names in the requests of operators are those of the types, in camel case. */
  const keyOf = (type: string): string =>
    type.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const path = `/v1/symbols/${FILTERED}/filters`;
  const set = async ({ filterType, fields, isOfExchange }: FilterRow): Promise<void> => {
    const [values] = filterType === "MAX_NUM_ORDERS" ? [{ limit: fields["maxNumOrders"] }] : [fields];
    const filters = { [keyOf(filterType.replace("EXCHANGE_", ""))]: values };
    await operate(exchange, "PUT", path, isOfExchange === true ? STEPS : { ...STEPS, ...filters });
    await operate(exchange, "PUT", "/v1/exchange-filters", isOfExchange === true ? filters : {});
  };
  const shown = async (): Promise<Fields[]> => {
    const { json } = await client.public<Info>("/api/v3/exchangeInfo", { symbol: FILTERED });
    return [...json.symbols.flatMap(({ filters }) => filters), ...json.exchangeFilters];
  };
  const cancelAll = (): Promise<unknown> => client.signed("DELETE", "/api/v3/openOrders", { symbol: FILTERED });
  before(async () => {
    await client.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL });
    for (const [side, by] of [
      ["SELL", client],
      ["BUY", venue.taker],
    ] as const) {
      await by.signed("POST", "/api/v3/order", order(side, { symbol: FILTERED, price: "2000", quantity: "0.1" }));
    }
  });
  after(async () => {
    await operate(exchange, "PUT", path, STEPS);
    await operate(exchange, "PUT", "/v1/exchange-filters", {});
  });

  for (const row of FILTER_ROWS) {
    const { filterType, fields, added = "", requests = [], isMissing } = row;
    test(filterType, async () => {
      if (isMissing !== undefined) {
        assert.ok(!ALL_FILTERS.includes(filterType), "the filter exists: change its row");
        return;
      }
      await set(row);
      const found = (await shown()).find((filter) => filter["filterType"] === filterType) ?? {};
      const names = ["filterType", ...Object.keys(fields), ...namesIn(added)];
      assert.deepEqual(Object.keys(found).sort(), names.sort());
      for (const [name, value] of Object.entries(fields)) assert.equal(found[name], value, name);
      for (const [i, [request, parameters]] of requests.entries()) {
        const [method = "", to = ""] = request.split(" ");
        const { status, json, text } = await client.signed<Fields>(method, `/api/v3/${to}`, parameters);
        const isLast = i === requests.length - 1;
        assert.equal(status, isLast ? 400 : 200, text);
        if (!isLast) continue;
        const code = filterType === "MAX_NUM_ORDER_AMENDS" ? -2038 : -1013;
        assert.deepEqual(json, { code, msg: `Filter failure: ${filterType}` });
      }
      await cancelAll();
    });
  }

  test("every filter has its row", () => {
    assert.deepEqual(
      ALL_FILTERS.filter((type) => !FILTER_ROWS.some(({ filterType }) => filterType === type)),
      [],
    );
  });
});

test("no answer or event shows the id of an order inside the exchange", () => {
  for (const name of venue.samples.names()) assertNoComposedId(JSON.stringify(venue.samples.of(name)), name);
});

let checkShutdown: () => void;

suite("behavior", () => {
  before(async () => {
    checkShutdown = await watchShutdown(venue);
  });
  for (const { rule, check } of BEHAVIOR_ROWS) test(rule, () => check(venue));
});

suite("errors", () => {
  const sent = errorTable("api");
  for (const { code, text, status = 400, ask, error, isMissing, instead } of ERROR_ROWS) {
    test(`${code} ${text}`, async () => {
      if (isMissing !== undefined) {
        const isKnown = error !== undefined || instead?.startsWith(`${code} `);
        assert.ok(isKnown || !sent.includes(`\`${text}\``), "the error exists: change its row");
        const isAlone = instead === undefined && ERROR_ROWS.every((row) => row.code !== code || row.text === text);
        assert.ok(!isAlone || !sent.includes(`| ${code} |`), "the code exists: change its row");
        if (ask === undefined) return assert.ok(sent.includes(/^-\d+ (.+)/.exec(instead ?? "")?.[1] ?? ""));
        const { status, json } = (await ask(venue)) as { status: number; json: { code?: number; msg: string } };
        if (json.code === undefined) assert.ok(status === 200 && !instead?.startsWith("-"));
        else assert.equal(`${json.code} ${json.msg}`, instead);
        return;
      }
      if (error !== undefined) {
        const worded = VENUE_INTERFACES.today.worded(error);
        assert.deepEqual([worded.code, worded.msg, worded.status], [code, text, status]);
        return;
      }
      assert.ok(ask !== undefined, "no request causes it");
      const answer = await ask(venue);
      assert.deepEqual(
        [answer.status, answer.json],
        [status, { code, msg: text, ...(DATA_OF[code] && { data: (answer.json as Fields)["data"] }) }],
      );
    });
  }
});

test(SHUTDOWN_RULE, async () => {
  await exchange.stop();
  checkShutdown();
});

/** Errors of two requests in one, which have the answers to both. */
const DATA_OF: Readonly<Record<number, true>> = { [-2021]: true, [-2022]: true };
type Fields = Readonly<Record<string, unknown>>;
interface Info {
  readonly exchangeFilters: Fields[];
  readonly symbols: readonly { readonly filters: readonly Fields[] }[];
}
const ALL_FILTERS: readonly string[] = [...SYMBOL_FILTERS, ...EXCHANGE_FILTERS].map(({ filterType }) => filterType);

/** Objects that other tables describe. */
const OTHERS = ["exchangeInfo.symbols.filters", "myFilters.symbolFilters", "symbol", "filters of a symbol"];

const PARAMETERS: Readonly<Record<string, Parameters>> = {
  "POST order/test": order("BUY"),
  "POST order/cancelReplace": {
    ...{ ...order("BUY", { price: "1" }), cancelOrderId: 999_999, cancelReplaceMode: "STOP_ON_FAILURE" },
  },
  "DELETE order": { symbol: SYMBOL, orderId: 999_999 },
  "GET klines": { symbol: SYMBOL },
  "GET ticker": { symbol: SYMBOL },
};

/** The code of the answer to a request whose parameter is this word; 200 if it is accepted. */
async function codeOf(request: string, parameter: string, word: string): Promise<number> {
  const [method = "", path = ""] = request.split(" ");
  const parameters = { ...PARAMETERS[request], [parameter]: word };
  const { status, json } = await (request.endsWith("test") || method !== "GET"
    ? client.signed<{ code?: number }>(method, `/api/v3/${path}`, parameters)
    : client.public<{ code?: number }>(`/api/v3/${path}`, parameters));
  return json.code ?? status;
}
