/** Downloads a published bot, installs its dependencies and compiles it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { FromGithub, FromNpm, StrangersBot } from "./bots.ts";

const HOST = "https://raw.githubusercontent.com";
const FETCH_TIMEOUT_MS = 20_000;
const INSTALL_TIMEOUT_MS = 240_000;
/** A folder with the bots from GitHub, each in a folder with its name, for a machine that cannot reach GitHub. */
const DOWNLOADED = process.env["STRANGERS"];
/** The errors of npm without access to its registry. Any other error fails the trial. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** Why a bot is not available on this machine. */
export interface Missing {
  readonly why: string;
  readonly host: "npm" | "github";
}

/** The folder of a bot. Bots of the same package share one. */
export const folderOf = ({ name, source }: StrangersBot): string =>
  "package" in source ? `${source.package}-${source.version}` : name;

/** Resolves to why the bot is not available; undefined if the folder has everything. */
export async function fetchBot(bot: StrangersBot, home: string): Promise<Missing | undefined> {
  mkdirSync(home, { recursive: true });
  const { source, packages } = bot;
  const missing = "package" in source ? installBot(source, packages, home) : await downloadBot(bot, source, home);
  if (missing !== undefined) return missing;
  for (const [file, text] of Object.entries(bot.written ?? {})) writeFileSync(join(home, file), text);
  return undefined;
}

/** Installs the bot from npm and checks the hash of its package. */
function installBot(source: FromNpm, packages: readonly string[], home: string): Missing | undefined {
  const path = `node_modules/${source.package}`;
  if (!existsSync(join(home, path))) {
    const missing = install([`${source.package}@${source.version}`, ...packages], home);
    if (missing !== undefined) return missing;
  }
  const lock = JSON.parse(readFileSync(join(home, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  assert.equal(lock.packages[path]?.integrity, source.integrity, `${source.package} has another hash`);
  return undefined;
}

async function downloadBot(bot: StrangersBot, source: FromGithub, home: string): Promise<Missing | undefined> {
  for (const file of source.files) {
    const text = await published(bot.name, source, file);
    if (text === undefined)
      return { host: "github", why: `${source.repository} cannot be reached; STRANGERS may name a folder that has it` };
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  const missing = install(bot.packages, home);
  if (missing !== undefined || source.build === undefined) return missing;
  const [from, outfile] = [join(home, source.build.from), join(home, source.build.to)];
  await build({ entryPoints: [from], outfile, bundle: true, platform: "node", packages: "external", format: "cjs" });
  return undefined;
}

function install(packages: readonly string[], home: string): Missing | undefined {
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", "--save-exact"];
  const options = { cwd: home, encoding: "utf8", timeout: INSTALL_TIMEOUT_MS } as const;
  const { status, stderr } = spawnSync("npm", ["install", ...flags, ...packages], options);
  if (status !== 0 && UNREACHABLE.test(stderr)) return { host: "npm", why: "the registry of npm cannot be reached" };
  assert.equal(status, 0, stderr);
  return undefined;
}

async function published(name: string, source: FromGithub, file: string): Promise<string | undefined> {
  if (DOWNLOADED !== undefined) {
    const path = join(DOWNLOADED, name, file);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }
  const { repository, commit } = source;
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
