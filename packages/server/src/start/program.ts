/** The program around a node: its flags, its output, the word to stop. */
import { type Config, loadConfig } from "../config/config.ts";
import { readFlags } from "../config/flags.ts";
import type { Clock, Timers } from "../world/port.ts";
import { startFailure } from "./failure.ts";
import { toldByMachine, untilToldToStop } from "./signals.ts";

/** A node that serves. */
export interface Node {
  /** Where clients connect: `http://HOST:PORT`. */
  readonly rest: string;
  /** What somebody at a terminal is to know: addresses, and in a demo its keys. */
  readonly banner: string;
  /** Resolves when the node cannot go on. */
  readonly failed: Promise<Error>;
  /** Resolves when all that was answered is on disk and nothing runs any more. */
  stop(): Promise<void>;
}

/** Runs a node until it is told to stop; resolves to the exit code. What fails at the start is told in one line. */
export async function runProgram(
  argv: readonly string[],
  startNode: (config: Config) => Promise<Node>,
  machine: Clock & Timers,
): Promise<number> {
  // A terminal that is gone, or a file on a full disk, is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const told = untilToldToStop(toldByMachine(machine));
  let node: Node;
  try {
    const flags = readFlags(argv);
    if (flags === null) return 0;
    node = await startNode(loadConfig({ flags, environment: process.env, isTerminal: process.stderr.isTTY === true }));
  } catch (error) {
    process.stderr.write(`pricetime: ${startFailure(error)}\n`);
    return 1;
  }
  process.stdout.write(`${node.banner}\nready ${node.rest}\n`);
  const failure = await Promise.race([told, node.failed]);
  if (failure !== undefined) return 1;
  await node.stop();
  return 0;
}
