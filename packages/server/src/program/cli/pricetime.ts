/** `npx pricetime ...`, called by `bin/pricetime.js`; see `program.ts`. */
import { runProgram } from "./program.ts";

// Output that cannot be written (a full disk, a pipe that nobody reads) sets the exit code, but stops no signer.
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
  // A node that could not start, or cannot go on, may still have ports open: they would keep the process alive.
  serve: async (argv) => process.exit(await (await import("../../main.ts")).main(argv)),
});
if (exitCode !== 0) process.exitCode = exitCode;
