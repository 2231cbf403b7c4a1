/** The machine's clock jumps and is corrected: checks the effect on clients whose clocks were right all the time. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { STEERED, type Exchange, readiness, type StartOptions } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import type { Scope } from "../scope.ts";
import { isPlainRefusal, isRunning, journalFault, tryToStart, whyNot } from "../starts.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** How soon an order must be accepted after the clock is corrected. */
const RECOVERY_MS = 15_000;
const PAUSE_MS = 6_000;

/** The control file of a program started with `STEERED`. */
interface Steering {
  /** The error of the wall clock. */
  readonly clockMs?: number;
  /** How long the machine has slept, which also changes the clock that counts sleep. */
  readonly sleptMs?: number;
}

interface Clock {
  readonly options: StartOptions;
  /** Sets the program's clocks. */
  steer(to: Steering): void;
}

/** The real program with controlled clocks. */
function clockOf(scope: Scope): Clock {
  const path = join(scope.folder(), "steering.json");
  const steer = (to: Steering): void => {
    writeFileSync(`${path}.new`, JSON.stringify(to));
    renameSync(`${path}.new`, path);
  };
  steer({});
  process.env["TEST_STEERING_FILE"] = path;
  return { options: { nodeArgs: STEERED, dataFolder: scope.folder(), args: ["--bots", "off"] }, steer };
}

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "20000", quantity: "0.001", timeInForce: "IOC" };

/**
 * Places an order from a client whose clock is wrong by `clockMs`. Resolves to the status; 0 if there was no response.
 */
async function orderOf(exchange: Exchange, clockMs = 0): Promise<number> {
  const client = new Client(exchange.rest, exchange.accounts[0]);
  try {
    const answer = await client.signed<{ code?: number }>("POST", "/api/v3/order", {
      ...ORDER,
      timestamp: Date.now() + clockMs,
    });
    return answer.status === 200 ? 200 : (answer.json.code ?? answer.status);
  } catch {
    return 0;
  } finally {
    client.close();
  }
}

/** `clockMs` is how much the correct time is ahead of ours, after sleep. */
async function tradesAgain(exchange: Exchange, checks: Checks, clockMs = 0): Promise<void> {
  checks.expect("the process lives", isRunning(exchange));
  const isTaken = await comes(async () => (await orderOf(exchange, clockMs)) === 200, { withinMs: RECOVERY_MS });
  checks.expect("a client whose clock was always correct trades again", isTaken);
  if (!isTaken) checks.observe(`its orders get ${await orderOf(exchange, clockMs)}`);
}

interface Trading {
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly checks: Checks;
}

/** The program with a correct clock and one accepted order. */
async function trading(scope: Scope): Promise<Trading> {
  const clock = clockOf(scope);
  const start = await tryToStart(scope, clock.options);
  if (start.exchange === undefined) throw new Error(whyNot(start));
  const checks = new Checks();
  checks.expect("an order is accepted before", (await orderOf(start.exchange)) === 200);
  return { clock, exchange: start.exchange, checks };
}

async function jumpAndBack({ scope }: Campaign, jumpMs: number): Promise<Row> {
  const { clock, exchange, checks } = await trading(scope);
  clock.steer({ clockMs: jumpMs });
  checks.observe(`an order at the wrong time got ${await orderOf(exchange, jumpMs)}`);
  await sleep(1_500);
  const { status, body } = await readiness(exchange);
  const alarm = status !== 200 || /clock|time/i.test(JSON.stringify(body));
  checks.expect("/readyz shows an alarm while the clock is wrong", alarm);
  clock.steer({});
  await tradesAgain(exchange, checks);
  checks.expect(
    "ready afterwards",
    await comes(async () => (await readiness(exchange)).status === 200, { withinMs: RECOVERY_MS }),
  );
  await exchange.stop();
  const fault = journalFault(clock.options.dataFolder ?? "");
  checks.expect(`the books are sound: ${fault ?? ""}`, fault === null);
  const does = `the clock is ${jumpMs / DAY_MS} days ${jumpMs > 0 ? "ahead for one order" : "off"}, then right`;
  const bound = "the jump is ignored with an alarm; then clients with correct clocks trade as before";
  return checks.row("clock jumps", does, bound);
}

async function pause({ scope }: Campaign): Promise<Row> {
  const { exchange, checks } = await trading(scope);
  process.kill(exchange.pid, "SIGSTOP");
  await sleep(PAUSE_MS);
  process.kill(exchange.pid, "SIGCONT");
  await tradesAgain(exchange, checks);
  const does = `the process is paused for ${PAUSE_MS / 1000} s`;
  return checks.row("clock jumps", does, "it continues, and so do clients");
}

async function sleepThrough({ scope }: Campaign): Promise<Row> {
  const { clock, exchange, checks } = await trading(scope);
  clock.steer({ sleptMs: DAY_MS });
  await tradesAgain(exchange, checks, DAY_MS);
  const { status, body } = await readiness(exchange);
  checks.expect("there is no alarm", status === 200 && body.warnings === undefined);
  const does = "the machine sleeps for a day: the boot-time clock advances with the wall clock";
  const bound = "not a jump: the node follows the time, without an alarm";
  return checks.row("clock jumps", does, bound);
}

async function startInThePast({ scope }: Campaign): Promise<Row> {
  const { clock, exchange, checks } = await trading(scope);
  await exchange.stop();
  clock.steer({ clockMs: -DAY_MS });
  const second = await tryToStart(scope, clock.options);
  checks.observe(whyNot(second));
  checks.expect("the start exits with one line and code 1", isPlainRefusal(second));
  await second.exchange?.stop();
  clock.steer({});
  const third = await tryToStart(scope, clock.options);
  checks.expect("with the correct clock it starts", third.exchange !== undefined);
  if (third.exchange !== undefined) await tradesAgain(third.exchange, checks);
  const does = "a start with the clock a day behind the journal";
  const bound = "it exits with the reason; with the correct clock it starts, and clients trade";
  return checks.row("clock jumps", does, bound);
}

export const clockJumps: Attack = {
  name: "clock",
  run: async (campaign) => {
    const rows = [await jumpAndBack(campaign, YEAR_MS)];
    if (campaign.isShort) return rows;
    rows.push(await jumpAndBack(campaign, -DAY_MS), await pause(campaign));
    rows.push(await sleepThrough(campaign), await startInThePast(campaign));
    return rows;
  },
};
