/** The command that runs a test once more with the same seed. */
import { relative } from "node:path";

/** The environment's word for the seed of exchanges that are started without one. */
export const SEED_VARIABLE = "PRICETIME_LAB_SEED";

export interface Ran {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** The command as a user can paste it into a POSIX shell in the folder where the program ran. */
export function repeatCommand(seed: number, ran: Ran = here()): string {
  return `${SEED_VARIABLE}=${seed} ${program(ran).map(quoted).join(" ")}`;
}

function here(): Ran {
  return { argv: process.argv, execArgv: process.execArgv, env: process.env, folder: process.cwd() };
}

function program({ argv, execArgv, env, folder }: Ran): string[] {
  const [, script = "", ...args] = argv;
  const file = script === "" ? "" : relative(folder, script) || script;
  // Test runners start a process of their own for a file, with arguments that nobody would type.
  if (env["VITEST"] !== undefined) return ["npx", "vitest", "run"];
  if (env["JEST_WORKER_ID"] !== undefined) return ["npx", "jest"];
  if (env["NODE_TEST_CONTEXT"] !== undefined) return ["node", "--test", file];
  return ["node", ...execArgv, file, ...args].filter((part) => part !== "");
}

const quoted = (part: string): string => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`);
