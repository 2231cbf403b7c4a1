/** Operators' lookups: search, an account's timeline, and signals for reviewing a withdrawal. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { placeOrder } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { TOKEN_HOLDER } from "../../../src/people/admin/operator.ts";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import { searchRoutes } from "../../../src/people/admin/search-routes.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly accountId: number | null;
  readonly email: string | null;
}

async function search(text: string, more = ""): Promise<string[]> {
  const { hits } = await venue.wanted(200, "GET", `/v1/search?text=${encodeURIComponent(text)}${more}`);
  return (hits as Hit[]).map(({ kind, id, accountId, email }) => [kind, id, accountId, email].join(" "));
}

/** COIN in CASH: account 100 sells three at 2, and 101 buys one of them. */
async function trade(): Promise<void> {
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CASH", name: "Cash" });
  await venue.wanted(201, "POST", "/v1/symbols", {
    symbol: "COINCASH",
    baseAsset: "COIN",
    quoteAsset: "CASH",
    acceptRounding: true,
  });
  await venue.wanted(201, "POST", "/v1/accounts", { email: "bob@example.com", name: "Bob Brown" });
  await venue.wanted(201, "POST", "/v1/deposits", { account: 101, asset: "CASH", amount: "50", reference: "r" });
  const order = { symbolId: 0, priceTicks: 200_000_000, quantityLots: 300_000_000 };
  await venue.run(placeOrder({ ...order, accountId: 100, side: "SELL", clientOrderId: "mine-1" }));
  await venue.run(
    placeOrder({ ...order, accountId: 101, side: "BUY", quantityLots: 100_000_000, clientOrderId: "his-1" }),
  );
}

test("one search finds accounts, keys, orders, trades, transfers, addresses and audit entries, with their accounts", async () => {
  await trade();
  assert.deepEqual((await search("101"))[0], "account 101 101 bob@example.com");
  assert.deepEqual(await search("bob@example.com"), ["account 101 101 bob@example.com"]);
  assert.deepEqual(await search("brown"), ["account 101 101 bob@example.com"]);
  assert.deepEqual(await search("EXAMPLE.com"), ["account 100 100 a@example.com", "account 101 101 bob@example.com"]);
  assert.deepEqual(await search("EXAMPLE.com", "&limit=1"), ["account 100 100 a@example.com"]);
  const cut = await venue.wanted(200, "GET", "/v1/search?text=EXAMPLE.com&limit=1");
  assert.equal(cut["isCut"], true);
  assert.deepEqual(await search("mine-1"), ["order 1 100 a@example.com"]);
  assert.deepEqual(await search("coincash"), ["symbol COINCASH  "]);
  assert.deepEqual(await search(" coin "), ["asset COIN  "]);
  const one = await search("1");
  assert.ok(one.includes("order 1 100 a@example.com") && one.includes("trade 1  "), one.join());

  const { apiKey } = await venue.wanted(201, "POST", "/v1/accounts/101/keys", {});
  assert.deepEqual(await search(String(apiKey)), ["apiKey " + String(apiKey) + " 101 bob@example.com"]);
  const { address } = await venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "SAND" });
  const coin = { txId: "tx-77", asset: "COIN", amount: "3", account: 100, status: "success" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  assert.deepEqual(await search(String(address)), [`depositAddress ${String(address)} 100 a@example.com`]);
  assert.deepEqual(await search("tx-77"), ["deposit 1 100 a@example.com"]);
  const booked = { network: "HAND", address: "booked1234", name: "cold" };
  await venue.wanted(201, "POST", "/v1/accounts/101/addresses", booked);
  await venue.wanted(201, "POST", "/v1/accounts/100/addresses", booked);
  assert.deepEqual(await search("booked1234"), [
    "bookAddress booked1234 101 bob@example.com",
    "bookAddress booked1234 100 a@example.com",
  ]);
  assert.deepEqual(await search("booked1234", "&limit=1"), ["bookAddress booked1234 101 bob@example.com"]);
  assert.deepEqual(await search("booked"), []);
  const id = await venue.withdraw("2");
  assert.deepEqual(await search(id), [`withdrawal ${id} 100 a@example.com`]);
  assert.deepEqual(await search("somewhereelse1234"), [`withdrawal ${id} 100 a@example.com`]);
  const [act] = (await venue.rows("/v1/audit-log?limit=1")) as { seq: number; type: string }[];
  assert.ok((await search(`#${act?.seq}`)).some((hit) => hit.startsWith(`action ${act?.seq} `)));
  const stray = { txId: "stray-1", output: 2, asset: "GOLD", amount: "7", address: "nobodys-address" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/unattributed-deposits", stray);
  const [noted] = await venue.rows("/v1/unattributed-deposits");
  for (const text of ["stray-1", "stray-1:2", "nobodys-address", `#${String(noted?.["seq"])}`]) {
    assert.deepEqual((await search(text))[0], "unattributedDeposit stray-1:2  ", text);
  }
  assert.deepEqual(await search("stray-1:1"), []);
  assert.deepEqual(await search("nothing of the kind"), []);
  for (const query of ["", "?text=", "?text=%20", "?text=x&limit=101", `?text=${"x".repeat(257)}`]) {
    await venue.wanted(400, "GET", `/v1/search${query}`);
  }
});

test("a search through many accounts yields to other work and stops at its limit", async () => {
  const { sequencer, engine } = venue.admin;
  const name = (n: number): string => (n >= 19_990 ? `Zebedee ${n}` : `N ${n}`);
  const open = (n: number): Promise<unknown> =>
    sequencer.run({
      ...{ type: "openAccount", email: `u${n}@example.com`, name: name(n), makerBps: 1, takerBps: 1, by: "dora" },
    });
  for (let from = 0; from < 20_050; from += 1000) {
    await Promise.all(Array.from({ length: 1000 }, (_, n) => open(from + n)));
  }
  const found = await search("zebed", "&limit=100");
  // The first is account 100, which already existed.
  assert.equal(found[0], "account 20091 20091 u19990@example.com");
  assert.equal(found.length, 9);
  let turns = 0;
  const world = {
    soon: (task: () => void) => {
      turns++;
      setImmediate(task);
    },
  };
  const node = { view: engine, world, history: { query: async () => [] } } as unknown as AdminNode;
  const [route] = searchRoutes(node);
  await route?.handle({
    path: {},
    search: new URLSearchParams({ text: "zebed" }),
    body: undefined,
    by: "dora",
    caller: TOKEN_HOLDER,
  });
  assert.ok(turns >= 10, String(turns));
});

interface TimeLine {
  readonly rows: readonly Record<string, unknown>[];
  readonly before: string | null;
}
const timeLine = async (query = "", account = "100"): Promise<TimeLine> =>
  (await venue.wanted(200, "GET", `/v1/accounts/${account}/timeline${query}`)) as unknown as TimeLine;
const whats = ({ rows }: TimeLine): string[] => rows.map(({ kind, what }) => `${String(kind)} ${String(what)}`);

test("a timeline merges orders, trades, transfers, keys and operator commands, in pages", async () => {
  await trade();
  const { apiKey } = await venue.wanted(201, "POST", "/v1/accounts/100/keys", {});
  const id = await venue.withdraw("6");
  await venue.wanted(200, "POST", `/v1/withdrawals/${id}/approve`);
  await venue.wanted(200, "DELETE", `/v1/keys/${String(apiKey)}`);
  const line = await timeLine();
  assert.deepEqual(whats(line).toSorted(), [
    "action approveWithdrawal",
    "action deposit",
    "action openAccount",
    "key createApiKey",
    "key deleteApiKey",
    "money withdrawal",
    "order order",
    "trade maker",
  ]);
  assert.equal(line.before, null);
  const times = line.rows.map(({ timeMs }) => Number(timeMs));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
  const [order] = (await timeLine("?kind=order")).rows;
  assert.deepEqual(
    [order?.["symbol"], order?.["side"], order?.["status"], order?.["price"], order?.["quantity"], order?.["executed"]],
    ["COINCASH", "SELL", "PARTIALLY_FILLED", "2.00000000", "3.00000000", "1.00000000"],
  );
  const [sold] = (await timeLine("?kind=trade")).rows;
  assert.deepEqual(
    [sold?.["side"], sold?.["price"], sold?.["quantity"], sold?.["commissionAsset"], sold?.["orderId"]],
    ["SELL", "2.00000000", "1.00000000", "CASH", 1],
  );
  const [bought] = (await timeLine("?kind=trade", "101")).rows;
  assert.deepEqual([bought?.["side"], bought?.["what"], bought?.["commissionAsset"]], ["BUY", "taker", "COIN"]);
  const [out] = (await timeLine("?kind=money")).rows;
  assert.deepEqual(
    [out?.["id"], out?.["asset"], out?.["network"], out?.["status"], out?.["address"]],
    [id, "COIN", "HAND", "processing", "somewhereelse1234"],
  );
  assert.deepEqual(whats(await timeLine("?kind=key,trade")).toSorted(), [
    "key createApiKey",
    "key deleteApiKey",
    "trade maker",
  ]);
  const paged: string[] = [];
  for (let query = "?limit=3"; ; ) {
    const page = await timeLine(query);
    paged.push(...whats(page));
    if (page.before === null) break;
    query = `?limit=3&before=${page.before}`;
  }
  assert.deepEqual(paged, whats(line));
  assert.doesNotMatch(JSON.stringify(line), /sealed|s1\./);
  for (const query of ["?kind=orders", "?before=5", "?limit=201", "?before=1.1.1"]) {
    await venue.wanted(400, "GET", `/v1/accounts/100/timeline${query}`);
  }
  await venue.wanted(404, "GET", "/v1/accounts/nobody/timeline");
});

test("open orders of an account as decimals", async () => {
  await trade();
  const orders = await venue.rows("/v1/accounts/100/open-orders");
  const [order] = orders;
  assert.deepEqual([orders.length, order?.["orderId"], order?.["clientOrderId"]], [1, 1, "mine-1"]);
  assert.deepEqual(
    [order?.["price"], order?.["quantity"], order?.["executed"]],
    ["2.00000000", "3.00000000", "1.00000000"],
  );
  assert.deepEqual(await venue.rows("/v1/accounts/101/open-orders"), []);
  assert.deepEqual(await venue.rows("/v1/accounts/100/open-orders?symbol=COINCASH&after=1"), []);
  await venue.wanted(404, "GET", "/v1/accounts/100/open-orders?symbol=NONE");
  // Account 100 sells on two symbols in turn at rising prices; pages go by order id across both.
  const filters = { priceFilter: { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" } };
  await venue.wanted(201, "POST", "/v1/symbols", {
    ...{ symbol: "COINCASH2", baseAsset: "COIN", quoteAsset: "CASH", filters, acceptRounding: true },
  });
  for (let n = 0; n < 9; n++) {
    const price = { priceTicks: 500_000_000 - n * 1_000_000, quantityLots: 1_000_000 };
    const clientOrderId = `n-${n}`;
    await venue.run(placeOrder({ ...price, accountId: 100, symbolId: n % 2, side: "SELL", clientOrderId }));
  }
  const told: unknown[] = [];
  for (let after: unknown = 0; ; ) {
    const page = await venue.rows(`/v1/accounts/100/open-orders?limit=4&after=${String(after)}`);
    told.push(...page.map(({ orderId, clientOrderId }) => `${String(orderId)} ${String(clientOrderId)}`));
    if (page.length < 4) break;
    after = page.at(-1)?.["orderId"];
  }
  assert.deepEqual(told, ["1 mine-1", ...Array.from({ length: 9 }, (_, n) => `${n + 3} n-${n}`)]);
});

test("the signals for reviewing a withdrawal, and when they end", async () => {
  const marks = async (id: string, more = ""): Promise<unknown> =>
    (await venue.rows(`/v1/withdrawal-risks?withdrawal=${id}${more}`))[0]?.["marks"];
  const first = await venue.withdraw("6");
  assert.deepEqual(await marks(first), ["NEW_ADDRESS", "FIRST_WITHDRAWAL", "YOUNG_ACCOUNT"]);
  assert.deepEqual(await marks(first, "&youngMs=0"), ["NEW_ADDRESS", "FIRST_WITHDRAWAL"]);
  await venue.wanted(200, "POST", `/v1/withdrawals/${first}/approve`);
  await venue.wanted(200, "POST", `/v1/withdrawals/${first}/complete`, { txId: "slip-1" });
  await until("it is over", () => venue.admin.engine.funds.withdrawal(first) === undefined);
  assert.deepEqual(await venue.rows(`/v1/withdrawal-risks?withdrawal=${first}`), []);
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", account: 100, status: "success" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  const again = await venue.withdraw("1");
  assert.deepEqual(await marks(again), ["YOUNG_DEPOSIT", "YOUNG_ACCOUNT"]);
  await venue.wanted(201, "POST", "/v1/accounts/100/addresses", { network: "HAND", address: "somewhereelse1234" });
  const all = await venue.rows("/v1/withdrawal-risks");
  assert.deepEqual(
    all.map(({ withdrawalId, completedBefore, completedToAddress, isOnAddressList, email, amount }) => {
      return [withdrawalId, completedBefore, completedToAddress, isOnAddressList, email, amount];
    }),
    [[again, 1, 1, true, "a@example.com", "1.00000000"]],
  );
  assert.ok(Number(all[0]?.["waitingMs"]) >= 0 && Number(all[0]?.["newestDepositAgeMs"]) >= 0);
  await venue.wanted(400, "GET", "/v1/withdrawal-risks?youngMs=-1");
});

test("all waiting withdrawals are listed in pages, also when one is completed meanwhile", async () => {
  const gift = { account: 100, asset: "COIN", amount: "1000", reference: "more" };
  await venue.wanted(201, "POST", "/v1/deposits", gift);
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.push(await venue.withdraw("6"));
  const told: string[] = [];
  for (let more = ""; ; ) {
    const rows = await venue.rows(`/v1/withdrawal-risks?limit=3${more}`);
    told.push(...rows.map(({ withdrawalId }) => String(withdrawalId)));
    const last = rows.at(-1);
    if (last === undefined) break;
    if (told.length === 3) {
      await venue.wanted(200, "POST", `/v1/withdrawals/${String(last["withdrawalId"])}/reject`, { why: "no" });
    }
    more = `&after=${String(last["applyTimeMs"])}.${String(last["withdrawalId"])}`;
  }
  assert.deepEqual(told, ids);
  for (const after of ["", "5", ".x", "x.y"]) await venue.wanted(400, "GET", `/v1/withdrawal-risks?after=${after}`);
});
