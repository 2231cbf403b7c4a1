/** Starts an exchange for a test, or a fixture: set up once, and restored for each test. */
import { hearFailures, isJest, repeatCommand, SEED_VARIABLE, tellAtFailure } from "./failures.ts";
import type { LabExchange, LabOptions } from "../types.ts";
import { keepSymbols, type NodeFlags, RunningLab, type RunningNode } from "./exchange.ts";

/** The seed where neither options nor environment name one. */
const DEFAULT_SEED = 1;

/**
 * Resolves when the exchange serves on ports of its own, its clock standing still. Rejects with an Error whose message
 * says what the node would have printed.
 */
export async function startExchange(options: LabOptions = {}): Promise<LabExchange> {
  const startedMs = performance.now();
  const {
    symbols,
    accounts = [],
    // Jest's sandbox has no modules, and a server is made of them.
    process: isOwnProcess = isJest(),
    seed = seedOf(process.env[SEED_VARIABLE]),
    ...given
  } = options;
  const flags: NodeFlags = { clock: "manual", bots: "off", limits: "on", ...defined(given), seed };
  // A test may fail while its exchange starts.
  tellAtFailure({ seed });
  const lab = new RunningLab(await nodeFor(isOwnProcess, flags), { seed, repeat: repeatCommand(seed) });
  tellAtFailure(lab);
  try {
    if (symbols !== undefined) await keepSymbols(lab.api, symbols);
    for (const wanted of accounts) await lab.openAccount(wanted);
    // All this belongs to the start to which a reset goes back.
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

/** The beginning of the names of this package's checkpoints; all other names are the user's. */
const PREFIX = "pricetime.fixture.";
const START = `${PREFIX}start`;

type SetUp = (exchange: LabExchange) => unknown;

interface Made {
  readonly exchange: LabExchange;
  readonly checkpoint: string;
  readonly setUp: SetUp;
}

const made = new Map<string, Made>();
/** Exchanges by their options: fixtures with equal ones share an exchange, and each has a checkpoint of its own. */
const shared = new Map<string, LabExchange>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves to an exchange as `setUp` left it. The first call of a name runs `setUp`; each later one goes back to that
 * moment. The exchange is a process of its own, which ends with the test's. Fixtures with equal options share it, so
 * what one test did is gone when the next one asks: tests that use them run in turn.
 *
 * @throws TypeError when a name is used for two different set-ups
 */
export function fixture(name: string, setUp: SetUp, options: LabOptions = {}): Promise<LabExchange> {
  const turn = last.then(() => exchangeOf(name, setUp, options));
  last = turn.catch(() => {});
  return turn;
}

async function exchangeOf(name: string, setUp: SetUp, options: LabOptions): Promise<LabExchange> {
  const found = made.get(name);
  if (found === undefined) return makeFixture(name, setUp, options);
  // A function that stands within a test is another one each time: its text says whether it does the same.
  if (found.setUp !== setUp && found.setUp.toString() !== setUp.toString())
    throw new TypeError(`A fixture "${name}" with another set-up exists already. Give this one another name.`);
  // A runner may have kept the exchange for another file of tests.
  hearFailures();
  await found.exchange.restore(found.checkpoint);
  return found.exchange;
}

async function makeFixture(name: string, setUp: SetUp, options: LabOptions): Promise<LabExchange> {
  const exchange = await freshExchange(options);
  await setUp(exchange);
  const checkpoint = `${PREFIX}${made.size + 1}`;
  await exchange.checkpoint(checkpoint);
  made.set(name, { exchange, checkpoint, setUp });
  return exchange;
}

/** The exchange as it was when it started, whatever other fixtures have done since. */
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
