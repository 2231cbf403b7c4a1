/** Set up once, go back for each test. */
import { hearFailures } from "./start/failures.ts";
import { startExchange } from "./start/start-exchange.ts";
import type { LabExchange, LabOptions } from "./types.ts";

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
