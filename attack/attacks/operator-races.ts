/**
 * Operators and the withdrawal sender act at the same time: a withdrawal that is rejected and still sent pays the funds
 * twice. The journal's disk is slowed down here, so that actions between two commits are decided on the state before
 * the first.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { Client, encode, sign } from "@pricetime/testkit/client";
import {
  STEERED,
  type DemoAccount,
  type Exchange,
  operate,
  startExchange,
  tryToOperate,
} from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import type { Scope } from "../scope.ts";
import { journalFault } from "../starts.ts";

const COMMIT_MS = 20;
/** Delays of the operators after the block that wakes the sender, in turn: within a commit, at its end, after it. */
const AIMS_MS: readonly number[] = [0, 2, 5, 10, 19, 21, 30];
const ATTEMPTS = 31;
const SHORT_ATTEMPTS = 7;
const SETTLED_MS = 60_000;
const BLOCKS_BETWEEN = 6;

const NETWORKS = [
  // Blocks are mined by the attack: the sender looks for work after each block.
  { network: "BTC", kind: "sandbox", blockMs: 0 },
  { network: "BANK", kind: "manual" },
];

async function startSlow(scope: Scope): Promise<Exchange> {
  const config = join(scope.folder(), "pricetime.yaml");
  writeFileSync(config, JSON.stringify({ wallet: { networks: NETWORKS } }));
  const steering = join(scope.folder(), "steering.json");
  writeFileSync(steering, JSON.stringify({ commitMs: COMMIT_MS }));
  process.env["TEST_STEERING_FILE"] = steering;
  const args = ["--bots", "off", "--limits", "off", "--config", config];
  const exchange = await startExchange({ dataFolder: scope.folder(), args, nodeArgs: STEERED });
  scope.defer(() => exchange.kill());
  return exchange;
}

type Wanted = Readonly<{ asset: string; address: string; amount: string }>;
interface Withdrawal {
  readonly id: string;
  readonly address: string;
  readonly status: number;
  readonly amount: number;
  readonly transactionFee: number;
}

class Customer {
  readonly #client: Client;
  readonly #account: DemoAccount;

  constructor({ rest, accounts }: Exchange) {
    this.#account = accounts[0] as DemoAccount;
    this.#client = new Client(rest, this.#account);
  }

  close(): void {
    this.#client.close();
  }

  async withdraw(wanted: Wanted): Promise<string> {
    const answer = await this.#ask<{ id?: string }>("POST", "/wapi/v3/withdraw.html", wanted);
    if (answer.id === undefined) throw new Error(`no withdrawal: ${JSON.stringify(answer)}`);
    return answer.id;
  }

  async withdrawals(asset: string): Promise<readonly Withdrawal[]> {
    const path = "/wapi/v3/withdrawHistory.html";
    return (await this.#ask<{ withdrawList: Withdrawal[] }>("GET", path, { asset })).withdrawList;
  }

  /** The account's balance of the asset, free and locked, in its smallest units. */
  async owns(asset: string): Promise<bigint> {
    const { json } = await this.#client.signed<{ balances: Balance[] }>("GET", "/api/v3/account");
    const balance = json.balances.find((each) => each.asset === asset);
    return units(balance?.free ?? "0") + units(balance?.locked ?? "0");
  }

  async #ask<T>(method: string, path: string, parameters: Readonly<Record<string, string>>): Promise<T> {
    const payload = encode({ ...parameters, recvWindow: 60_000, timestamp: Date.now() });
    const query = `${payload}&signature=${sign(this.#account.secretKey, payload)}`;
    return (await this.#client.send<T>(method, path, { query, headers: { "X-MBX-APIKEY": this.#account.apiKey } }))
      .json;
  }
}

type Balance = Readonly<{ asset: string; free: string; locked: string }>;
const UNITS = 8;
/** A decimal with at most 8 places, in units of the eighth place. */
function units(decimal: string): bigint {
  const [whole = "", part = ""] = decimal.split(".");
  return BigInt(whole + part.padEnd(UNITS, "0"));
}
const unitsOf = (value: number): bigint => units(value.toFixed(UNITS));

/** The payments to each address on the sandbox chain, from the chain itself. */
function minedTo(folder: string, network: string): Map<string, number> {
  const database = new DatabaseSync(join(folder, "sandbox", `${encodeURIComponent(network)}.sqlite`), {
    readOnly: true,
  });
  try {
    const rows = database
      .prepare(
        "SELECT address, count(*) AS times FROM transactions WHERE height IS NOT NULL AND is_success = 1 GROUP BY address",
      )
      .all() as { address: string; times: number }[];
    return new Map(rows.map(({ address, times }) => [address, times]));
  } finally {
    database.close();
  }
}

type Act = readonly [step: string, body: object];
interface Race {
  readonly does: string;
  readonly asset: string;
  readonly amount: string;
  readonly attempts: number;
  /** The requests that operators send at the same time, with their bodies. */
  readonly acts: readonly Act[];
  /** Absent: no blocks are mined, and an operator reports the payments. */
  readonly chain?: string;
}

const FAIL: Act = ["fail", { why: "attack" }];
const REJECT: Act = ["reject", { why: "attack" }];
const races = (isShort: boolean): readonly Race[] => [
  {
    does: "an operator fails a withdrawal while it is being signed",
    ...{ asset: "BTC", amount: "0.01", attempts: isShort ? SHORT_ATTEMPTS : ATTEMPTS, acts: [FAIL], chain: "BTC" },
  },
  {
    does: "approve, reject, cancel, fail and complete a withdrawal that awaits approval, at the same time",
    ...{ asset: "BTC", amount: "101", attempts: isShort ? 2 : 5, chain: "BTC" },
    acts: [["approve", {}], REJECT, ["cancel", {}], FAIL, ["complete", { txId: "attack" }]],
  },
  {
    does: "fail and complete a withdrawal at the same time, on a manual network",
    ...{ asset: "IDR", amount: "100000", attempts: isShort ? SHORT_ATTEMPTS : ATTEMPTS },
    acts: [FAIL, ["complete", { txId: "attack" }], FAIL],
  },
];

/**
 * Requests withdrawals one after another, each with operators who act on it at the aimed times, and waits until each is
 * completed.
 */
async function strike(
  exchange: Exchange,
  customer: Customer,
  { asset, amount, attempts, acts, chain }: Race,
): Promise<string[]> {
  const addresses: string[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const address = `attack${asset}${amount.replace(".", "p")}n${String(attempt).padStart(16, "0")}`;
    addresses.push(address);
    const id = await customer.withdraw({ asset, address, amount });
    if (chain !== undefined) await mine(exchange, chain);
    await sleep(AIMS_MS[attempt % AIMS_MS.length] ?? 0);
    // Another action is first each time.
    const turned = acts.map((_, i) => acts[(i + attempt) % acts.length] as Act);
    await Promise.all(
      turned.map(([step, body]) =>
        tryToOperate(exchange, "POST", `/v1/withdrawals/${id}/${step}`, { ...body, ...uniqueTx(step, id) }),
      ),
    );
    if (chain === undefined) continue;
    // Every transaction that is broadcast is mined and final, so the sender is free for the next.
    for (let blocks = 0; blocks < BLOCKS_BETWEEN; blocks++, await sleep(2 * COMMIT_MS)) await mine(exchange, chain);
  }
  return addresses;
}

async function mine(exchange: Exchange, chain: string): Promise<void> {
  await operate(exchange, "POST", `/v1/networks/${chain}/sandbox/mine`, { blocks: 1 });
}

/** A payment may be reported only once. */
const uniqueTx = (step: string, id: string): object => (step === "complete" ? { txId: `paid-${id}` } : {});

async function race(exchange: Exchange, customer: Customer, played: Race): Promise<Row> {
  const { asset, attempts, chain } = played;
  const checks = new Checks();
  const before = await customer.owns(asset);
  const addresses = await strike(exchange, customer, played);
  const isOver = async (): Promise<boolean> => {
    if (chain !== undefined) await mine(exchange, chain);
    return (await operate<unknown[]>(exchange, "GET", "/v1/withdrawals")).length === 0;
  };
  checks.expect("every withdrawal ends", await comes(isOver, { withinMs: SETTLED_MS }));
  const rows = (await customer.withdrawals(asset)).filter(({ address }) => addresses.includes(address));
  const paid = rows.filter(({ status }) => status === 6);
  const mined = chain === undefined ? new Map<string, number>() : minedTo(exchange.dataFolder, chain);
  const left = addresses.filter((address) => mined.has(address));
  const twice = rows.filter(({ address, status }) => status !== 6 && mined.has(address));
  checks.observe(
    `${attempts} tried, ${paid.length} paid, ${rows.length - paid.length} refunded, ${left.length} on the chain`,
  );
  checks.expect(`no withdrawal is refunded and paid (${twice.length} are)`, twice.length === 0);
  checks.expect("each is in the history", rows.length === attempts);
  if (chain !== undefined)
    checks.expect(
      "completed withdrawals are on the chain",
      paid.every(({ address }) => mined.get(address) === 1),
    );
  const spent = paid.reduce((sum, { amount, transactionFee }) => sum + unitsOf(amount) + unitsOf(transactionFee), 0n);
  checks.expect(
    "the customer's balance fell by exactly what was paid",
    before - (await customer.owns(asset)) === spent,
  );
  const bound = "each is paid or refunded, never both";
  const does = `${played.does}, ${attempts} times`;
  return checks.row("races of operators", does, bound);
}

async function run({ scope, isShort }: Campaign): Promise<Row[]> {
  const exchange = await startSlow(scope);
  const customer = new Customer(exchange);
  scope.defer(() => customer.close());
  const rows: Row[] = [];
  for (const each of races(isShort)) rows.push(await race(exchange, customer, each));
  await exchange.stop();
  const fault = journalFault(exchange.dataFolder);
  const [last] = rows.slice(-1);
  if (fault !== null && last !== undefined)
    rows.push({ ...last, does: "the books after all of these attacks", broken: [fault] });
  return rows;
}

export const operatorRaces: Attack = { name: "races", run };
