/** A stranger's bot on this machine: its files as they were published, what they stand on, and what is compiled of them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { StrangersBot } from "./bots.ts";

const HOST = "https://raw.githubusercontent.com";
const FETCH_TIMEOUT_MS = 20_000;
const INSTALL_TIMEOUT_MS = 240_000;
/** A folder that has them already, each in one of its name: for a machine that does not reach their host. */
const KEPT = process.env["STRANGERS"];

/** Returns why it is not to be had; undefined when the folder has all of it. */
export async function fetchBot(bot: StrangersBot, home: string): Promise<string | undefined> {
  for (const file of bot.files) {
    const text = await published(bot, file);
    if (text === undefined) return `${bot.repository} cannot be reached; STRANGERS may name a folder that has it`;
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", "--save-exact"];
  const options = { cwd: home, encoding: "utf8", timeout: INSTALL_TIMEOUT_MS } as const;
  const { status, stderr } = spawnSync("npm", ["install", ...flags, ...bot.packages], options);
  assert.equal(status, 0, stderr);
  if (bot.build !== undefined) {
    const [from, outfile] = [join(home, bot.build.from), join(home, bot.build.to)];
    await build({ entryPoints: [from], outfile, bundle: true, platform: "node", packages: "external", format: "cjs" });
  }
  return undefined;
}

async function published({ name, repository, commit }: StrangersBot, file: string): Promise<string | undefined> {
  if (KEPT !== undefined) {
    const path = join(KEPT, name, file);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    answer = await fetch(`${HOST}/${repository}/${commit}/${file}`, { signal });
  } catch {
    return undefined;
  }
  assert.ok(answer.ok, `${repository} ${commit} ${file}: ${answer.status}`);
  return answer.text();
}
