/** Entry point of `npx pricetime ...`, called by `bin/pricetime.js`; see `program.ts`. */
import { runProgram } from "./program.ts";

// If output cannot be written (full disk, closed pipe), the exit code is set, but a running signer is not stopped.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", () => {
    process.exitCode = 1;
  });
}

const exitCode = await runProgram(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  environment: process.env,
  onInterrupt: (task) => {
    process.once("SIGINT", task);
    return () => void process.off("SIGINT", task);
  },
  // Exits explicitly: a node that failed may still have open ports, which would keep the process alive.
  serve: async (argv) => process.exit(await (await import("../../main.ts")).main(argv)),
});
if (exitCode !== 0) process.exitCode = exitCode;
