/**
 * Runs commands side by side: `node scripts/side-by-side.ts "npm run lint" "npm run test:run"`. The last one's output
 * comes as it is written; that of each other one, whole, when it has ended. All run to their end, and the exit code is 1
 * when one of them failed, which the last lines name.
 */
import { spawn } from "node:child_process";

interface Ended {
  readonly command: string;
  readonly isGood: boolean;
  readonly seconds: number;
}

const commands = process.argv.slice(2);
const ended = await Promise.all(commands.map((command, at) => run(command, at === commands.length - 1)));
for (const { command, isGood, seconds } of ended)
  console.log(`${isGood ? "passed" : "FAILED"} after ${seconds.toFixed(0)} s: ${command}`);
process.exitCode = ended.every(({ isGood }) => isGood) ? 0 : 1;

function run(command: string, isShown: boolean): Promise<Ended> {
  const beganMs = performance.now();
  const child = spawn(command, {
    shell: true,
    stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk));
  return new Promise((resolve) =>
    child.once("close", (code) => {
      if (said.length > 0) process.stdout.write(Buffer.concat(said));
      resolve({ command, isGood: code === 0, seconds: (performance.now() - beganMs) / 1000 });
    }),
  );
}
