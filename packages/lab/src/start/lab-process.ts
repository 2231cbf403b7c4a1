/**
 * A lab's node as a process of its own: `lab-process '{"clock":"manual","seed":1}'` prints one line of JSON when it
 * serves, and ends when its standard input does, so that it never outlives the program that started it. Python and other
 * languages start it, too.
 */
import { startInProcess } from "./in-process.ts";
import type { NodeFlags } from "./exchange.ts";

const DEFAULTS: NodeFlags = { clock: "manual", seed: 1, bots: "off", limits: "on" };

async function run(options: string): Promise<number> {
  const flags = { ...DEFAULTS, ...(JSON.parse(options) as Partial<NodeFlags>) };
  const { whyGone, stop, ...address } = await startInProcess(flags);
  process.stdout.write(`${JSON.stringify(address)}\n`);
  await untilToldToStop();
  await stop();
  return whyGone() === undefined ? 0 : 1;
}

/** Resolves at the end of its input, or at a signal. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const told = (): void => resolve();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, told);
    process.stdin.once("end", told).once("error", told).once("close", told).resume();
  });
}

try {
  process.exitCode = await run(process.argv[2] ?? "{}");
} catch (error) {
  process.stderr.write(`pricetime: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
process.exit();
