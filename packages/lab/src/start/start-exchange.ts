/** Starts an exchange for a test, or a fixture, which is set up once and restored for each test. */
import { observeFailures, isJest, repeatCommand, SEED_VARIABLE, reportOnFailure } from "./failures.ts";
import type { LabExchange, LabOptions } from "../types.ts";
import { keepSymbols, type NodeFlags, RunningLab, type RunningNode } from "./exchange.ts";

/** The default seed if neither the options nor the environment specify one. */
const DEFAULT_SEED = 1;

/**
 * Starts an exchange. Resolves when it serves on its own ports, with a stopped clock. Rejects with an Error that has
 * the message that the node would have printed.
 */
export async function startExchange(options: LabOptions = {}): Promise<LabExchange> {
  const startedMs = performance.now();
  const {
    symbols,
    accounts = [],
    // Jest's sandbox does not support the ES modules of the server.
    process: isOwnProcess = isJest(),
    seed = seedOf(process.env[SEED_VARIABLE]),
    ...given
  } = options;
  const flags: NodeFlags = { clock: "manual", bots: "off", limits: "on", ...defined(given), seed };
  // Registered first, because a test may fail while its exchange starts.
  reportOnFailure({ seed });
  const lab = new RunningLab(await nodeFor(isOwnProcess, flags), { seed, repeat: repeatCommand(seed) });
  reportOnFailure(lab);
  try {
    if (symbols !== undefined) await keepSymbols(lab.api, symbols);
    for (const wanted of accounts) await lab.openAccount(wanted);
    // Symbols and accounts are part of the state that `reset` restores.
    if (symbols !== undefined || accounts.length > 0) await lab.takeStart();
    lab.readyMs = performance.now() - startedMs;
    return lab;
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

async function nodeFor(isOwnProcess: boolean, flags: NodeFlags): Promise<RunningNode> {
  if (isOwnProcess) return (await import("./own-process.ts")).startOwnProcess(flags);
  return (await import("./in-process.ts")).startInProcess(flags);
}

function seedOf(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_SEED;
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new RangeError(`${SEED_VARIABLE} must be a whole number, not "${text}".`);
}

function defined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

// Fixtures.

/** The prefix of this package's checkpoint names. All other names belong to the user. */
const PREFIX = "pricetime.fixture.";
const START = `${PREFIX}start`;

type SetUp = (exchange: LabExchange) => unknown;

interface Fixture {
  readonly exchange: LabExchange;
  readonly checkpoint: string;
  readonly setUp: SetUp;
}

const fixtures = new Map<string, Fixture>();
/**
 * Exchanges by their options. Fixtures with equal options share an exchange, and each fixture has its own checkpoint.
 */
const shared = new Map<string, LabExchange>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves to an exchange in the state in which `setUp` left it. The first call with a name runs `setUp`; each later
 * call restores that state. The exchange is a separate process, which exits with the test's process. Fixtures with
 * equal options share the exchange, and a call discards the changes of earlier tests, so such tests must run one after
 * another.
 *
 * @throws TypeError when a name is used for two different set-ups
 */
export function fixture(name: string, setUp: SetUp, options: LabOptions = {}): Promise<LabExchange> {
  const turn = last.then(() => exchangeOf(name, setUp, options));
  last = turn.catch(() => {});
  return turn;
}

async function exchangeOf(name: string, setUp: SetUp, options: LabOptions): Promise<LabExchange> {
  const found = fixtures.get(name);
  if (found === undefined) return makeFixture(name, setUp, options);
  // A function defined inside a test is a new object each time, so its source text is compared as well.
  if (found.setUp !== setUp && found.setUp.toString() !== setUp.toString())
    throw new TypeError(`A fixture "${name}" with another set-up exists already. Give this one another name.`);
  // A runner may have reused the process, and therefore the exchange, for another test file.
  observeFailures();
  await found.exchange.restore(found.checkpoint);
  return found.exchange;
}

async function makeFixture(name: string, setUp: SetUp, options: LabOptions): Promise<LabExchange> {
  const exchange = await freshExchange(options);
  await setUp(exchange);
  const checkpoint = `${PREFIX}${fixtures.size + 1}`;
  await exchange.checkpoint(checkpoint);
  fixtures.set(name, { exchange, checkpoint, setUp });
  return exchange;
}

/** Returns an exchange in its initial state, regardless of other fixtures. */
async function freshExchange(options: LabOptions): Promise<LabExchange> {
  const key = JSON.stringify(options);
  const known = shared.get(key);
  if (known !== undefined) {
    await known.restore(START);
    return known;
  }
  const exchange = await startExchange({ process: true, ...options });
  shared.set(key, exchange);
  await exchange.checkpoint(START);
  return exchange;
}
