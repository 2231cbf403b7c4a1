/** What is asked when all is quiet: honest nodes agree with the model and each other, and a wrong model or journal is found. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder, scratchFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, type Exchange, openAccount, startExchange } from "@pricetime/testkit/venue";
import { checkAgreement } from "../../failover/checks/agreement.ts";
import { Course } from "../../failover/checks/course.ts";
import { Findings } from "../../failover/checks/findings.ts";
import { checkJournals } from "../../failover/checks/journals.ts";
import { entriesOf, type LoggedEntry, readRows } from "../../failover/checks/log.ts";

const SYMBOL = "AAAUSDT";
const CONFIGURATION = {
  assets: ["AAA", "USDT"].map((asset) => ({ asset, name: asset })),
  symbols: [
    {
      ...{ symbol: SYMBOL, baseAsset: "AAA", quoteAsset: "USDT" },
      filters: {
        priceFilter: { minPrice: "1", maxPrice: "100000", tickSize: "1" },
        lotSize: { minQty: "1", maxQty: "100000", stepSize: "1" },
      },
    },
  ],
};

suite("agreement", () => {
  let node: Exchange;
  let folder: string;
  let entries: LoggedEntry[];
  const accounts: DemoAccount[] = [];

  before(async () => {
    const config = join(temporaryFolder(), "pricetime.yaml");
    writeFileSync(config, JSON.stringify(CONFIGURATION));
    folder = temporaryFolder();
    node = await startExchange({
      dataFolder: folder,
      args: ["--no-demo", "--limits", "off", "--bots", "off", "--config", config],
    });
    for (const name of ["one", "two"])
      accounts.push(await openAccount(node, `${name}@failover.example`, { AAA: "50", USDT: "100000" }));
    for (const [at, side] of (["BUY", "SELL", "BUY"] as const).entries()) {
      const client = new Client(node.rest, accounts[at % 2]);
      const terms = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", price: at === 2 ? 90 : 100 };
      const answer = await client.signed("POST", "/api/v3/order", {
        ...terms,
        quantity: 4,
        newClientOrderId: `o-${at}`,
      });
      assert.equal(answer.status, 200, answer.text);
      client.close();
    }
    const findings = new Findings();
    entries = entriesOf(readRows(join(folder, "journal.sqlite")), findings);
    assert.deepEqual(findings.first, []);
  });
  after(() => node.kill());

  async function asked(model: readonly LoggedEntry[]): Promise<string> {
    const findings = new Findings();
    const course = new Course(model, findings);
    const nodes = ["n1", "n2"].map((name) => ({ name, rest: node.rest }));
    const questions = await checkAgreement(nodes, accounts, [SYMBOL], course, findings);
    assert.equal(questions, 16);
    return findings.first.join("\n");
  }

  test("nodes and an honest model", async () => {
    assert.equal(await asked(entries), "");
  });

  test("a model that has another balance, or that lacks an order, is found", async () => {
    const richer = entries.map((entry): LoggedEntry => {
      const { command } = entry;
      const isMore = command.type === "deposit" && command.asset === "USDT" && command.amount === "100000";
      return isMore ? { ...entry, command: { ...command, amount: "100001" } } : entry;
    });
    assert.match(await asked(richer), /balances of account 0: n1 differs from the model/);
    const last = entries.findLastIndex(({ command }) => command.type === "placeOrder");
    assert.match(
      await asked(entries.filter((_, at) => at !== last)),
      /open orders of account 0, AAAUSDT: n1 differs from the model/,
    );
  });

  test("journals that are one, and one that lacks the last row", (t) => {
    const copy = scratchFolder(t);
    cpSync(folder, copy, { recursive: true });
    const holders = [
      { name: "n1", dataFolder: folder },
      { name: "n2", dataFolder: copy },
    ];
    const honest = new Findings();
    const { rows } = checkJournals(holders, honest);
    assert.deepEqual(honest.first, []);
    const database = new DatabaseSync(join(copy, "journal.sqlite"));
    database.exec("DELETE FROM batches WHERE first_seq = (SELECT max(first_seq) FROM batches)");
    database.close();
    const findings = new Findings();
    checkJournals(holders, findings);
    const said = findings.first.join("\n");
    assert.match(said, new RegExp(`n1 and n2 differ at row ${rows.length}\\n`));
    assert.match(said, /the state hash of n1 is \w+, of n2 \w+/);
  });
});
