/** Lists as CSV: safe cells, all columns of all lists, and lists of many pages. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { csvLine } from "../../../src/api/answers/file-answers.ts";
import { TOKEN_HOLDER } from "../../../src/people/admin/operator.ts";
import { DEPRECATED_FIELDS } from "../../../src/people/admin/deprecated-names.ts";
import { LIST_LIMITS, listRoute } from "../../../src/people/admin/list-route.ts";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import { adminRoutes } from "../../../src/people/admin/server.ts";
import { placeOrder } from "@pricetime/testkit/commands";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { TOKEN } from "./running.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

/** Parses a file as in RFC 4180. */
function parted(text: string): string[][] {
  const lines: string[][] = [];
  let [line, cell, isQuoted]: [string[], string, boolean] = [[], "", false];
  for (let n = 0; n < text.length; n++) {
    const sign = text[n];
    if (isQuoted && sign === '"' && text[n + 1] === '"') cell += text[n++];
    else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted || (sign !== "," && sign !== "\r")) cell += sign;
    else {
      line.push(cell);
      cell = "";
      if (sign === ",") continue;
      assert.equal(text[++n], "\n");
      lines.push(line);
      line = [];
    }
  }
  assert.deepEqual([line, cell, isQuoted], [[], "", false], "the last line ends as the others do");
  return lines;
}

async function fileOf(path: string): Promise<{ readonly response: Response; readonly lines: string[][] }> {
  const response = await fetch(venue.admin.url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { response, lines: parted(text) };
}

test("formulas are escaped, numbers stay numbers, separators are quoted", () => {
  for (const [value, wanted] of [
    ["=1+1", "'=1+1"],
    ["+49 30", "'+49 30"],
    ["-x", "'-x"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", '"\'\tx"'],
    ["\rx", '"\'\rx"'],
    ["\n=1", '"\'\n=1"'],
    ["-1.50", "-1.50"],
    [-5, "-5"],
    [12n, "12"],
    ["--1", "'--1"],
    ["＝1+1", "'＝1+1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["-1-1", "'-1-1"],
    ['say "a, b"', '"say ""a, b"""'],
    ["a;=1", '"a;=1"'],
    ["two\nlines", '"two\nlines"'],
    [null, ""],
    [undefined, ""],
    [true, "true"],
    [["TRADE", "WITHDRAW"], "TRADE WITHDRAW"],
    [["=1", "x"], "'=1 x"],
    [[], ""],
    [{ a: 1 }, '"{""a"":1}"'],
  ] as const) {
    assert.equal(csvLine([value]), `${wanted}\r\n`, JSON.stringify(String(value)));
  }
  assert.equal(csvLine(["a", 1, ""]), "a,1,\r\n");
});

test("user-supplied names cannot become formulas", async () => {
  const evil = '=HYPERLINK("http://evil.example","x")';
  await venue.wanted(201, "POST", "/v1/accounts", { email: "e@example.com", name: evil });
  const { lines, response } = await fileOf("/v1/accounts?format=csv");
  assert.equal(response.headers.get("content-type"), "text/csv;charset=UTF-8");
  assert.equal(response.headers.get("content-disposition"), 'attachment; filename="accounts.csv"');
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.deepEqual(
    lines.map(([accountId, email, name]) => [accountId, email, name]),
    [
      ["accountId", "email", "name"],
      ["100", "a@example.com", "A"],
      ["101", "e@example.com", `'${evil}`],
    ],
  );
});

test("a file has the whole list, or with a limit one page; an error stays an error", async () => {
  for (let n = 0; n < 1203; n++) {
    await venue.run({
      ...{ type: "openAccount", email: `m${n}@example.com`, name: "M", makerBps: 0, takerBps: 0, by: "test" },
    });
  }
  const numbers = async (query: string): Promise<number[]> =>
    (await fileOf(`/v1/accounts?format=csv${query}`)).lines.slice(1).map(([accountId]) => Number(accountId));
  const all = await numbers("");
  assert.deepEqual(
    all,
    Array.from({ length: 1204 }, (_, n) => 100 + n),
  );
  assert.deepEqual(await numbers("&after=1300"), [1301, 1302, 1303]);
  assert.deepEqual(await numbers("&limit=2&after=200"), [201, 202]);
  assert.equal((await fileOf("/v1/audit-log?format=csv")).lines.length, 1 + 3 + 1203);
  assert.equal((await venue.admin.call("GET", "/v1/accounts?format=xml")).status, 400);
  assert.equal((await venue.admin.call("GET", "/v1/audit-log?format=csv&account=none")).status, 404);
});

test("every JSON field of a list is a CSV column", async () => {
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CASH", name: "Cash" });
  await venue.wanted(201, "POST", "/v1/symbols", {
    symbol: "CC",
    baseAsset: "COIN",
    quoteAsset: "CASH",
    acceptRounding: true,
  });
  await venue.wanted(201, "POST", "/v1/accounts", { email: "s@example.com", name: "S", master: 100 });
  await venue.openedBefore("Carl@example.com", "carl@example.com");
  await venue.wanted(201, "POST", "/v1/accounts/100/keys", {});
  await venue.wanted(200, "PUT", "/v1/accounts/100/fees/CC", { makerBps: 1, takerBps: 1 });
  await venue.wanted(201, "POST", "/v1/accounts/100/addresses", { network: "HAND", address: "somewhereelse1234" });
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", account: 100 };
  await venue.wanted(201, "POST", "/v1/networks/HAND/deposits", coin);
  await venue.wanted(201, "POST", "/v1/deposits", { account: "treasury", asset: "COIN", amount: "1", reference: "r" });
  await venue.withdraw("6");
  const order = { accountId: 100, symbolId: 0, priceTicks: 100, quantityLots: 100_000_000, clientOrderId: "o" };
  await venue.run(placeOrder({ ...order, side: "SELL" }));
  await venue.wanted(201, "POST", "/v1/operators", { name: "ada", email: "ada@example.com", role: "admin" });
  await venue.wanted(201, "POST", "/v1/accounts/100/invitation");
  await venue.openSession();
  const act = { type: "approveWithdrawal", by: "operator:ada", withdrawalId: "0".repeat(32) } as const;
  await venue.run({ type: "propose", by: act.by, proposalId: "0".repeat(32), act, why: "so" });
  await venue.wanted(201, "POST", "/v1/accounts/100/notes", { text: "a note" });
  const stray = { txId: "tx-2", address: "hand-9", asset: "COIN", amount: "1" };
  await venue.wanted(201, "POST", "/v1/networks/HAND/unattributed-deposits", stray);
  await venue.wanted(200, "PUT", "/v1/suspensions/asset:COIN", { why: "a drill" });
  await venue.run({ type: "openOperator", by: "dora", name: "bea", email: "bea@example.com", role: "admin" });
  const adjust = {
    type: "adjust",
    by: act.by,
    accountId: 100,
    asset: "COIN",
    direction: "credit",
    amount: "0.5",
  } as const;
  const why = { house: "treasury", category: "other", why: "so", reference: "ticket" } as const;
  const proposalId = "1".repeat(32);
  await venue.run({ type: "propose", by: act.by, proposalId, act: { ...adjust, ...why }, why: "so" });
  await venue.run({ type: "approveProposal", by: "operator:bea", proposalId, version: 1 });
  const empty: string[] = [];
  for (const { pattern, columns } of adminRoutes({} as AdminNode)) {
    if (columns === undefined || NOT_IN_MEMORY.has(pattern)) continue;
    const path = pattern.replace(":account", "100").replace(":symbol", "CC");
    const found = await venue.wanted(200, "GET", path);
    const rows = (Array.isArray(found) ? found : Object.values(found).find(Array.isArray)) as object[];
    if (rows.length === 0) empty.push(path);
    for (const row of rows) {
      const missing: string[] = Object.keys(row).filter((key) => !columns.includes(key) && !DEPRECATED.has(key));
      assert.deepEqual(missing, [], path);
    }
    const { lines } = await fileOf(`${path}?format=csv`);
    assert.deepEqual(lines[0], columns, path);
    assert.equal(lines.length, rows.length + 1, path);
    for (const line of lines) assert.equal(line.length, columns.length, path);
  }
  const untraded = ["markets", "accounts", "assets"].map((name) => `/v1/reports/${name}`);
  assert.deepEqual(
    empty.sort(),
    ["/v1/emails", "/v1/withdrawal-history", ...untraded].sort(),
    "a list without rows shows nothing of its keys",
  );
});

const AS_FILE = {
  ...{ path: {}, search: new URLSearchParams("format=csv"), body: undefined, by: "test", caller: TOKEN_HOLDER },
};

test("a file is truncated if its list cannot be read to the end", async () => {
  const { handle } = listRoute({
    ...{ pattern: "/v1/things", summary: "Things.", columns: ["id"] },
    page: () => ({ rows: [{ id: 1 }], fault: "the rest is gone" }),
  });
  const { stream } = await handle(AS_FILE);
  assert.ok(stream !== undefined);
  let text = "";
  await assert.rejects(async () => {
    for await (const piece of stream) text += Buffer.from(piece).toString();
  }, /the rest is gone/);
  assert.equal(text, "id\r\n1\r\n");
});

test("a file has a row limit, and a longer list is truncated", async () => {
  const rows = Array.from({ length: LIST_LIMITS.maxFileRows / 4 }, () => ({ id: 1 }));
  const { handle } = listRoute({
    ...{ pattern: "/v1/things", summary: "Things.", columns: ["id"] },
    page: () => ({ rows, next: {} }),
  });
  const { stream } = await handle(AS_FILE);
  assert.ok(stream !== undefined);
  let bytes = 0;
  await assert.rejects(async () => {
    for await (const piece of stream) bytes += piece.length;
  }, /more than 1000000 rows/);
  assert.equal(bytes, "id\r\n".length + "1\r\n".length * LIST_LIMITS.maxFileRows);
});

/** Deprecated field names, which files leave out. */
const DEPRECATED: ReadonlySet<string> = new Set(Object.values(DEPRECATED_FIELDS));

/** Lists that are read from a journal on disk. */
const NOT_IN_MEMORY: ReadonlySet<string> = new Set([
  "/v1/treasury",
  "/v1/proofs",
  "/v1/proofs/:seq/reserves",
  "/v1/journal/entries",
]);

test("concurrent files are limited, and a slot is freed when a reader disconnects or a request fails", async () => {
  const { sequencer, url } = venue.admin;
  for (let from = 0; from < 60_000; from += 2000) {
    const opened = Array.from({ length: 2000 }, (_, n) =>
      sequencer.run({
        ...{ type: "openAccount", email: `u${from + n}@example.com`, name: "N".repeat(250), by: "dora" },
        ...{ makerBps: 1, takerBps: 1 },
      }),
    );
    await Promise.all(opened);
  }
  const headers = { authorization: `Bearer ${TOKEN}` };
  const ask = (path: string, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${url}${path}`, { headers, signal });
  for (let n = 0; n <= LIST_LIMITS.maxFiles; n++) {
    const refused = await ask("/v1/accounts/nobody/keys?format=csv");
    assert.equal(refused.status, 404, await refused.text());
  }
  const reading = new AbortController();
  // Each is larger than the socket buffers, so it does not end before it is read.
  const files = await Promise.all(
    Array.from({ length: LIST_LIMITS.maxFiles }, () => ask("/v1/accounts?format=csv", reading.signal)),
  );
  assert.ok(files.every(({ status }) => status === 200));
  const another = await ask("/v1/assets?format=csv");
  assert.deepEqual([another.status, ((await another.json()) as { error: string }).error], [503, "BUSY"]);
  assert.equal((await ask("/v1/assets")).status, 200);
  reading.abort();
  const isFree = async (): Promise<boolean> => (await ask("/v1/assets?format=csv")).status === 200;
  await untilAnswer("a place is free", isFree, (free) => free, { withinMs: 10_000, everyMs: 50 });
  for (let n = 0; n <= LIST_LIMITS.maxFiles; n++) {
    const whole = await ask("/v1/assets?format=csv");
    assert.equal(whole.status, 200);
    await whole.text();
  }
});
