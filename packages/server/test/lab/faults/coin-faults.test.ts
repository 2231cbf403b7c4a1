/**
 * Faults of coins in a sandbox: what the account sees, what the journal contains, and that other coins are unaffected.
 */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { Command } from "@pricetime/engine";
import { type DemoAccount, operate, tryToOperate } from "@pricetime/testkit/venue";
import { isChoosing, isCoinFault } from "../../../src/lab/faults/fault.ts";
import { answered, kindsThat, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();
afterEach(() => lab.clear());

/** The time from one block to the next, until the wallet has read it. */
const ROUND_MS = 2000;
/** More blocks than any of the demo's coins needs. */
const BLOCKS = 40;

/** Unaffected coins complete. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await operate(lab.demo, "POST", "/v1/networks/LTC/sandbox/mine", { blocks: BLOCKS / 5 });
    await lab.advance(ROUND_MS);
  }
}

interface Row {
  readonly status: number;
  readonly txId: string;
  readonly coin: string;
  readonly amount: string;
}

async function rows(what: "deposit/hisrec" | "withdraw/history", key: DemoAccount): Promise<Row[]> {
  const { status, body } = await answered(lab.signed("GET", `/sapi/v1/capital/${what}`, {}, { key }));
  assert.equal(status, 200, body.toString());
  return JSON.parse(body.toString()) as Row[];
}

const PENDING = 0;
const CREDITED = 6;
const SUCCESS = 1;
/** A deposit for which many blocks are mined at a time. */
const FINAL = ["seeDeposit", "finishDeposit"];

async function deposit(key: DemoAccount, amount: string, coin = "LTC"): Promise<string> {
  const body = { account: key.email, asset: coin, amount };
  return (await operate<{ txId: string }>(lab.demo, "POST", `/v1/networks/${coin}/sandbox/faucet`, body)).txId;
}

async function depositStatus(key: DemoAccount, txId: string): Promise<number | undefined> {
  return (await rows("deposit/hisrec", key)).find((row) => row.txId === txId)?.status;
}

async function withdraw(key: DemoAccount, amount: string): Promise<string> {
  const address = `stranger${"x".repeat(20)}`;
  const asked = { coin: "LTC", network: "LTC", address, amount };
  const { status, body } = await answered(lab.signed("POST", "/sapi/v1/capital/withdraw/apply", asked, { key }));
  assert.equal(status, 200, body.toString());
  return (JSON.parse(body.toString()) as { id: string }).id;
}

async function withdrawalStatus(key: DemoAccount, id: string): Promise<number | undefined> {
  const found = (await rows("withdraw/history", key)) as (Row & { id: string })[];
  return found.find((row) => row.id === id)?.status;
}

async function free(key: DemoAccount, asset: string): Promise<number> {
  const { body } = await answered(lab.signed("GET", "/api/v3/account", {}, { key }));
  const { balances } = JSON.parse(body.toString()) as { balances: { asset: string; free: string; locked: string }[] };
  const found = balances.find((each) => each.asset === asset);
  return Number(found?.free ?? 0) + Number(found?.locked ?? 0);
}

/** The journal's entries of a deposit, by its transaction, or of a withdrawal, by its id. */
function commandsOn(id: string): Command[] {
  const isOn = (command: Command): boolean =>
    "withdrawalId" in command ? command.withdrawalId === id : "txId" in command && command.txId === id;
  return lab
    .entriesSince(0)
    .map(({ command }) => command)
    .filter(isOn);
}

function steps(id: string): string[] {
  return commandsOn(id).map(({ type }) => type);
}

test("deposit-stuck: pending for its time; other deposits are credited", async () => {
  const where = { account: lab.alice.email, coin: "LTC", network: "LTC" };
  const id = await lab.fault({ fault: "deposit-stuck", ms: 6 * 5 * ROUND_MS, where, count: 1 });
  const before = await free(lab.alice, "LTC");
  const [stuck, others] = [await deposit(lab.alice, "3"), await deposit(lab.bob, "4")];
  await settle();
  const second = await deposit(lab.alice, "5");
  await settle();
  assert.deepEqual(
    [
      await depositStatus(lab.alice, stuck),
      await depositStatus(lab.bob, others),
      await depositStatus(lab.alice, second),
    ],
    [PENDING, SUCCESS, SUCCESS],
  );
  assert.equal((await free(lab.alice, "LTC")) - before, 5);
  const seen = ["seeDeposit"];
  assert.deepEqual([steps(stuck), steps(others), steps(second)], [seen, FINAL, FINAL]);
  const { strikes } = await lab.listed(id);
  const [{ atMs: _at, ...about } = { atMs: 0 }, ...more] = strikes;
  assert.deepEqual(more, []);
  const account = await lab.accountId(lab.alice.email);
  assert.deepEqual(about, { network: "LTC", account, coin: "LTC", amount: "3.00000000", txId: stuck });
  for (let i = 0; i < 6; i++) await settle();
  assert.equal(await depositStatus(lab.alice, stuck), SUCCESS);
  assert.equal((await free(lab.alice, "LTC")) - before, 8);
  assert.deepEqual(steps(stuck), FINAL);
});

test("deposit-stuck: until the fault is removed", async () => {
  const id = await lab.fault({ fault: "deposit-stuck", where: { account: lab.alice.email } });
  const stuck = await deposit(lab.alice, "3");
  await settle();
  assert.equal(await depositStatus(lab.alice, stuck), PENDING);
  assert.deepEqual(steps(stuck), ["seeDeposit"]);
  await operate(lab.demo, "DELETE", `/v1/lab/faults/${id}`);
  await settle();
  assert.equal(await depositStatus(lab.alice, stuck), SUCCESS);
  assert.deepEqual(steps(stuck), FINAL);
});

test("reorg: a deposit that was credited is taken back, as soon as it was; those that lie deeper stay", async () => {
  const deep = await deposit(lab.alice, "3");
  await settle();
  const [before, alices] = [await free(lab.bob, "LTC"), await free(lab.alice, "LTC")];
  const id = await lab.fault({
    fault: "reorg",
    depth: 3,
    where: { network: "LTC" },
    after: { deposit: { account: lab.bob.email, coin: "LTC" } },
  });
  const gone = await deposit(lab.bob, "7");
  const elsewhere = await deposit(lab.alice, "1", "BTC");
  for (let i = 0; i < 20 && (await lab.listed(id)).struck === 0; i++) {
    await operate(lab.demo, "POST", "/v1/networks/LTC/sandbox/mine", { blocks: 1 });
    await lab.advance(ROUND_MS);
  }
  const { strikes, armed } = await lab.listed(id);
  assert.equal(armed, true);
  assert.equal(strikes[0]?.["network"], "LTC");
  await operate(lab.demo, "POST", "/v1/networks/BTC/sandbox/mine", { blocks: BLOCKS });
  await settle();
  assert.notEqual(await depositStatus(lab.bob, gone), SUCCESS);
  assert.notEqual(await depositStatus(lab.bob, gone), CREDITED);
  assert.equal(await free(lab.bob, "LTC"), before);
  assert.deepEqual(steps(gone), ["seeDeposit", "creditDeposit", "dropDeposit"]);
  for (const other of [deep, elsewhere]) assert.equal(await depositStatus(lab.alice, other), SUCCESS);
  assert.deepEqual([steps(deep), steps(elsewhere)], [FINAL, ["seeDeposit", "creditDeposit", "finishDeposit"]]);
  assert.equal(await free(lab.alice, "LTC"), alices);
});

test("withdrawal-fails: the network takes the payment and pays nobody; the next one and another's are paid", async () => {
  const id = await lab.fault({ fault: "withdrawal-fails", where: { account: lab.alice.email }, count: 1 });
  const [before, bobs] = [await free(lab.alice, "LTC"), await free(lab.bob, "LTC")];
  const first = await withdraw(lab.bob, "1");
  const [bad, good] = [await withdraw(lab.alice, "1"), await withdraw(lab.alice, "2")];
  const last = await withdraw(lab.bob, "3");
  await settle();
  await settle();
  const [failed, completed] = [5, 6];
  assert.deepEqual(
    [
      await withdrawalStatus(lab.bob, first),
      await withdrawalStatus(lab.alice, bad),
      await withdrawalStatus(lab.alice, good),
      await withdrawalStatus(lab.bob, last),
    ],
    [completed, failed, completed, completed],
  );
  assert.equal(before - (await free(lab.alice, "LTC")), 2, "the first came back");
  assert.equal(bobs - (await free(lab.bob, "LTC")), 4);
  const signed = ["requestWithdrawal", "signWithdrawal"];
  assert.deepEqual(steps(bad), [...signed, "failSignedWithdrawal"]);
  for (const paid of [first, good, last]) assert.deepEqual(steps(paid), [...signed, "completeWithdrawal"]);
  const { struck, strikes } = await lab.listed(id);
  assert.deepEqual([struck, strikes[0]?.["withdrawal"]], [1, bad]);
});

test("withdrawal-rejected: one that waits for approval; the next one and another's go on waiting", async () => {
  const path = "/v1/assets/LTC";
  const asset = await operate<{ networks: object[] }>(lab.demo, "GET", path);
  const networks = asset.networks.map((network) => ({ ...network, approvalAbove: "0" }));
  await operate(lab.demo, "PUT", `${path}/networks`, networks);
  const where = { account: lab.alice.email, coin: "LTC" };
  const id = await lab.fault({ fault: "withdrawal-rejected", where, msg: "not today", count: 1 });
  const bobs = await withdraw(lab.bob, "1");
  const [bad, waits] = [await withdraw(lab.alice, "1"), await withdraw(lab.alice, "2")];
  await settle();
  const [rejected, awaiting] = [3, 2];
  assert.deepEqual(
    [
      await withdrawalStatus(lab.bob, bobs),
      await withdrawalStatus(lab.alice, bad),
      await withdrawalStatus(lab.alice, waits),
    ],
    [awaiting, rejected, awaiting],
  );
  const [asked, rejection, ...more] = commandsOn(bad);
  assert.deepEqual([asked?.type, more], ["requestWithdrawal", []]);
  assert.deepEqual(rejection, { type: "rejectWithdrawal", by: "lab", withdrawalId: bad, why: "not today" });
  for (const waiting of [bobs, waits]) assert.deepEqual(steps(waiting), ["requestWithdrawal"]);
  const { struck, strikes } = await lab.listed(id);
  assert.deepEqual([struck, strikes[0]?.["withdrawal"]], [1, bad]);
});

test("blocks that do not exist cannot leave a chain", async () => {
  const refusal = await lab.refusal({ fault: "reorg", depth: 101, where: { network: "LTC" } });
  assert.match(refusal, /^409 NOT_POSSIBLE depth: a whole number from 1 to \d+$/);
  assert.deepEqual(await lab.get("faults"), []);
  const { status } = await tryToOperate(lab.demo, "GET", "/v1/networks/LTC/sandbox");
  assert.equal(status, 200);
});

test("no kind of fault that strikes coins is missing here; what happens once is here or among the streams", () => {
  assert.deepEqual([...lab.seenToStrike].toSorted(), [...kindsThat(isCoinFault), "reorg"].toSorted());
  // Others: stream-faults.test.ts and stream-journal.test.ts.
  assert.deepEqual(
    kindsThat((fault) => !isChoosing(fault)),
    ["listen-key-expires", "reorg"],
  );
});
