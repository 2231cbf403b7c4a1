/** Operators' queries of the history: complete time lines, and owners, compared with the tables themselves. */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { placeList, placeOrder } from "@pricetime/testkit/commands";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import fc from "fast-check";
import { TIME_LINE_KINDS, type TimeLineKind, type TimeLinePlace, type TimeLineRow } from "../../src/history/port.ts";
import { ACT_LINES, ACT_TIMES, MONEY_TABLES } from "../../src/history/reading/time-line-lists.ts";
import type { Query } from "../../src/history/reading/queries.ts";
import { FINDS } from "../../src/history/reading/find-queries.ts";
import { ORDER_LINE, TRADE_LINE } from "../../src/history/reading/time-line-queries.ts";
import { WITHDRAWAL_PASTS } from "../../src/history/reading/operator-queries.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";
import { walletFlow } from "./wallet-flow.ts";

const BUY = placeOrder({ accountId: 100, side: "BUY", priceTicks: 3_000_000, quantityLots: 5 });
const OPO = placeList("OPO", BUY, { ...BUY, side: "SELL", quantityLots: 0, clientOrderId: "pending" });
const trading = rebuiltHistory(batchesOf(31, [...randomFlow(31, 1_500), OPO]));
const money = rebuiltHistory(batchesOf(8, walletFlow(5, 3_000)));
const EVERYTHING = { kinds: TIME_LINE_KINDS, limit: 1_000_000 };

const rows = (database: DatabaseSync, sql: string, ...values: readonly (string | number)[]): Record<string, never>[] =>
  database.prepare(sql).all(...values) as Record<string, never>[];
const count = (database: DatabaseSync, from: string, ...values: readonly (string | number)[]): number =>
  Number(rows(database, `SELECT count(*) AS n FROM ${from}`, ...values)[0]?.["n"]);

function idsOf(line: readonly TimeLineRow[], kind: string, what?: string): unknown[] {
  return line.filter((row) => row.kind === kind && (what === undefined || row.what === what)).map(({ id }) => id);
}

test("a time line has everything that the tables have of an account, each once, newest first", () => {
  for (const { database, query } of [trading, money]) {
    for (const accountId of [100, 101, 102, 103, 999]) {
      const { rows: line } = query("timeLine", { accountId, ...EVERYTHING });
      for (const [n, row] of line.entries()) assert.ok(n === 0 || row.timeMs <= (line[n - 1] as TimeLineRow).timeMs);
      const own = (table: string): number => count(database, `${table} WHERE account_id = ?`, accountId);
      assert.equal(new Set(idsOf(line, "order")).size, own("orders"));
      assert.equal(idsOf(line, "order").length, own("orders"));
      const sides = "trades WHERE taker_account_id = ?1 OR maker_account_id = ?1";
      assert.equal(idsOf(line, "trade").length, count(database, sides, accountId));
      const both = "trades WHERE taker_account_id = ?1 AND maker_account_id = ?1";
      assert.equal(idsOf(line, "trade", "both").length, count(database, both, accountId));
      assert.equal(idsOf(line, "money", "deposit").length, own("deposits"));
      assert.equal(new Set(idsOf(line, "money", "withdrawal")).size, own("withdrawals"));
      assert.equal(idsOf(line, "money", "transfer").length, own("account_transfers"));
      assert.equal(idsOf(line, "money", "dust").length, own("dust_conversions"));
      assert.equal(idsOf(line, "money", "dividend").length, own("dividends"));
      const acts = [...idsOf(line, "act"), ...idsOf(line, "key")];
      assert.ok(acts.length >= own("operator_acts"));
    }
  }
  const { rows: line } = money.query("timeLine", { accountId: 100, ...EVERYTHING });
  for (const what of ["deposit", "withdrawal", "transfer", "dust", "dividend"]) {
    assert.ok(idsOf(line, "money", what).length > 0, `none of ${what}`);
  }
  assert.ok(idsOf(trading.query("timeLine", { accountId: 100, ...EVERYTHING }).rows, "trade", "both").length > 0);
});

test("acts that name no account are told of the one that they concern", () => {
  const { database, query } = money;
  for (const accountId of [100, 101, 103]) {
    const { rows: line } = query("timeLine", { accountId, kinds: ["act"], limit: 1_000_000 });
    const decided = line.filter(({ what }) => what === "approveWithdrawal" || what === "rejectWithdrawal");
    const wanted = rows(
      database,
      `SELECT seq FROM operator_acts WHERE type IN ('approveWithdrawal', 'rejectWithdrawal') AND details ->> '$.withdrawalId'
       IN (SELECT withdrawal_id FROM withdrawals WHERE account_id = ?) ORDER BY seq DESC`,
      accountId,
    );
    assert.ok(wanted.length > 0);
    assert.deepEqual(
      decided.map(({ id }) => id),
      wanted.map(({ seq }) => seq),
    );
  }
});

/** All pages, one after the other. */
function pages(query: Query, accountId: number, kinds: readonly TimeLineKind[], limit: number): TimeLineRow[] {
  const all: TimeLineRow[] = [];
  let before: TimeLinePlace | undefined;
  for (;;) {
    const { rows: page, last } = query("timeLine", { accountId, kinds, limit, before });
    assert.ok(page.length <= limit);
    all.push(...page);
    assert.ok(all.length < 10_000, "the pages have no end");
    if (last === null) return all;
    before = last;
  }
}

test("pages of any length follow one another without a gap or a repetition, also within a moment", () => {
  const flows = [trading, money] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...flows),
      fc.constantFrom(100, 101, 103),
      fc.subarray([...TIME_LINE_KINDS], { minLength: 1 }),
      fc.integer({ min: 7, max: 300 }),
      ({ query }, accountId, kinds, limit) => {
        const { rows: whole } = query("timeLine", { accountId, kinds, limit: 1_000_000 });
        assert.deepEqual(pages(query, accountId, kinds, limit), whole);
        assert.ok(whole.every(({ kind }) => kinds.includes(kind)));
      },
    ),
    { numRuns: 25 },
  );
  // Several records of one instant are the difficult case.
  const times = trading.query("timeLine", { accountId: 100, ...EVERYTHING }).rows.map(({ timeMs }) => timeMs);
  assert.ok(new Set(times).size < times.length - 50);
  const { query } = money;
  assert.deepEqual(
    pages(query, 100, ["money", "act"], 1),
    query("timeLine", { accountId: 100, ...EVERYTHING, kinds: ["money", "act"] }).rows,
  );
});

test("what people have of something finds it", () => {
  const { query, database } = money;
  const found = (text: string): string[] =>
    query("find", { text, limit: 20 }).map(({ kind, id, accountId }) => `${kind} ${id} ${accountId}`);
  const [deposit] = rows(database, "SELECT deposit_id AS id, account_id AS accountId, tx_id AS txId FROM deposits");
  const { id, accountId, txId } = deposit as unknown as { id: number; accountId: number; txId: string };
  assert.ok(found(txId).includes(`deposit ${id} ${accountId}`), found(txId).join());
  const signed =
    "SELECT withdrawal_id AS id, account_id AS accountId, tx_id AS txId, address FROM withdrawals WHERE tx_id <> ''";
  const withdrawal = rows(database, signed)[0] as unknown as Record<"id" | "txId" | "address", string> & {
    accountId: number;
  };
  for (const text of [withdrawal.id, withdrawal.txId]) {
    assert.ok(found(text).includes(`withdrawal ${withdrawal.id} ${withdrawal.accountId}`), text);
  }
  assert.equal(found(withdrawal.id).filter((one) => one.startsWith("withdrawal ")).length, 1, "once, whatever it has");
  assert.ok(found(withdrawal.address).some((one) => one.startsWith("withdrawal ")));

  const order = rows(
    trading.database,
    "SELECT order_id AS id, account_id AS accountId, client_order_id AS name FROM orders",
  )[5];
  const { name, ...of } = order as unknown as { id: number; accountId: number; name: string };
  const inTrading = (text: string): string[] =>
    trading.query("find", { text, limit: 20 }).map((hit) => `${hit.kind} ${hit.id} ${hit.accountId}`);
  assert.ok(inTrading(String(of.id)).includes(`order ${of.id} ${of.accountId}`));
  assert.ok(inTrading(name).includes(`order ${of.id} ${of.accountId}`));
  const [trade] = rows(trading.database, "SELECT max(trade_id) AS id FROM trades WHERE symbol_id = 1");
  assert.ok(inTrading(String(trade?.["id"])).includes(`trade ${String(trade?.["id"])} null`));
  const [list] = rows(trading.database, "SELECT max(order_list_id) AS id, account_id AS accountId FROM order_lists");
  const listId = String(list?.["id"]);
  assert.partialDeepStrictEqual(
    trading.query("find", { text: `#${listId}`, limit: 20 }).find(({ kind }) => kind === "orderList"),
    { id: listId, accountId: list?.["accountId"], label: "OPO" },
  );
  assert.deepEqual(found("no such thing"), []);
  assert.deepEqual(found("' OR 1 = 1 --"), []);
});

test("what an account did before a withdrawal is counted of the account alone, and of completed ones", () => {
  const { query, database } = money;
  let counted = 0;
  for (const accountId of [100, 101, 102, 103]) {
    const completed = "withdrawals WHERE account_id = ?1 AND status = 6";
    const [one] = rows(database, `SELECT network, address, tag FROM ${completed}`, accountId);
    if (one === undefined) continue;
    const to = one as unknown as { network: string; address: string; tag: string };
    const [past] = query("withdrawalPasts", [{ withdrawalId: "w", accountId, ...to }]);
    const same = "AND network = ?2 AND address = ?3 AND tag = ?4";
    const [newest] = rows(database, "SELECT max(insert_time_ms) AS at FROM deposits WHERE account_id = ?", accountId);
    assert.deepEqual(past, {
      withdrawalId: "w",
      completed: count(database, completed, accountId),
      completedToAddress: count(database, `${completed} ${same}`, accountId, to.network, to.address, to.tag),
      newestDepositMs: Number(newest?.["at"]),
    });
    assert.ok((past?.completedToAddress ?? 0) > 0);
    counted++;
  }
  assert.ok(counted > 0, "nobody has completed a withdrawal");
  const stranger = { accountId: 999, network: "MAIN", address: "a", tag: "" };
  assert.deepEqual(query("withdrawalPasts", [{ withdrawalId: "x", ...stranger }]), [
    { withdrawalId: "x", completed: 0, completedToAddress: 0, newestDepositMs: null },
  ]);
});

test("no question walks through what it does not answer, but for those of a bounded number of rows", () => {
  const plan = (sql: string): string => {
    const steps = money.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return steps.map((step) => step.detail).join("; ");
  };
  const money_ = Object.fromEntries(MONEY_TABLES.map(({ what, sql }) => [what, sql]));
  const { depositByText, withdrawalByText, unknownDepositByText, tradeById, orderBySymbol, ...byIndex } = FINDS;
  const { unnamed, ...named } = ACT_LINES;
  const { completed, ...pasts } = WITHDRAWAL_PASTS;
  const times = Object.values(ACT_TIMES).flatMap(({ timeFrom, lastId }) => [timeFrom, lastId]);
  const all = { ...ORDER_LINE, ...TRADE_LINE, ...money_, ...byIndex, ...named, ...pasts };
  for (const [name, sql] of [...Object.entries(all), ...times.map((sql) => [sql, sql] as const)]) {
    assert.match(plan(sql), /^SEARCH/, name);
    assert.doesNotMatch(plan(sql), /SCAN|TEMP B-TREE/, `${name}: ${plan(sql)}`);
  }
  assert.match(plan(completed), /SEARCH withdrawals USING INDEX withdrawals_by_status \(account_id=\? AND status=\?\)/);
  assert.match(plan(tradeById), /SCAN symbols.*SEARCH trades USING PRIMARY KEY \(symbol_id=\? AND trade_id=\?\)/);
  assert.match(plan(orderBySymbol), /^SEARCH orders USING INTEGER PRIMARY KEY \(rowid=\?\).*SCAN symbols/);
  for (const sql of [depositByText, withdrawalByText, unknownDepositByText, unnamed])
    assert.match(sql, /LIMIT 100000\)/);
  for (const sql of [depositByText, withdrawalByText, unknownDepositByText, unnamed])
    assert.doesNotMatch(plan(sql), /TEMP B-TREE/, plan(sql));
});
