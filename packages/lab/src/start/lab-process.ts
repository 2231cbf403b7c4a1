/**
 * A lab's node as a separate process: `lab-process '{"clock":"manual","seed":1}'` prints one line of JSON when it
 * serves. It exits when its standard input closes, so that it never outlives the program that started it. Clients in
 * Python and other languages start it as well.
 */
import { startInProcess } from "./in-process.ts";
import type { NodeFlags } from "./exchange.ts";

const DEFAULTS: NodeFlags = { clock: "manual", seed: 1, bots: "off", limits: "on" };

async function run(options: string): Promise<number> {
  const flags = { ...DEFAULTS, ...(JSON.parse(options) as Partial<NodeFlags>) };
  const { whyGone, stop, ...address } = await startInProcess(flags);
  process.stdout.write(`${JSON.stringify(address)}\n`);
  await untilStopped();
  await stop();
  return whyGone() === undefined ? 0 : 1;
}

/** Resolves when standard input ends, or when the process receives a signal. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const onStop = (): void => resolve();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, onStop);
    process.stdin.once("end", onStop).once("error", onStop).once("close", onStop).resume();
  });
}

try {
  process.exitCode = await run(process.argv[2] ?? "{}");
} catch (error) {
  process.stderr.write(`pricetime: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
process.exit();
