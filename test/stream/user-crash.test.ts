/**
 * Killed under load again and again, the exchange has told nobody anything that recovery does not
 * hold: what each socket was sent is, word for word and without a gap, a piece of what the journal
 * makes; and that, folded, is what REST answers after the last start.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { Dice } from "@pricetime/testkit/dice";
import { hearUser, type Message } from "./user-ear.ts";
import { foldReports, ZERO } from "./user-fold.ts";
import { toldByJournal } from "./user-journal.ts";
import { MARKETS, UserLoad } from "./user-load.ts";
import { allOrders, myTrades } from "./user-statement.ts";

const KILLS = Number(process.env.STREAM_KILLS ?? 1);
const SEED = Number(process.env.STREAM_SEED ?? 20191021);
const CONNECTIONS_PER_ACCOUNT = 4;
/** What each account hears in a life at least, however slow the machine is. */
const LEAST_HEARD = 50;
const ARGS = ["--bots", "off", "--limits", "off"];

type Heard = Map<string, readonly Message[]>;

/** Trades until the exchange is killed; gives what each account heard. */
async function tradeUntilKilled(exchange: Exchange, random: Dice): Promise<Heard> {
  const clients: Client[] = [];
  const ears = await Promise.all(exchange.accounts.map((account) => hearUser(exchange, account)));
  const runs = exchange.accounts.flatMap((account) =>
    Array.from({ length: CONNECTIONS_PER_ACCOUNT }, async () => {
      const client = new Client(exchange.rest, account, 1);
      clients.push(client);
      const load = new UserLoad(exchange, account, client, new Dice(random.between(1, 1e9)), new Map());
      // Ends when the exchange does: what was not answered stays unknown.
      for (;;) await load.act();
    }),
  );
  const ended = Promise.allSettled(runs);
  await sleep(random.between(300, 900));
  await Promise.all(ears.map((heard) => heard.count(LEAST_HEARD)));
  // As soon as something was told: what was told too early is not yet on the disk then.
  const ear = random.pick(ears);
  await ear.until(() => true, ear.messages.length);
  await exchange.kill();
  await ended;
  await Promise.all(ears.map((ear) => ear.ended));
  for (const client of clients) client.close();
  return new Map(exchange.accounts.map(({ email }, i) => [email, ears[i]?.messages ?? []]));
}

/** Where in `told`, from `from` on, `heard` ends; it must stand there as a whole. */
function endInJournal(heard: readonly string[], told: readonly string[], from: number): number {
  if (heard.length === 0) return from;
  const start = told.indexOf(heard[0] as string, from);
  assert.notEqual(start, -1, `recovery does not hold ${heard[0]}`);
  for (const [i, message] of heard.entries()) {
    assert.equal(told[start + i], message, `message ${i} of ${heard.length} of a life is not what recovery holds`);
  }
  return start + heard.length;
}

test(`nothing was told that is not kept: ${KILLS} kills, seed ${SEED}`, { timeout: 240_000 }, async (t) => {
  const random = new Dice(SEED);
  const dataFolder = temporaryFolder();
  const lives: Heard[] = [];
  let exchange = await startExchange({ dataFolder, args: ARGS });
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      lives.push(await tradeUntilKilled(exchange, random));
      if (kill + 1 < KILLS) exchange = await startExchange({ dataFolder, args: ARGS });
    }
    const told = toldByJournal(dataFolder);
    exchange = await startExchange({ dataFolder, args: ARGS });
    for (const account of exchange.accounts) {
      const all = told.get(account.email) ?? [];
      const texts = all.map((message) => JSON.stringify(message));
      let end = 0;
      let seen = 0;
      for (const heard of lives) {
        const messages = (heard.get(account.email) ?? []).map((message) => JSON.stringify(message));
        end = endInJournal(messages, texts, end);
        seen += messages.length;
      }
      assert.ok(seen >= KILLS * LEAST_HEARD, `only ${seen} messages: this was no load`);
      t.diagnostic(`${account.name}: ${seen} heard, ${all.length} in the journal`);
      await compare(new Client(exchange.rest, account, 1), all);
    }
  } finally {
    await exchange.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});

async function compare(client: Client, told: readonly Message[]): Promise<void> {
  for (const { symbol, base, quote } of MARKETS) {
    const { orders, trades } = foldReports(told, symbol, { base, quote });
    assert.deepEqual(orders, await allOrders(client, symbol));
    const named = trades.map((row) =>
      row["commission"] === ZERO ? { ...row, commissionAsset: row["isBuyer"] === true ? base : quote } : row,
    );
    assert.deepEqual(named, await myTrades(client, symbol));
  }
  client.close();
}
