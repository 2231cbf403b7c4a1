/** Every query about the wallet, compared with the slow and simple result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "@pricetime/engine";
import fc from "fast-check";
import { PRICES } from "../../src/history/reading/closing-prices.ts";
import { DAY_BALANCES } from "../../src/history/reading/statement-queries.ts";
import {
  DEPOSITS,
  DIVIDENDS,
  listSql,
  type ListTable,
  TRANSFERS,
  OF_VENUE,
  WITHDRAWALS,
} from "../../src/history/reading/wallet-queries.ts";
import { openProjection } from "../../src/journal/storage/projection.ts";
import { batchesOf, dumpHistory } from "@pricetime/testkit/journal";
import { folderWith } from "../journal/replica/data-folder.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";
import { WalletBruteForce } from "./wallet-brute-force.ts";
import { WALLET_ACCOUNTS, WALLET_ASSETS, walletFlow } from "./wallet-flow.ts";

const COMMANDS = walletFlow(5, 4_000);
const BATCHES = batchesOf(8, COMMANDS);
const [START_MS, END_MS] = [BATCHES[0]!.timeMs, BATCHES.at(-1)!.timeMs];
const DAY_MS = 86_400_000;
const brute = new WalletBruteForce(new Engine());
for (const batch of BATCHES) brute.take(batch);

const { path, database, query } = rebuiltHistory(BATCHES);

const anyTime = fc.oneof(
  fc.integer({ min: START_MS - 100_000, max: END_MS + 100_000 }),
  fc.constantFrom(...BATCHES.map((batch) => batch.timeMs)),
);
const page = { startTimeMs: anyTime, endTimeMs: anyTime, offset: fc.integer({ min: 0, max: 30 }) };
const limit = fc.integer({ min: 1, max: 200 });
const anyAsset = fc.integer({ min: 0, max: WALLET_ASSETS.length });
const anyAccount = fc.constantFrom(...WALLET_ACCOUNTS, 999);
const anyOf = <Shape extends object>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) =>
  fc.record({ ...shape, ...page, limit }, { requiredKeys: ["limit"] });

test("the flow has what the questions are about", () => {
  const statuses = (rows: Iterable<{ status: number }>) => new Set([...rows].map((row) => row.status));
  assert.deepEqual(statuses(brute.deposits.values()), new Set([0, 6, 1]));
  assert.deepEqual(statuses(brute.withdrawals.values()), new Set([0, 1, 2, 3, 4, 5, 6]));
  assert.ok(
    [...brute.dropped].some((id) => brute.deposits.has(id)),
    "none dropped and seen again",
  );
  assert.ok(
    [...brute.dropped].some((id) => !brute.deposits.has(id)),
    "none dropped for good",
  );
  const withdrawals = [...brute.withdrawals.values()];
  assert.ok(
    withdrawals.some(({ txId, status }) => txId !== "" && status === 4),
    "none signed and not completed",
  );
  assert.ok(withdrawals.some(({ why }) => why !== "") && withdrawals.some(({ name }) => name !== ""));
  assert.ok(new Set(withdrawals.map(({ network }) => network)).size === 2);
  assert.ok(new Set(brute.transfers.map(({ fromAccountId }) => fromAccountId)).size === 3);
  const conversions = new Set(brute.dust.map(({ id }) => id)).size;
  assert.ok(conversions > 20 && conversions < brute.dust.length, `${conversions} conversions`);
  assert.ok(brute.dividends.length > 100);
  assert.ok(END_MS - START_MS > 3 * DAY_MS, "too few days");
});

test("deposits", () => {
  const txIds = [...brute.deposits.values()].map(({ txId }) => txId);
  const status = fc.constantFrom<(0 | 1 | 6)[]>(0, 1, 6);
  const question = anyOf({ assetId: anyAsset, status, txId: fc.constantFrom(...txIds, "never") });
  fc.assert(
    fc.property(anyAccount, question, (accountId, asked) => {
      assert.deepEqual(query("deposits", { accountId, ...asked }), brute.depositsOf(accountId, asked));
    }),
    { numRuns: 1_500 },
  );
});

test("withdrawals", () => {
  const all = [...brute.withdrawals.values()];
  const question = anyOf({
    assetId: anyAsset,
    status: fc.integer({ min: 0, max: 7 }),
    txId: fc.constantFrom(...all.map(({ txId }) => txId)),
    withdrawOrderId: fc.constantFrom(...all.map(({ withdrawOrderId }) => withdrawOrderId)),
  });
  fc.assert(
    fc.property(anyAccount, question, (accountId, asked) => {
      assert.deepEqual(query("withdrawals", { accountId, ...asked }), brute.withdrawalsOf(accountId, asked));
    }),
    { numRuns: 2_000 },
  );
});

test("every deposit and withdrawal is in its account's list", () => {
  const [deposits, withdrawals] = [4, ...WALLET_ACCOUNTS].reduce(
    ([d, w], id) => [
      d + query("deposits", { accountId: id, limit: 10_000 }).length,
      w + query("withdrawals", { accountId: id, limit: 10_000 }).length,
    ],
    [0, 0],
  );
  assert.deepEqual([deposits, withdrawals], [brute.deposits.size, brute.withdrawals.size]);
});

test("conversions of dust are in the time line", () => {
  for (const accountId of [...WALLET_ACCOUNTS, 999]) {
    const { rows } = query("timeLine", { accountId, kinds: ["money"], limit: 1_000_000 });
    assert.deepEqual(rows.filter(({ what }) => what === "dust").toReversed(), brute.dustOf(accountId));
  }
});

test("transfers, dividends", () => {
  fc.assert(
    fc.property(anyAccount, anyOf({}), anyAsset, (accountId, asked, assetId) => {
      const ofMaster = { masterId: accountId, ...asked };
      assert.deepEqual(query("transfersOfMaster", ofMaster), brute.transfersOfMaster(accountId, asked));
      const all = { ...asked, offset: 0, limit: 1_000_000 };
      assert.equal(query("countTransfersOfMaster", ofMaster), brute.transfersOfMaster(accountId, all).length);
      for (const side of ["from", "to", "either"] as const) {
        const ofSide = { accountId, ...asked, side };
        assert.deepEqual(query("transfersOfAccount", ofSide), brute.transfersOfAccount(accountId, ofSide));
        const total = brute.transfersOfAccount(accountId, { ...all, side }).length;
        assert.equal(query("countTransfersOfAccount", ofSide), total);
      }
      assert.deepEqual(query("dividends", { accountId, ...asked }), brute.dividendsOf(accountId, asked));
      const narrow = { ...asked, assetId };
      assert.deepEqual(query("dividends", { accountId, ...narrow }), brute.dividendsOf(accountId, narrow));
    }),
    { numRuns: 500 },
  );
});

test("what an account had at the end of each day", () => {
  const shape = {
    startTimeMs: anyTime,
    endTimeMs: anyTime,
    // The assets in which the simple result can value: not VAST.
    totalAssetId: fc.constantFrom(0, 1, 2, 4, 5),
    limit: fc.integer({ min: 1, max: 30 }),
    nowMs: fc.integer({ min: START_MS, max: END_MS + 9 * DAY_MS }),
  };
  const question = fc.record(shape, { requiredKeys: ["limit", "nowMs"] });
  const days = brute.snapshotsOf(100, { limit: 30, nowMs: END_MS + DAY_MS, totalAssetId: 2 });
  assert.ok(
    days.length > 3 && new Set(days.map(({ data }) => data.totalAssetOfBtc)).size > 3,
    "the days do not differ",
  );
  assert.ok(days[0]!.updateTime % DAY_MS === DAY_MS - 1000);
  fc.assert(
    fc.property(anyAccount, question, (accountId, asked) => {
      assert.deepEqual(JSON.parse(query("snapshotPage", { accountId, ...asked })), brute.snapshotsOf(accountId, asked));
    }),
    { numRuns: 800 },
  );
});

test("however often it is interrupted, the wallet's history is the same", (t) => {
  const expected = dumpHistory(path);
  for (const table of ["deposits", "withdrawals", "account_transfers", "dividends", "day_balances"]) {
    assert.ok((expected[table]?.length ?? 0) > 50, table);
  }
  for (const table of ["dust_conversions", "api_trading_locks"]) assert.ok((expected[table]?.length ?? 0) > 5, table);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 12 }), (steps) => {
      const again = folderWith(t, BATCHES);
      let untilSeq = 0;
      for (const step of [...steps, COMMANDS.length]) {
        untilSeq += step;
        const projection = openProjection({ paths: again, snapshotEveryEntries: 500 });
        while (projection.advance(Math.min(untilSeq, COMMANDS.length)));
        projection.close();
      }
      assert.deepEqual(dumpHistory(again.history), expected);
    }),
    { numRuns: 5 },
  );
});

test("no question about the wallet walks through what it does not answer", () => {
  const plan = (sql: string): string => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return steps.map((step) => step.detail).join("; ");
  };
  const one = [
    ...Object.values(TRANSFERS),
    ...Object.values(DAY_BALANCES),
    ...Object.values(PRICES),
    OF_VENUE.withdrawal,
  ];
  for (const sql of one) {
    assert.match(plan(sql), /^SEARCH/, sql);
    assert.doesNotMatch(plan(sql), /SCAN|TEMP B-TREE/, sql);
  }
  // Pages of the whole venue start at their primary key.
  for (const sql of Object.values(OF_VENUE)) assert.doesNotMatch(plan(sql), /SCAN|TEMP B-TREE/, sql);
  const narrowed: [ListTable, string[], string[]][] = [
    [DEPOSITS, ["asset_id", "status", "tx_id"], ["tx_id"]],
    [WITHDRAWALS, ["asset_id", "status", "tx_id", "withdraw_order_id"], ["tx_id", "withdraw_order_id"]],
    [DIVIDENDS, ["asset_id"], []],
  ];
  for (const [table, columns, unique] of narrowed) {
    for (const asked of choices(columns)) {
      const sql = listSql(table, asked);
      // If few rows remain, they are filtered; otherwise the index contains all conditions, and the order.
      const used = asked.some((column) => unique.includes(column))
        ? unique.filter((column) => asked.includes(column)).slice(0, 1)
        : asked;
      const conditions = ["account_id", ...used].map((column) => `${column}=\\?`).join(" AND ");
      const found = plan(sql);
      assert.match(found, new RegExp(`\\(${conditions} AND ${table.time}>\\? AND ${table.time}<\\?\\)$`), sql);
      assert.doesNotMatch(found, /SCAN|TEMP B-TREE/, sql);
    }
  }
});

/** Every subset, in order. */
function choices(columns: readonly string[]): string[][] {
  const [first, ...rest] = columns;
  if (first === undefined) return [[]];
  return choices(rest).flatMap((others) => [others, [first, ...others]]);
}
