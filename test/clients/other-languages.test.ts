/**
 * Clients in Python and Go, with what Debian carries, against a venue of each interface: each places and cancels, trades,
 * listens to a market's stream and its own, and withdraws with a name that holds what signatures stumble over. With
 * today's interface each also places every new kind of order. Where a language is absent its test is skipped.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { type Exchange, operate, registerEd25519, startExchange } from "@pricetime/testkit/venue";
import { buildGo, hasGo, type Program, python, type Report, runClient, type Seen, type Task } from "./foreign.ts";

/** It makes no block, so that a withdrawal stays where an operator sees it. */
const NETWORK = "DOGE";

/** One each, so that a client sees its own trades only. */
const LTCUSDT = { symbol: "LTCUSDT", quantity: "1", price: "80.00", low: "60.00" };
const BNBBTC = { symbol: "BNBBTC", quantity: "10", price: "0.008000", low: "0.006000" };
const TRXBTC = { symbol: "TRXBTC", quantity: "1000", price: "0.00000200", low: "0.00000150" };

const plain = python("standard_library.py");
const withRequests = python("with_requests.py", "requests", "websockets", "cryptography");

let folder = "";
before(() => {
  folder = temporaryFolder();
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const name of ["2019", "today"] as const) {
  suite(`interface: ${name}`, () => {
    let exchange: Exchange;
    before(async () => {
      const config = join(folder, "config.yaml");
      writeFileSync(config, `wallet: { networks: [{ kind: sandbox, network: ${NETWORK}, blockMs: 0 }] }\n`);
      exchange = await startExchange({ args: ["--bots", "off", "--config", config, "--interface", name] });
    });
    after(async () => assert.equal(await exchange.stop(), 0));

    const operator = <T>(path: string): Promise<T> => operate<T>(exchange, "GET", path);

    function taskOf(account: string, market: typeof LTCUSDT, payee: string): Task {
      const { apiKey, secretKey } = exchange.accounts.find((each) => each.name === account) ?? assert.fail(account);
      const withdrawal = { coin: "DOGE", network: NETWORK, address: "D".repeat(34), amount: "100", name: payee };
      return { interface: name, rest: exchange.rest, ws: exchange.ws, apiKey, secretKey, ...market, withdrawal };
    }

    /** A key for the WebSocket API, where the interface has one. */
    async function withEd25519(task: Task, account: string): Promise<Task> {
      if (name === "2019") return task;
      const { apiKey, privateKey } = await registerEd25519(exchange, `${account}@demo.pricetime`);
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      return { ...task, ed25519: { apiKey, privateKey: pem } };
    }

    async function check(program: Program, task: Task): Promise<void> {
      const seen = await runClient(program, task);
      assert.deepEqual(seen.statuses, ["NEW", "CANCELED", "FILLED"]);
      assert.equal(Number(seen.trade), Number(task.price));
      assert.deepEqual(seen.reports.slice(0, 3), ["NEW", "CANCELED", "NEW"]);
      assert.ok(seen.reports.includes("FILLED"), seen.reports.join());
      const asked = await operator<{ name: string; address: string }>(`/v1/withdrawals/${seen.withdrawal}`);
      assert.deepEqual([asked.name, asked.address], [task.withdrawal["name"], task.withdrawal["address"]]);
      if (name === "today") checkKinds(seen, Number(task.quantity));
    }

    test("Python, its standard library alone", {
      skip: skipUnless(plain !== undefined, "python3 is not installed"),
    }, async () => {
      assert.ok(plain);
      await check(plain, taskOf("bob", LTCUSDT, "dave & bob @ home + 100 % = ünï"));
    });

    test("Python with requests, signing as python-binance", {
      skip: skipUnless(
        withRequests !== undefined,
        "python3 with requests, websockets and cryptography is not installed",
      ),
    }, async () => {
      assert.ok(withRequests);
      const transfer = { toEmail: "dave@demo.pricetime", fromAccountType: "SPOT", toAccountType: "SPOT" };
      const task = await withEd25519(taskOf("alice", BNBBTC, "dave @ home"), "alice");
      await check(withRequests, { ...task, transfer: { ...transfer, asset: "BTC", amount: "0.5" } });
      const { balances } = await operator<{ balances: unknown[] }>("/v1/accounts/dave@demo.pricetime");
      assert.deepEqual(balances, [{ asset: "BTC", free: "0.50000000", locked: "0.00000000" }]);
    });

    test("Go with gorilla's websocket", {
      skip: skipUnless(hasGo(), "Go with gorilla's websocket is not installed"),
    }, async () => {
      const task = await withEd25519(taskOf("carol", TRXBTC, "carol & dave @ home + 100 % = ünï"), "carol");
      await check(await buildGo(folder), task);
    });
  });
}

/** The reports of a list whose working order is filled, after which the pending orders are placed and canceled. */
const filledList = (atFirst: string, ...pending: string[]): string[] => [
  ...["NEW/NEW LIMIT 1", ...pending.map((order) => `NEW/PENDING_NEW ${order} ${atFirst}`)],
  ...["NEW/NEW LIMIT 1", "TRADE/FILLED LIMIT 1", "TRADE/FILLED LIMIT 1"],
  ...pending.map((order) => `NEW/NEW ${order} 1`),
  ...pending.map((order) => `CANCELED/CANCELED ${order} 1`),
];

/** The reports of each kind: execution type, status, type, trailing delta, peg, and quantity in units of the task's. */
const REPORTS: Readonly<Record<string, readonly string[]>> = {
  trailing_stop: ["NEW/NEW STOP_LOSS d100 1", "CANCELED/CANCELED STOP_LOSS d100 1"],
  trailing_from: ["NEW/NEW TAKE_PROFIT d100 1", "CANCELED/CANCELED TAKE_PROFIT d100 1"],
  pegged: [
    ...["NEW/NEW LIMIT 1", "NEW/NEW LIMIT PRIMARY_PEG 1"],
    ...["CANCELED/CANCELED LIMIT 1", "CANCELED/CANCELED LIMIT PRIMARY_PEG 1"],
  ],
  oto: filledList("1", "LIMIT"),
  otoco: filledList("1", "STOP_LOSS d100", "LIMIT_MAKER"),
  opo: filledList("0", "LIMIT"),
  opoco: filledList("0", "STOP_LOSS d100", "LIMIT_MAKER"),
  amended: ["NEW/NEW LIMIT 1", "REPLACED/NEW LIMIT 0.5", "CANCELED/CANCELED LIMIT 0.5"],
  self_trade: [
    ...["NEW/NEW LIMIT 1", "NEW/NEW LIMIT 1"],
    ...["TRADE_PREVENTION/EXPIRED_IN_MATCH LIMIT 1", "EXPIRED/EXPIRED LIMIT 1"],
  ],
  decremented: [
    ...["NEW/NEW LIMIT 1", "NEW/NEW LIMIT 1"],
    ...["TRADE_PREVENTION/EXPIRED_IN_MATCH LIMIT 1", "TRADE_PREVENTION/EXPIRED_IN_MATCH LIMIT 1"],
  ],
  replaced: ["NEW/NEW LIMIT 1", "CANCELED/CANCELED LIMIT 1", "NEW/NEW LIMIT 1", "CANCELED/CANCELED LIMIT 1"],
};

function checkKinds({ kinds }: Seen, quantity: number): void {
  assert.ok(kinds);
  const lineOf = ({ x, X, o, q, d, gP }: Report): string =>
    [`${x}/${X}`, o, d && `d${d}`, gP, Number(q) / quantity].filter((each) => each !== undefined).join(" ");
  for (const [way, found] of Object.entries(kinds)) {
    const lines = Object.entries(found).map(([kind, reports]) => [kind, reports.map(lineOf)]);
    assert.deepEqual(Object.fromEntries(lines), REPORTS, way);
    assert.deepEqual(
      found["self_trade"]?.map(({ V }) => V),
      ["NONE", "EXPIRE_MAKER", "EXPIRE_MAKER", "EXPIRE_MAKER"],
    );
  }
}
