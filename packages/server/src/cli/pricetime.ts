/** `npm run pricetime -- ...`: see `program.ts`. */
import { runProgram } from "./program.ts";

process.exitCode = await runProgram(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  environment: process.env,
  serve: async (argv) => (await import("../main.ts")).main(argv),
});
