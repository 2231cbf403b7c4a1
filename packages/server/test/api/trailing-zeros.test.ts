/**
 * Trailing zeros do not count as precision at any endpoint, by REST and by the WebSocket API, because clients send back
 * what the exchange prints, which has eight decimals for every asset.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ENDPOINTS, METHODS, type KnownEndpoint } from "@pricetime/protocol";
import { hmacKey } from "@pricetime/testkit/client";
import { assertRefused, type TestVenue } from "@pricetime/testkit/gateway-venue";
import { ApiVenue } from "./ws/api-venue.ts";
import { WalletVenue } from "./wallet/wallet-venue.ts";

type Values = Readonly<Record<string, string>>;

/** What each endpoint with decimals needs to succeed. KRW has 2 decimals, XRP 6. */
const ORDER: Values = { symbol: "BTCKRW", side: "SELL", newClientOrderId: "own" };
const LIMIT: Values = { ...ORDER, type: "LIMIT", timeInForce: "GTC", quantity: "0.5", price: "31000.5" };
const STOP: Values = { ...LIMIT, type: "STOP_LOSS_LIMIT", stopPrice: "20000" };
const MARKET: Values = { ...ORDER, type: "MARKET", side: "BUY" };
const LIST: Values = { symbol: "BTCKRW", side: "SELL", quantity: "5", listClientOrderId: "list" };
const OCO: Values = { ...LIST, price: "40000", stopPrice: "20000", limitClientOrderId: "l", stopClientOrderId: "s" };
const OCO_LIMIT: Values = { ...OCO, stopLimitPrice: "19000", stopLimitTimeInForce: "GTC" };
const PAIR: Values = {
  ...{ ...LIST, aboveType: "LIMIT_MAKER", abovePrice: "40000", aboveClientOrderId: "a" },
  ...{ belowType: "STOP_LOSS_LIMIT", belowStopPrice: "20000", belowPrice: "19000", belowTimeInForce: "GTC" },
  belowClientOrderId: "b",
};
const TAKE: Values = { ...PAIR, aboveType: "TAKE_PROFIT_LIMIT", aboveStopPrice: "41000", aboveTimeInForce: "GTC" };
const WORKING: Values = {
  ...{ symbol: "BTCKRW", listClientOrderId: "list", workingType: "LIMIT", workingTimeInForce: "GTC" },
  ...{
    workingSide: "BUY",
    workingQuantity: "5",
    workingPrice: "25000",
    workingClientOrderId: "w",
    pendingSide: "SELL",
  },
};
const PENDING: Values = {
  ...{ ...WORKING, pendingType: "STOP_LOSS_LIMIT", pendingStopPrice: "20000", pendingPrice: "19000" },
  ...{ pendingTimeInForce: "GTC", pendingClientOrderId: "p" },
};
const PENDING_PAIR: Values = {
  ...{ ...WORKING, pendingAboveType: "TAKE_PROFIT_LIMIT", pendingAboveStopPrice: "41000", pendingAbovePrice: "40000" },
  ...{ pendingAboveTimeInForce: "GTC", pendingAboveClientOrderId: "a", pendingBelowType: "STOP_LOSS_LIMIT" },
  ...{ pendingBelowStopPrice: "20000", pendingBelowPrice: "19000", pendingBelowTimeInForce: "GTC" },
  pendingBelowClientOrderId: "b",
};
const REPLACE: Values = { cancelReplaceMode: "STOP_ON_FAILURE", cancelOrigClientOrderId: "old" };

const PLACES: Readonly<Record<string, (name: string) => Values>> = {
  "order.place": orderWith,
  "order.test": orderWith,
  "order.cancelReplace": (name) => ({ ...REPLACE, ...orderWith(name) }),
  "order.amend.keepPriority": () => ({ symbol: "BTCKRW", origClientOrderId: "old" }),
  "orderList.place": (name) => (/^stop(Limit|Iceberg)/.test(name) ? OCO_LIMIT : OCO),
  "orderList.place.oco": (name) => (name === "aboveStopPrice" ? TAKE : PAIR),
  "orderList.place.oto": () => ({ ...PENDING, pendingQuantity: "5" }),
  "orderList.place.otoco": () => ({ ...PENDING_PAIR, pendingQuantity: "5" }),
  "orderList.place.opo": () => PENDING,
  "orderList.place.opoco": () => PENDING_PAIR,
  "wapi.withdraw": () => ({ asset: "XRP", address: "abc", amount: "1" }),
  "capital.withdraw": () => ({ coin: "XRP", address: "abc", amount: "1" }),
  "wapi.subAccountTransfer": () => ({ fromEmail: "trader@example.org", toEmail: "sub@example.org", asset: "KRW" }),
  "subAccount.transfer": () => ({ toEmail: "sub@example.org", asset: "KRW", ...SPOT }),
};
const SPOT: Values = { fromAccountType: "SPOT", toAccountType: "SPOT" };

function orderWith(name: string): Values {
  if (name === "quoteOrderQty") return MARKET;
  if (name === "stopPrice") return STOP;
  if (name === "icebergQty") return { ...LIMIT, quantity: "5" };
  return LIMIT;
}

/** Enough that each parameter meets a price at which its order is accepted. */
const RUNS_A_NAME = 12;
const MOST_PLACES = 20;
const text = fc
  .tuple(fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 40_000 })), fc.stringMatching(/^([0-9]{0,8}[1-9])?$/))
  .map(([whole, part]) => (part === "" ? String(whole) : `${whole}.${part}`));

function padded(plain: string, count: number): string {
  const places = plain.split(".")[1]?.length ?? 0;
  const more = Math.min(count, MOST_PLACES - places);
  return more === 0 ? plain : `${plain}${places === 0 ? "." : ""}${"0".repeat(more)}`;
}

function decimalsOf(endpoint: KnownEndpoint): string[] {
  return endpoint.parameters.filter(({ kind }) => kind === "decimal").map(({ name }) => name);
}

interface Entrance {
  readonly name: string;
  /** Sends a value, and returns the outcome without generated ids. */
  send(value: string): Promise<string>;
}

const withoutIds = (body: string): string =>
  body.replaceAll(/[0-9a-f]{32}/g, "ID").replaceAll(/"[A-Za-z0-9]{22}"/g, '"ID"');

/**
 * Runs the same requests on twin exchanges, one with trailing zeros. Each parameter succeeds, and has too many
 * decimals, at least once.
 */
async function compare(open: () => Promise<Entrance[]>): Promise<void> {
  const [plain, longer] = [await open(), await open()];
  const names = plain.map(({ name }) => name);
  const done = new Set<string>();
  const tooFine = new Set<string>();
  const compareOne = async (at: number, value: string, count: number): Promise<void> => {
    const outcome = await plain[at]?.send(value);
    assert.equal(await longer[at]?.send(padded(value, count)), outcome, `${names[at]} ${padded(value, count)}`);
    if (outcome?.startsWith("200 ") === true && !outcome.includes('"success":false')) done.add(names[at] ?? "");
    if (outcome?.includes("-1111") === true) tooFine.add(names[at] ?? "");
  };
  for (const at of names.keys()) {
    for (const value of ["1", "40000", "0.123456789"]) await compareOne(at, value, 8);
  }
  await fc.assert(fc.asyncProperty(fc.nat({ max: names.length - 1 }), text, fc.nat({ max: MOST_PLACES }), compareOne), {
    numRuns: RUNS_A_NAME * names.length,
  });
  assert.deepEqual(
    names.filter((name) => !done.has(name)),
    [],
    "each succeeded",
  );
  assert.deepEqual(
    names.filter((name) => !tooFine.has(name)),
    [],
    "each got -1111 for digits that are not zero",
  );
}

/** Cancels what a request has placed, and places the order that cancelReplace cancels. */
async function renew(venue: TestVenue): Promise<void> {
  await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCKRW" });
  const old = { symbol: "BTCKRW", price: 1, quantity: 2, newClientOrderId: "old" };
  assert.equal((await venue.order(old)).status, 200);
}

async function offerAll(venue: TestVenue): Promise<void> {
  const offer = { symbol: "BTCKRW", side: "SELL", quantity: "90", price: "31000.50000000" };
  assert.equal((await venue.order(offer, { key: venue.maker })).status, 200);
  await renew(venue);
}

test("REST, wapi and sapi: a decimal with and without trailing zeros have equal outcomes", async () => {
  await compare(async () => {
    const venue = new WalletVenue();
    await offerAll(venue);
    return ENDPOINTS.flatMap((endpoint) =>
      decimalsOf(endpoint).map((name) => ({
        name: `${endpoint.id} ${name}`,
        send: async (value: string) => {
          const parameters = { ...PLACES[endpoint.id]?.(name), [name]: value };
          const { method, paths } = endpoint;
          const { status, body } = await venue.signed(method, paths[0] ?? "", parameters, { key: venue.all });
          await renew(venue);
          return `${status} ${withoutIds(body)}`;
        },
      })),
    );
  });
});

test("WebSocket API: a decimal with and without trailing zeros have equal outcomes", async () => {
  const venues: ApiVenue[] = [];
  try {
    await compare(async () => {
      const api = new ApiVenue();
      venues.push(api);
      await api.listen();
      await offerAll(api.venue);
      const client = await api.connect();
      const { apiKey, secretKey } = api.venue.trader;
      return METHODS.flatMap((endpoint) =>
        decimalsOf(endpoint).map((name) => ({
          name: `${endpoint.id} ${name}`,
          send: async (value: string) => {
            const parameters = { ...PLACES[endpoint.id]?.(name), [name]: value };
            const answer = await client.signed(endpoint.id, hmacKey({ apiKey, secretKey }), parameters);
            await renew(api.venue);
            return `${answer.status} ${withoutIds(JSON.stringify(answer.result ?? answer.error))}`;
          },
        })),
      );
    });
  } finally {
    for (const api of venues) await api.close();
  }
});

test("values printed by depth and the account are accepted", async () => {
  const venue = new WalletVenue();
  await offerAll(venue);
  const [[price]] = (await venue.public("/api/v3/depth", { symbol: "BTCKRW" })).json.asks;
  assert.equal(price, "31000.50000000");
  assert.equal((await venue.order({ symbol: "BTCKRW", price, quantity: "0.10000000" })).json.status, "FILLED");
  const taken = await venue.withdraw({ asset: "XRP", address: "abc", amount: "20.00000000" });
  assert.equal(taken.json.success, true, taken.body);
  assertRefused(await venue.order({ symbol: "BTCKRW", price: "31000.50100000", quantity: 1 }), 400, -1111);
  assertRefused(await venue.order({ symbol: "BTCKRW", price: `31000.5${"0".repeat(20)}`, quantity: 1 }), 400, -1100);
});
