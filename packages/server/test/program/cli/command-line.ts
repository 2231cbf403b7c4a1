/** Runs the command line in the test's own process. Commands that start a node are not supported. */
import assert from "node:assert/strict";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { writeAdminFile } from "../../../src/platform/config/admin-file.ts";
import { runProgram } from "../../../src/program/cli/program.ts";
import type { Terminal } from "../../../src/program/cli/session/terminal.ts";
import { TOKEN } from "../../people/admin/running.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Arguments, or a line that is split at spaces. */
type Words = string | readonly string[];

/** Makes a data folder whose commands reach the admin server at this address. */
export function folderOf(admin: string): string {
  const folder = temporaryFolder();
  writeAdminFile(folder, { admin, adminToken: TOKEN });
  return folder;
}

/** Runs a command on the data folder. `more` overrides parts of the terminal. */
export async function runIn(folder: string, words: Words, more: Partial<Terminal> = {}): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runProgram(typeof words === "string" ? words.split(" ") : words, {
    print: (text) => void out.push(text),
    complain: (text) => void err.push(text),
    environment: { PRICETIME_DATA: folder },
    serve: () => assert.fail("no node is to be run"),
    ...more,
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** As `runIn`, but expects success and resolves to the output. */
export async function doneIn(folder: string, words: Words, more?: Partial<Terminal>): Promise<string> {
  const { code, out, err } = await runIn(folder, words, more);
  assert.equal(code, 0, `${String(words)}: ${err}`);
  return out;
}

/** As `doneIn` with `--json`; resolves to the parsed output. */
export async function jsonIn<T = Record<string, unknown>>(
  folder: string,
  words: Words,
  more?: Partial<Terminal>,
): Promise<T> {
  const asked = typeof words === "string" ? words.split(" ") : words;
  return JSON.parse(await doneIn(folder, [...asked, "--json"], more)) as T;
}
