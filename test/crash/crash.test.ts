/**
 * Killed again and again under load (crash.campaign.ts: more often), at moments that nobody chose, the exchange loses nothing that it
 * answered: every order stands as answered, the money adds up, and the journal verifies.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, pricetime, startExchange } from "@pricetime/testkit/venue";
import { Dice } from "@pricetime/testkit/dice";
import { checkLists, checkLocked, checkOrders, statement, wealth } from "./audit.ts";
import { OrderLog, runConnection } from "@pricetime/testkit/load";

const KILLS = Number(process.env.CRASH_KILLS ?? 1);
const SEED = Number(process.env.CRASH_SEED ?? 20191021);
const CONNECTIONS_PER_ACCOUNT = 2;
const LONGEST_LOAD_MS = 700;
/** Answers awaited in each life before its kill, so that a slow machine, too, is killed under load. */
const MOST_ANSWERS_AWAITED = 150;
const LONGEST_WAIT_MS = 20_000;
const ARGS = ["--bots", "off", "--limits", "off"];

/** Killed at a random moment, once `isEnough`. */
async function loadUntilKilled(
  exchange: Exchange,
  log: OrderLog,
  random: Dice,
  isEnough: () => boolean,
): Promise<void> {
  let killed = false;
  const connections = exchange.accounts.flatMap((account) =>
    Array.from({ length: CONNECTIONS_PER_ACCOUNT }, () =>
      runConnection(exchange.rest, account, log, new Dice(random.between(1, 1e9)), () => killed),
    ),
  );
  const enough = log.answers + random.between(0, MOST_ANSWERS_AWAITED);
  const latest = Date.now() + LONGEST_WAIT_MS;
  await sleep(random.between(0, LONGEST_LOAD_MS));
  while ((log.answers < enough || !isEnough()) && Date.now() < latest) await sleep(5);
  await exchange.kill();
  killed = true;
  await Promise.all(connections);
}

function verifyJournal(dataFolder: string): void {
  const { code, stdout, stderr } = pricetime("journal", "verify", "--data", dataFolder);
  assert.equal(code, 0, `journal verify: ${stdout}${stderr}`);
}

async function audit(exchange: Exchange, log: OrderLog): Promise<ReadonlyMap<string, bigint>> {
  const statements = await Promise.all(exchange.accounts.map((account) => statement(exchange.rest, account)));
  checkOrders(log, statements);
  for (const each of statements) {
    checkLists(log, each);
    checkLocked(each);
  }
  return wealth(statements);
}

const ALL_TYPES = [
  "LIMIT",
  "LIMIT_MAKER",
  "MARKET",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
];

/** Types of the orders that were taken, in the order of the alphabet. */
const typesTaken = ({ sent }: OrderLog): string[] =>
  [...new Set(sent.filter(({ orderId }) => orderId !== undefined).map(({ type }) => type))].sort();

const hasList = ({ lists }: OrderLog): boolean => lists.some(({ orderListId }) => orderListId !== undefined);

test(`killed ${KILLS} times under load, seed ${SEED}`, { timeout: 600_000 }, async (t) => {
  const random = new Dice(SEED);
  const log = new OrderLog();
  const dataFolder = temporaryFolder();
  let exchange = await startExchange({ dataFolder, args: ARGS });
  try {
    const before = await audit(exchange, log);
    for (let kill = 0; kill < KILLS; kill++) {
      // On a busy machine the last life goes on until orders of every type were taken.
      const isVaried = (): boolean => typesTaken(log).length === ALL_TYPES.length && hasList(log);
      await loadUntilKilled(exchange, log, random, kill < KILLS - 1 ? () => true : isVaried);
      verifyJournal(dataFolder);
      exchange = await startExchange({ dataFolder, args: ARGS });
      assert.deepEqual(await audit(exchange, log), before, `money after kill ${kill + 1}`);
    }
    assert.ok(log.answers > KILLS * 10, `only ${log.answers} answers: this was no load`);
    assert.deepEqual(typesTaken(log), ALL_TYPES);
    assert.ok(hasList(log), "no list was taken");
    t.diagnostic(`${log.sent.length} orders sent, ${log.answers} answers, the last start took ${exchange.readyMs} ms`);
    assert.equal(await exchange.stop(), 0, "a graceful stop");
    verifyJournal(dataFolder);
  } finally {
    await exchange.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
