/** Monthly statements over HTTP, compared with a model that adds up the engine's postings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bucket, formatDecimal, type Posting } from "@pricetime/engine";
import { networkOf, placeOrder, requestWithdrawal } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import type { Answer, History } from "../../../../src/history/port.ts";
import { STATEMENT_PAGE } from "../../../../src/history/reading/statement-queries.ts";
import { AccountVenue, type Browser, PASSWORD, refusal } from "../account-venue.ts";
import type { Posting as StatementLine, Statement, StatementTotal } from "../../../../src/people/customer/answers.ts";

const DAY_MS = 86_400_000;
const SEEDS = [1, 2];
/** More units than fit in 64 bits. */
const HUGE = "90000000000000000000";

/** The engine's postings of each entry, recorded independently of history. */
class Model {
  readonly #venue: AccountVenue;
  readonly #moves: { seq: number; timeMs: number; postings: readonly Posting[] }[] = [];

  constructor(venue: AccountVenue) {
    this.#venue = venue;
    venue.followers.add({
      applied: ({ seq, timeMs }) => this.#moves.push({ seq, timeMs, postings: [...venue.engine.postings] }),
    });
  }

  /** The lines of an account in a period, with its balances before and after. */
  statement(accountId: number, fromMs: number, untilMs: number): Pick<Statement, "opening" | "postings" | "closing"> {
    const balances = new Map<number, Record<Bucket, bigint>>();
    const postings: StatementLine[] = [];
    let opening: StatementTotal[] = [];
    for (const move of this.#moves) {
      if (move.timeMs >= untilMs) break;
      if (move.timeMs < fromMs) opening = [];
      let place = 0;
      for (const { assetId, amount, reason, ...of } of move.postings) {
        const sides: [number, Bucket, bigint][] = [
          [of.fromAccountId, of.fromBucket, -amount],
          [of.toAccountId, of.toBucket, amount],
        ];
        for (const [account, bucket, change] of sides) {
          if (account !== accountId) continue;
          const balance = balances.get(assetId) ?? { free: 0n, locked: 0n };
          balance[bucket] += change;
          balances.set(assetId, balance);
          const id = `${move.seq}-${place++}`;
          const [asset, decimal] = this.#asset(assetId);
          const line = { id, timeMs: move.timeMs, asset, bucket, amount: decimal(change), reason };
          if (move.timeMs >= fromMs) postings.push({ ...line, balanceAfter: decimal(balance[bucket]) });
        }
      }
      if (move.timeMs < fromMs) opening = this.#totals(balances);
    }
    return { opening, postings, closing: this.#totals(balances) };
  }

  #totals(balances: ReadonlyMap<number, Record<Bucket, bigint>>): StatementTotal[] {
    return [...balances].map(([assetId, { free, locked }]) => {
      const [asset, decimal] = this.#asset(assetId);
      return { asset, free: decimal(free), locked: decimal(locked) };
    });
  }

  #asset(assetId: number): [string, (units: bigint) => string] {
    const { asset, precision } = this.#venue.engine.asset(assetId).spec;
    return [asset, (units) => formatDecimal(units, precision)];
  }
}

/** Trades, deposits, withdrawals and transfers over three months. */
function live(venue: AccountVenue, accountIds: readonly number[], dice: Dice, steps: number): void {
  let orders = 0;
  for (let step = 0; step < steps; step++) {
    const accountId = dice.pick(accountIds);
    venue.nowMs += dice.below(Math.floor((180 * DAY_MS) / steps));
    const [side, price] = [dice.pick(["BUY", "SELL"] as const), 1_000_000 + dice.below(1000)];
    const kind = dice.below(10);
    if (kind === 0) venue.give(accountId, dice.pick(["BTC", "USDT", "KRW"]), `${1 + dice.below(5)}`);
    else if (kind === 1) {
      const withdrawalId = String(step).padStart(32, "0");
      venue.apply(requestWithdrawal({ withdrawalId, accountId, asset: "BTC", amount: "0.01", address: "friend" }));
    } else {
      const order = { accountId, side, priceTicks: price, quantityLots: 100_000 + dice.below(1_000_000) };
      venue.apply(placeOrder({ ...order, clientOrderId: `o${orders++}` }));
    }
  }
}

const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);
const sorted = (totals: readonly StatementTotal[]): StatementTotal[] =>
  totals
    .filter(({ free, locked }) => Number(free) !== 0 || Number(locked) !== 0)
    .toSorted((a, b) => (a.asset < b.asset ? -1 : 1));

async function statementOf(browser: Browser, query: string): Promise<Statement> {
  const { status, json, text } = await browser.get(`statement?${query}`);
  assert.equal(status, 200, text);
  return json as Statement;
}

for (const seed of SEEDS) {
  test(`every month equals the engine's postings and starts where the previous one ended (seed ${seed})`, async () => {
    const venue = await AccountVenue.start();
    const model = new Model(venue);
    const startMs = venue.nowMs;
    const browsers = [await venue.customer("alice@example.org"), await venue.customer("bob@example.org")];
    const ids = ["alice@example.org", "bob@example.org"].map(
      (email) => venue.engine.accountByEmail(email)?.accountId ?? 0,
    );
    for (const id of ids) for (const asset of ["BTC", "USDT"]) venue.give(id, asset, HUGE);
    live(venue, ids, new Dice(seed), 600);
    // The session has expired by then.
    const again = await Promise.all(
      ["alice", "bob"].map(async (name, n) => {
        const browser = browsers[n] ?? assert.fail();
        const answer = await browser.post("sign-in", {
          email: `${name}@example.org`,
          password: PASSWORD,
        });
        assert.equal(answer.status, 200, answer.text);
        return browser;
      }),
    );
    let lines = 0;
    for (const [n, accountId] of ids.entries()) {
      let before: Statement | undefined;
      for (let month = new Date(`${monthOf(startMs)}-01`); month.getTime() <= venue.nowMs; ) {
        const fromMs = month.getTime();
        month = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
        const told = await statementOf(again[n] ?? assert.fail(), `month=${monthOf(fromMs)}`);
        const must = model.statement(accountId, fromMs, month.getTime());
        assert.deepEqual(told.postings, must.postings);
        assert.deepEqual(sorted(told.opening), sorted(must.opening));
        assert.deepEqual(sorted(told.closing), sorted(must.closing));
        if (before !== undefined) assert.deepEqual(sorted(told.opening), sorted(before.closing));
        for (const { opening, movements, closing } of told.sums) {
          const [from, by, to] = [opening, movements, closing].map((text) => BigInt(text.replace(".", "")));
          assert.equal((from ?? 0n) + (by ?? 0n), to);
        }
        before = told;
        lines += told.postings.length;
      }
      const now = [0, 2].map((assetId) => venue.engine.balance(accountId, assetId).free);
      const [btc, usdt] = ["BTC", "USDT"].map((asset) => before?.closing.find((each) => each.asset === asset)?.free);
      assert.deepEqual(
        [btc, usdt],
        now.map((units) => formatDecimal(units, 8)),
      );
    }
    assert.ok(lines > 1000, `${lines} lines are few`);
  });
}

test("a long month is read in pages without a gap, whatever the page limit", async () => {
  const venue = await AccountVenue.start();
  const model = new Model(venue);
  const alice = await venue.customer("alice@example.org");
  const accountId = venue.engine.accountByEmail("alice@example.org")?.accountId ?? assert.fail();
  for (let n = 0; n < 2 * STATEMENT_PAGE.found + 7; n++) venue.give(accountId, "BTC", "1");
  // Amounts that look like the account number are left alone.
  for (let n = 0; n < 50; n++) venue.give(venue.trader.accountId, "BTC", `0.00000${accountId}`);
  const month = monthOf(venue.nowMs);
  const told = await statementOf(alice, `month=${month}`);
  assert.deepEqual(told.postings, model.statement(accountId, 0, Infinity).postings);
  assert.equal(told.postings.length, 2 * STATEMENT_PAGE.found + 7);
});

test("the file has a stable layout with opening and closing balances", async () => {
  const venue = await AccountVenue.start();
  const alice = await venue.customer("alice@example.org");
  const accountId = venue.engine.accountByEmail("alice@example.org")?.accountId ?? assert.fail();
  venue.give(accountId, "BTC", "1.5");
  const { seq } = venue.engine;
  venue.apply(
    placeOrder({ accountId, side: "SELL", priceTicks: 1_000_000, quantityLots: 250_000, clientOrderId: "o" }),
  );
  const month = monthOf(venue.nowMs);
  const { status, text, headers } = await alice.get(`statement?month=${month}&format=csv`);
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/csv;charset=UTF-8");
  assert.equal(headers["content-disposition"], `attachment; filename="statement-${accountId}-${month}.csv"`);
  assert.equal(headers["transfer-encoding"], "chunked");
  const time = new Date(venue.nowMs).toISOString();
  const end = "2021-03-31T23:59:59.999Z";
  assert.deepEqual(text.split("\r\n"), [
    "id,time,asset,bucket,amount,reason,balanceAfter",
    `${seq}-0,${time},BTC,free,1.50000000,deposit,1.50000000`,
    `${seq + 1}-0,${time},BTC,free,-0.25000000,lock,1.25000000`,
    `${seq + 1}-1,${time},BTC,locked,0.25000000,lock,0.25000000`,
    `,${end},BTC,free,,closing,1.25000000`,
    `,${end},BTC,locked,,closing,0.25000000`,
    "",
  ]);
  // A customer can compare a stored statement with the root that the venue published.
  const root = "ab".repeat(32);
  venue.apply({ type: "publishProof", by: "test", number: 1, seq, root, previous: "0".repeat(64) });
  const later = await alice.get(`statement?month=${month}&format=csv`);
  assert.deepEqual(later.text.split("\r\n").slice(-2), [`${root},${time},,,,root of proof 1,`, ""]);
  assert.equal((await alice.get(`statement?month=${month}`)).json["proof"].root, root);
  // The next month starts with that balance, although nothing moved.
  venue.nowMs = Date.UTC(2021, 3, 2);
  await alice.post("sign-in", { email: "alice@example.org", password: PASSWORD });
  const next = await alice.get("statement?month=2021-04&format=csv");
  assert.match(next.text, /\r\n,2021-04-01T00:00:00\.000Z,BTC,free,,opening,1\.25000000\r\n/);
});

test("deposits and withdrawals have the decimals of the network's step", async () => {
  const venue = await AccountVenue.start();
  const alice = await venue.customer("alice@example.org");
  const accountId = venue.engine.accountByEmail("alice@example.org")?.accountId ?? assert.fail();
  const network = { ...networkOf("BANK"), withdrawStep: "0.01", depositStep: "0.01" };
  venue.apply({ type: "setAssetNetworks", by: "test", asset: "USDT", networks: [network] });
  venue.apply({ type: "assignDepositAddress", accountId, network: "BANK", address: "DE1", tag: "" });
  const contents = { asset: "USDT", address: "DE1", tag: "", amount: "500.5" };
  const coin = { network: "BANK", txId: "2021-03/1", output: 0, by: "dora", ...contents };
  venue.apply({ type: "seeDeposit", ...coin });
  assert.deepEqual((await alice.get("steps")).json, [
    { asset: "USDT", network: "BANK", depositStep: "0.01", withdrawStep: "0.01" },
  ]);
  const [coming] = (await alice.get("deposits")).json as unknown as { amount: string }[];
  assert.equal(coming?.amount, "500.50");
  venue.apply({ type: "finishDeposit", ...coin });
  const { postings } = await statementOf(alice, `month=${monthOf(venue.nowMs)}`);
  assert.deepEqual(
    postings.map(({ amount, reason, balanceAfter }) => [amount, reason, balanceAfter]),
    [["500.50", "deposit", "500.50000000"]],
  );
});

test("an invalid, future, not yet closed or foreign month is rejected", async () => {
  const venue = await AccountVenue.start();
  const alice = await venue.customer("alice@example.org");
  const accountId = venue.engine.accountByEmail("alice@example.org")?.accountId ?? assert.fail();
  const subId = venue.openAccount("sub@example.org", accountId);
  for (const query of ["", "month=2021", "month=2021-13", "month=2021-04", "month=2021-03&format=xml"]) {
    assert.deepEqual(refusal(await alice.get(`statement?${query}`)), [400, "BAD_REQUEST"], query);
  }
  const of = (id: number) => alice.get(`statement?month=2021-03&account=${id}`);
  assert.deepEqual(refusal(await of(venue.trader.accountId)), [404, "UNKNOWN_ACCOUNT"]);
  assert.equal((await of(subId)).status, 200);
  venue.nowMs = Date.UTC(2021, 3, 1, 0, 0, 30);
  const session = await alice.post("sign-in", { email: "alice@example.org", password: PASSWORD });
  assert.equal(session.status, 200, session.text);
  assert.deepEqual(refusal(await alice.get("statement?month=2021-03")), [503, "STATEMENT_NOT_READY"]);
  venue.nowMs += 60_000;
  assert.equal((await alice.get("statement?month=2021-03")).status, 200);
});

test("a customer gets one statement at a time, and one that does not add up is aborted", async () => {
  const held = Promise.withResolvers<void>();
  let spoils = false;
  const venue = await AccountVenue.start({
    spoilt: (history: History): History => ({
      seq: 0,
      query: async (...asked) => {
        if (asked[1] !== "statementPage") return history.query(...asked);
        await held.promise;
        const answer = await history.query(...asked);
        const page = answer as unknown as Answer<"statementPage">;
        return spoils ? ({ ...page, moves: page.moves.slice(1) } as unknown as typeof answer) : answer;
      },
    }),
  });
  const [alice, bob] = [await venue.customer("alice@example.org"), await venue.customer("bob@example.org")];
  const accountId = venue.engine.accountByEmail("alice@example.org")?.accountId ?? assert.fail();
  venue.give(accountId, "BTC", "1");
  const path = `statement?month=${monthOf(venue.nowMs)}`;
  const first = alice.get(path);
  const second = alice.copy().get(path);
  assert.deepEqual(refusal(await second), [503, "STATEMENT_BUSY"]);
  const others = bob.get(path);
  held.resolve();
  assert.deepEqual([(await first).status, (await others).status], [200, 200]);
  assert.equal((await alice.get(path)).status, 200);
  spoils = true;
  await assert.rejects(alice.get(path), /ECONNRESET|socket hang up|aborted/);
  assert.match(String((venue.bugs.pop() as { err: Error }).err.message), /does not add up/);
  spoils = false;
  assert.equal((await alice.copy().get(path)).status, 200);
});
