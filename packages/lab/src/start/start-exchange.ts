/** Starts an exchange for a test. */
import { type Origin, originLine } from "../client/refusal.ts";
import { repeatCommand, SEED_VARIABLE } from "../client/repeat.ts";
import type { LabExchange, LabOptions } from "../types.ts";
import { RunningLab } from "./exchange.ts";
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
    process: isOwnProcess = isJest(),
    seed = seedOf(process.env[SEED_VARIABLE]),
    ...given
  } = options;
  const flags: NodeFlags = { clock: "manual", bots: "off", limits: "on", ...defined(given), seed };
  const repeat = repeatCommand(seed);
  const lab = new RunningLab(await nodeFor(isOwnProcess, flags), { seed, repeat });
  tellAtFailure({ seed, repeat, version: lab.version });
  try {
    if (symbols !== undefined) await keepSymbols(lab.api, symbols);
    for (const wanted of accounts) await lab.openAccount(wanted);
    // All this belongs to the start to which a reset goes back.
    if (symbols !== undefined || accounts.length > 0) await lab.api.ask("PUT", "/v1/lab/reset");
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

/** Jest's sandbox has no modules, and a server is made of them. */
const isJest = (): boolean => process.env["JEST_WORKER_ID"] !== undefined && process.env["VITEST"] === undefined;

function seedOf(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_SEED;
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new RangeError(`${SEED_VARIABLE}: a whole number is needed (it is "${text}")`);
}

function defined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/** Origins of the exchanges that this process has started, by their command. */
const origins = new Map<string, Origin>();

/** A failing program ends with the command that repeats it, because assertions of a test know nothing of seeds. */
function tellAtFailure(origin: Origin): void {
  if (origins.size === 0) {
    process.once("exit", (code) => {
      if (code === 0) return;
      for (const each of origins.values()) process.stderr.write(`pricetime lab: failed ${originLine(each)}\n`);
    });
  }
  origins.set(origin.repeat, origin);
}
