/** Starts an exchange for a test. */
import { isJest, repeatCommand, SEED_VARIABLE } from "../client/repeat.ts";
import type { LabExchange, LabOptions } from "../types.ts";
import { RunningLab } from "./exchange.ts";
import { tellAtFailure } from "./failures.ts";
import type { NodeFlags, RunningNode } from "./node.ts";
import { keepSymbols } from "./symbols.ts";

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
