/**
 * The real program, killed between the steps of deposits and withdrawals: every step is taken in the
 * end, and none twice. The sandbox plays the chain and outlives the node, as a chain does.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { Dice } from "@pricetime/testkit/dice";
import { until, untilAnswer } from "@pricetime/testkit/waiting";

const SEED = Number(process.env["WALLET_SEED"] ?? 20191021);
/** A coin of the demo that the bots and the other tests leave alone; its network makes blocks when told to. */
const COIN = "DOGE";
const NETWORK = "DOGE";
const FEE = 5;
const [PENDING, CREDITED, SUCCESS] = [0, 6, 1] as const;
const COMPLETED = 6;
const PATIENCE_MS = 60_000;
const LONGEST_LIFE_MS = 300;
/** One life in so many ends by a kill, while many withdrawals are under way. */
const KILLED_OF = Number(process.env["WALLET_KILLED_OF"] ?? 2);
/** More than a network pays at a time. */
const MANY = 10;

interface Deposit {
  readonly txId: string;
  readonly amount: string;
  readonly status: number;
}
interface Withdrawal {
  readonly id: string;
  readonly txId?: string;
  readonly amount: string;
  readonly status: number;
}

class KilledVenue {
  readonly #folder = temporaryFolder();
  readonly #args: readonly string[];
  #exchange: Exchange | undefined;
  kills = 0;

  constructor() {
    const config = join(this.#folder, "config.yaml");
    writeFileSync(config, `wallet: { networks: [{ kind: sandbox, network: ${NETWORK}, blockMs: 0 }] }\n`);
    this.#args = ["--bots", "off", "--limits", "off", "--config", config];
  }

  get #running(): Exchange {
    return this.#exchange ?? assert.fail("not started");
  }

  async start(): Promise<void> {
    this.#exchange = await startExchange({ dataFolder: join(this.#folder, "data"), args: this.#args });
  }
  async kill(): Promise<void> {
    await this.#running.kill();
    this.kills++;
    await this.start();
  }
  stop(): Promise<number | null> {
    return this.#running.stop();
  }
  async remove(): Promise<void> {
    await this.#exchange?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  email(customer: number): string {
    return this.#running.accounts[customer]?.email ?? assert.fail();
  }

  async ask<T>(customer: number, method: string, path: string, parameters = {}): Promise<T> {
    const client = new Client(this.#running.rest, this.#running.accounts[customer]);
    try {
      for (;;) {
        const { status, text, json } = await client.signed<T>(method, path, parameters);
        // After a start history may be behind for a while, and says so.
        if (status === 503 && method === "GET") continue;
        assert.equal(status, 200, `${path}: ${text}`);
        return json;
      }
    } finally {
      client.close();
    }
  }

  async operate<T>(path: string, body?: object): Promise<T> {
    return operate<T>(this.#running, body === undefined ? "GET" : "POST", path, body);
  }

  mine = (blocks: number): Promise<object> => this.operate(`/v1/networks/${NETWORK}/sandbox/mine`, { blocks });
  reorg = (depth: number): Promise<object> => this.operate(`/v1/networks/${NETWORK}/sandbox/reorg`, { depth });

  async faucet(address: string, amount: string): Promise<string> {
    const body = { asset: COIN, address, amount };
    return (await this.operate<{ txId: string }>(`/v1/networks/${NETWORK}/sandbox/faucet`, body)).txId;
  }
  async addressOf(customer: number): Promise<string> {
    return (await this.ask<{ address: string }>(customer, "GET", "/sapi/v1/capital/deposit/address", { coin: COIN }))
      .address;
  }
  deposits(customer: number): Promise<Deposit[]> {
    return this.ask(customer, "GET", "/sapi/v1/capital/deposit/hisrec", { coin: COIN });
  }
  withdrawals(customer: number): Promise<Withdrawal[]> {
    return this.ask(customer, "GET", "/sapi/v1/capital/withdraw/history", { coin: COIN });
  }
  async withdraw(customer: number, address: string, amount: number): Promise<string> {
    const path = "/sapi/v1/capital/withdraw/apply";
    return (await this.ask<{ id: string }>(customer, "POST", path, { coin: COIN, address, amount })).id;
  }
  async balance(customer: number): Promise<number> {
    const { balances } = await this.ask<{ balances: { asset: string; free: string; locked: string }[] }>(
      ...([customer, "GET", "/api/v3/account"] as const),
    );
    const { free, locked } = balances.find(({ asset }) => asset === COIN) ?? assert.fail();
    return Number(free) + Number(locked);
  }

  /** Asks until the deposit stands so; the watcher works behind the blocks. */
  async deposited(customer: number, txId: string, status: number | undefined): Promise<void> {
    const ask = async (): Promise<number | undefined> =>
      (await this.deposits(customer)).find((each) => each.txId === txId)?.status;
    await untilAnswer(`deposit with status ${status}`, ask, (found) => found === status);
  }
}

async function withVenue(run: (venue: KilledVenue) => Promise<void>): Promise<void> {
  const venue = new KilledVenue();
  try {
    await venue.start();
    await run(venue);
    assert.equal(await venue.stop(), 0, "a graceful stop");
  } finally {
    await venue.remove();
  }
}

test("a deposit goes 0, 6, 1, killed between the steps, and counts once", { timeout: 300_000 }, async () => {
  await withVenue(async (venue) => {
    const before = await venue.balance(0);
    const address = await venue.addressOf(0);
    await venue.kill();
    assert.equal(await venue.addressOf(0), address);
    const txId = await venue.faucet(address, "12.5");
    await venue.kill();
    await venue.mine(1);
    await venue.kill();
    await venue.deposited(0, txId, PENDING);
    assert.equal(await venue.balance(0), before);
    await venue.kill();
    await venue.mine(1);
    await venue.kill();
    await venue.deposited(0, txId, CREDITED);
    assert.equal(await venue.balance(0), before + 12.5);
    await venue.mine(2);
    await venue.kill();
    await venue.deposited(0, txId, SUCCESS);
    await venue.kill();
    await venue.mine(5);
    assert.deepEqual((await venue.deposits(0)).filter((each) => each.txId === txId).length, 1);
    assert.equal(await venue.balance(0), before + 12.5);
  });
});

test("a reorg takes a deposit back, though the node dies of it", { timeout: 300_000 }, async () => {
  await withVenue(async (venue) => {
    const before = await venue.balance(0);
    const txId = await venue.faucet(await venue.addressOf(0), "12.5");
    await venue.mine(2);
    await venue.deposited(0, txId, CREDITED);
    await venue.reorg(2);
    await venue.kill();
    await venue.deposited(0, txId, undefined);
    assert.equal(await venue.balance(0), before);
    await venue.kill();
    await venue.mine(6);
    await venue.deposited(0, txId, undefined);
    assert.equal(await venue.balance(0), before);
  });
});

test("a withdrawal is signed once and arrives once, killed between the steps", { timeout: 300_000 }, async () => {
  await withVenue(async (venue) => {
    const [before, othersBefore] = [await venue.balance(0), await venue.balance(1)];
    const address = await venue.addressOf(1);
    const id = await venue.withdraw(0, address, 105);
    await venue.kill();
    const find = async (): Promise<Withdrawal | undefined> =>
      (await venue.withdrawals(0)).find((each) => each.id === id);
    const isSigned = (found?: Withdrawal): boolean => (found?.txId ?? "") !== "";
    const txId = (await untilAnswer("it is signed", find, isSigned))?.txId ?? assert.fail();
    await venue.kill();
    await venue.mine(1);
    await venue.kill();
    assert.equal((await find())?.txId, txId);
    // What the node had paid when it died leaves the chain with the block: the same bytes are sent again.
    await venue.reorg(1);
    await venue.kill();
    await until("it is completed", async () => {
      await venue.mine(1);
      return (await find())?.status === COMPLETED;
    });
    assert.equal((await find())?.txId, txId);
    await venue.kill();
    await venue.mine(5);
    await venue.deposited(1, txId, SUCCESS);
    assert.deepEqual(
      (await venue.deposits(1)).map(({ amount }) => Number(amount)),
      [105 - FEE],
    );
    assert.equal(await venue.balance(0), before - 105);
    assert.equal(await venue.balance(1), othersBefore + 105 - FEE);
  });
});

test(`many withdrawals, killed at any moment, seed ${SEED}`, { timeout: 300_000 }, async (t) => {
  const random = new Dice(SEED);
  await withVenue(async (venue) => {
    const [before, othersBefore] = [await venue.balance(0), await venue.balance(1)];
    const address = await venue.addressOf(1);
    const amounts = Array.from({ length: MANY }, (_, i) => 20 + i);
    for (const amount of amounts) await venue.withdraw(0, address, amount);
    const lateMs = Date.now() + 4 * PATIENCE_MS;
    for (;;) {
      await venue.mine(random.between(1, 3));
      if (random.between(1, 4) === 1) await venue.reorg(1);
      await sleep(random.between(0, LONGEST_LIFE_MS));
      if (random.between(1, KILLED_OF) === 1) await venue.kill();
      const rows = await venue.withdrawals(0);
      if (rows.length === MANY && rows.every(({ status }) => status === COMPLETED)) break;
      assert.ok(Date.now() < lateMs, JSON.stringify(rows));
    }
    await venue.mine(5);
    const arrived = async (): Promise<string> => {
      const rows = (await venue.deposits(1)).filter(({ status }) => status === SUCCESS);
      return String(rows.map(({ amount }) => Number(amount)).sort((a, b) => a - b));
    };
    const expected = String(amounts.map((amount) => amount - FEE));
    await untilAnswer(expected, arrived, (amountsThere) => amountsThere === expected);
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    assert.equal(await venue.balance(0), before - total);
    assert.equal(await venue.balance(1), othersBefore + total - MANY * FEE);
    t.diagnostic(`${venue.kills} kills`);
  });
});
