/** A whole lab is restored, under clients that stay connected. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { verifyHistory } from "../../../src/journal/storage/rebuild-history.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { openStorage } from "../../../src/journal/storage/storage.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { LAB_KINDS, type RunningLab, startLab } from "./running-lab.ts";

interface Taken {
  readonly name: string;
  readonly seq: number;
  readonly nowMs: number;
  readonly hash: string;
  readonly bytes: number;
}
type Json = Record<string, unknown>;

const nowOf = async (lab: RunningLab): Promise<number> =>
  (await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs;
const advance = (lab: RunningLab, ms: number): Promise<unknown> => lab.ask("POST", "/v1/lab/clock/advance", { ms });
const restore = (lab: RunningLab, name: string, options?: object): Promise<Taken> =>
  lab.ask<Taken>("POST", `/v1/lab/checkpoints/${name}/restore`, options);
const take = (lab: RunningLab, name: string): Promise<Taken> => lab.ask<Taken>("POST", "/v1/lab/checkpoints", { name });

async function order(lab: RunningLab, side: "BUY" | "SELL", price: string, account = 0): Promise<Json> {
  const parameters = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price };
  const answer = await lab.clients[account]!.signed<Json>("POST", "/api/v3/order", {
    ...parameters,
    timestamp: await nowOf(lab),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function signed(lab: RunningLab, path: string, parameters: Record<string, string> = {}): Promise<unknown> {
  const answer = await lab.clients[0]!.signed("GET", path, { ...parameters, timestamp: await nowOf(lab) });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** What is visible from outside. */
async function seen(lab: RunningLab): Promise<unknown> {
  const pages = ["/api/v3/depth?symbol=BTCUSDT", "/api/v3/trades?symbol=BTCUSDT", "/api/v3/ticker/24hr?symbol=BTCUSDT"];
  const told = await Promise.all(pages.map(async (page) => (await fetch(`${lab.rest}${page}`)).json()));
  const { balances } = (await signed(lab, "/api/v3/account")) as Json;
  const symbol = { symbol: "BTCUSDT" };
  return {
    told,
    balances,
    orders: await signed(lab, "/api/v3/allOrders", symbol),
    trades: await signed(lab, "/api/v3/myTrades", symbol),
    journal: await lab.ask("GET", "/v1/journal"),
    clock: await lab.ask("GET", "/v1/lab/clock"),
  };
}

for (const kind of LAB_KINDS) {
  test(`everything goes back, by name, however often; the clock is right after each (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    await advance(lab, 1_000);
    await order(lab, "BUY", "30000.00");
    const taken = await take(lab, "funded");
    const before = await seen(lab);
    const rounds: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const first = await order(lab, "BUY", "31000.00");
      await advance(lab, 2_000 * (round + 1));
      await order(lab, "SELL", "31000.00", 1);
      assert.deepEqual(await restore(lab, "funded"), taken);
      assert.deepEqual(await seen(lab), before);
      // The same requests give the same bytes again.
      await order(lab, "BUY", "31000.00");
      await order(lab, "SELL", "31000.00", 1);
      await advance(lab, 1_500);
      rounds.push({ ...((await seen(lab)) as object), first: first["orderId"] });
      await restore(lab, "funded");
    }
    for (const round of rounds) assert.deepEqual(round, rounds[0]);
  });

  test(`back and forth between checkpoints, and to the start; what is gone is told (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    const start = await seen(lab);
    const one = await take(lab, "one");
    await order(lab, "BUY", "30000.00");
    await advance(lab, 1_000);
    const two = await take(lab, "two");
    const atTwo = await seen(lab);
    await restore(lab, "one");
    assert.deepEqual(await seen(lab), start);
    await order(lab, "BUY", "29000.00");
    await take(lab, "three:other-way");
    assert.deepEqual(await restore(lab, "two"), two);
    assert.deepEqual(await seen(lab), atTwo);
    const list = await lab.ask<Taken[]>("GET", "/v1/lab/checkpoints");
    assert.deepEqual(
      list.map(({ name }) => name),
      ["one", "two", "three:other-way"],
    );
    const shown = await lab.ask("GET", "/v1/lab/checkpoints/two");
    assert.equal(shown["openOrders"], 1);
    assert.ok((shown["symbols"] as string[]).includes("BTCUSDT"));
    const again = { name: "two" };
    assert.equal((await lab.ask("POST", "/v1/lab/checkpoints", again, 409))["error"], "ALREADY_EXISTS");
    await lab.ask("POST", "/v1/lab/checkpoints", { ...again, replace: true });
    await lab.ask("DELETE", "/v1/lab/checkpoints/two");
    for (const [method, path] of [
      ["GET", "two"],
      ["DELETE", "two"],
      ["POST", "two/restore"],
      ["GET", "two/file"],
    ] as const) {
      const refused = await lab.ask(method, `/v1/lab/checkpoints/${path}`, undefined, 404);
      assert.equal(refused["error"], "UNKNOWN_CHECKPOINT");
    }
    await lab.ask("POST", "/v1/lab/checkpoints", { name: "../x" }, 400);
    const reset = await lab.ask("POST", "/v1/lab/reset");
    assert.deepEqual(await seen(lab), start);
    assert.notEqual(reset["hash"], one.hash, "looking around counts against the limits");
    assert.deepEqual(await lab.ask("POST", "/v1/lab/reset"), reset);
  });

  test(`streams are closed as at a restart; HTTP connections stay; whoever waits at the door comes in afterwards (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    const stream = new WebSocket(`${lab.ws}/stream?streams=btcusdt@depth/btcusdt@kline_1m/!miniTicker@arr`);
    await once(stream, "open");
    // With listeners present, none of which is left afterwards.
    await take(lab, "start");
    const closed = once(stream, "close") as Promise<[CloseEvent]>;
    const asked = Array.from({ length: 20 }, () => lab.clients[0]!.public("/api/v3/ping"));
    const restoring = restore(lab, "start");
    const during = Array.from({ length: 20 }, () => lab.clients[0]!.public("/api/v3/depth", { symbol: "BTCUSDT" }));
    for (const answer of await Promise.all([...asked, ...during])) assert.equal(answer.status, 200);
    await restoring;
    assert.equal((await closed)[0].code, 1001);
    const next = new WebSocket(`${lab.ws}/ws/btcusdt@trade`);
    await once(next, "open");
    const message = once(next, "message") as Promise<[{ readonly data: string }]>;
    await order(lab, "BUY", "30000.00");
    await order(lab, "SELL", "30000.00", 1);
    assert.equal((JSON.parse((await message)[0].data) as Json)["e"], "trade");
    next.close();
  });

  test(`a checkpoint is a file, and another lab of the same seed goes there; what is no checkpoint is refused whole (${kind})`, async (t) => {
    const lab = await startLab(t, {}, kind);
    await order(lab, "BUY", "30000.00");
    await advance(lab, 1_000);
    const taken = await take(lab, "shipped");
    const before = await seen(lab);
    const answer = await lab.send("GET", "/v1/lab/checkpoints/shipped/file");
    const file = Buffer.from(await answer.arrayBuffer());
    const other = await startLab(t, {}, kind);
    await order(other, "SELL", "90000.00");
    const here = await seen(other);
    const put = async (name: string, bytes: Buffer): Promise<[number, Json]> => {
      const told = await other.send("POST", `/v1/lab/checkpoints/${name}/file`, new Uint8Array(bytes));
      return [told.status, (await told.json()) as Json];
    };
    const spoilt = (at: number): Buffer => {
      const bytes = Buffer.from(file);
      bytes[at]! ^= 1;
      return bytes;
    };
    const wrong = [
      Buffer.alloc(0),
      Buffer.from("a text that is long enough to be a header of it"),
      file.subarray(0, file.length - 1),
      file.subarray(0, file.length >> 1),
      ...[0, 9, 14, 30, 200, file.length >> 1, file.length - 1].map(spoilt),
    ];
    for (const [index, bytes] of wrong.entries()) {
      const [status, told] = await put("wrong", bytes);
      assert.deepEqual(
        [status, told["error"]],
        [400, "CHECKPOINT_UNREADABLE"],
        `file ${index}: ${JSON.stringify(told)}`,
      );
    }
    assert.deepEqual(await other.ask("GET", "/v1/lab/checkpoints"), []);
    assert.deepEqual(await seen(other), here);
    const [status, imported] = await put("mine", file);
    assert.equal(status, 201, JSON.stringify(imported));
    assert.equal(imported["hash"], taken.hash);
    assert.equal((await restore(other, "mine")).hash, taken.hash);
    assert.deepEqual(await seen(other), before);
    assert.equal((await put("mine", file))[0], 409);

    const stranger = await startLab(t, { seed: 2 }, kind);
    const told = await stranger.send("POST", "/v1/lab/checkpoints/mine/file", new Uint8Array(file));
    assert.deepEqual([told.status, ((await told.json()) as Json)["error"]], [409, "CHECKPOINT_UNFIT"]);
  });

  test(`bots and their market go back, too: the same minute gives the same journal, in this lab and in another (${kind})`, async (t) => {
    const [lab, other] = [await startLab(t, { bots: "on" }, kind), await startLab(t, { bots: "on" }, kind)];
    await advance(lab, 5_000);
    const taken = await take(lab, "market");
    const heads = new Set<unknown>();
    const live = async (at: RunningLab): Promise<void> => {
      await order(at, "BUY", "100000.00");
      await advance(at, 5_000);
      heads.add((await at.ask("GET", "/v1/journal"))["chainHash"]);
    };
    for (let round = 0; round < 2; round++) {
      await live(lab);
      assert.deepEqual(await restore(lab, "market"), taken);
    }
    const file = await lab.send("GET", "/v1/lab/checkpoints/market/file");
    await other.send("POST", "/v1/lab/checkpoints/market/file", new Uint8Array(await file.arrayBuffer()));
    assert.equal((await restore(other, "market")).hash, taken.hash);
    await live(other);
    assert.equal(heads.size, 1);
  });
}

test("on a folder the journal is cut, and the folder is whole and a lab's afterwards", async (t) => {
  const lab = await startLab(t);
  await order(lab, "BUY", "30000.00");
  await take(lab, "here");
  for (const price of ["31000.00", "32000.00"]) await order(lab, "BUY", price);
  await restore(lab, "here");
  await order(lab, "SELL", "30000.00", 1);
  const { lastSeq } = (await lab.ask("GET", "/v1/journal")) as { lastSeq: number };
  await lab.stop();
  const paths = dataPaths(lab.folder);
  const { fault, entries } = verifyJournalFile(paths.journal, paths.snapshots);
  assert.deepEqual([fault, entries], [null, lastSeq]);
  assert.equal(verifyHistory(paths).fault, null);
  assert.ok(!existsSync(join(lab.folder, "checkpoints")));
  const options = { world: MACHINE, folder: lab.folder, snapshotEveryEntries: 0, onFatal: () => {} };
  assert.throws(() => openStorage(options), { name: "FolderOfOtherKind" });
});

test("what a start would put right stays as it was: an account that has spent all, a key that was deleted", async (t) => {
  const lab = await startLab(t, { bots: "on" });
  const { email, apiKey } = lab.accounts[0]!;
  await lab.ask("POST", `/v1/lab/accounts/${email}/balances`, { USDT: "0", BTC: "0" });
  await lab.ask("POST", `/v1/lab/accounts/depth-btcusdt@bots.pricetime/balances`, { USDT: "0" });
  await lab.ask("DELETE", `/v1/keys/${apiKey}`);
  const taken = await take(lab, "poor");
  const live = async (): Promise<unknown> => {
    await advance(lab, 2_000);
    return (await lab.ask("GET", "/v1/journal"))["chainHash"];
  };
  const first = await live();
  assert.deepEqual(await restore(lab, "poor"), taken);
  assert.equal(await live(), first);
  const other = await startLab(t, { bots: "off" });
  await take(other, "no-bots");
  const file = await (await other.send("GET", "/v1/lab/checkpoints/no-bots/file")).arrayBuffer();
  await lab.send("POST", "/v1/lab/checkpoints/no-bots/file", new Uint8Array(file));
  const refused = await lab.ask("POST", "/v1/lab/checkpoints/no-bots/restore", undefined, 409);
  assert.equal(refused["error"], "CHECKPOINT_UNFIT");
  assert.match(String(refused["message"]), /has no account .*@/);
});
