/**
 * A journal and its master key belong together: with another key, or none, the program does not start and changes
 * nothing. `packages/server/test/program/start/master-key.test.ts` has every case.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test, type TestContext } from "node:test";
import { decodeCommands } from "@pricetime/engine";
import { masterKeyCheck } from "@pricetime/server/data-folder";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, failToStart, ROOT, startExchange } from "@pricetime/testkit/venue";

const GOLDEN = join(ROOT, "test/golden-data/0.1.0/data");
const OTHER_KEY = "ab".repeat(32);
const PLAIN = ["--bots", "off"];

function scratch(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As release 0.1.0 left it. */
function golden(t: TestContext): string {
  const folder = scratch(t);
  cpSync(GOLDEN, folder, { recursive: true });
  return folder;
}

const keyFile = (folder: string): string => join(folder, "master.key");

let firstUsed: Promise<string> | undefined;
after(async () => rmSync((await firstUsed) ?? "", { recursive: true, force: true }));

async function use(): Promise<string> {
  const folder = temporaryFolder();
  assert.equal(await (await startExchange({ dataFolder: folder, args: PLAIN })).stop(), 0);
  return folder;
}

/** One that was used, with keys of accounts in it. */
async function used(t: TestContext): Promise<string> {
  const folder = scratch(t);
  firstUsed ??= use();
  cpSync(await firstUsed, folder, { recursive: true });
  return folder;
}

interface Row {
  readonly bytes: Uint8Array;
  readonly count: number;
}

function journaled(folder: string): { keyChecks: string[]; digest: string; firstTypes: string[] } {
  const database = new DatabaseSync(join(folder, "journal.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT bytes, count FROM batches ORDER BY first_seq").all() as unknown as Row[];
  database.close();
  const commands = rows.flatMap(({ bytes, count }) => decodeCommands(bytes, count));
  const digest = createHash("sha256");
  for (const { bytes } of rows) digest.update(bytes);
  return {
    keyChecks: commands.flatMap((command) => (command.type === "bindMasterKey" ? [command.keyCheck] : [])),
    digest: digest.digest("hex"),
    firstTypes: commands.slice(0, 3).map(({ type }) => type),
  };
}

async function refusesToStart(
  folder: string,
  why: RegExp,
  env: Readonly<Record<string, string>> = {},
  kind: "--demo" | "--no-demo" = "--no-demo",
): Promise<void> {
  const before = journaled(folder).digest;
  const hadKey = existsSync(keyFile(folder)) ? readFileSync(keyFile(folder), "utf8") : undefined;
  const args = ["--port", "0", "--admin-port", "0", "--data", folder, kind];
  const { code, stdout, stderr } = await failToStart(args, env);
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.trim() !== "");
  assert.deepEqual([code, lines.length], [1, 1], `exit code ${code}:\n${stdout}${stderr}`);
  assert.match(lines[0] ?? "", why);
  assert.equal(journaled(folder).digest, before, "the journal was written");
  assert.equal(existsSync(keyFile(folder)) ? readFileSync(keyFile(folder), "utf8") : undefined, hadKey);
}

async function tradesOn({ rest, accounts }: Exchange): Promise<void> {
  for (const account of accounts) {
    const client = new Client(rest, account);
    const { serverTime } = (await client.public<{ serverTime: number }>("/api/v3/time")).json;
    const answer = await client.signed("GET", "/api/v3/account", { timestamp: serverTime });
    assert.equal(answer.status, 200, answer.text);
    client.close();
  }
}

test("a new journal knows the check value of its key before it knows any secret", async (t) => {
  const folder = await used(t);
  const { keyChecks, firstTypes } = journaled(folder);
  assert.deepEqual(keyChecks, [masterKeyCheck(readFileSync(keyFile(folder), "utf8").trim())]);
  assert.ok(firstTypes.includes("bindMasterKey"), firstTypes.join());
  const again = await startExchange({ dataFolder: folder, args: PLAIN });
  await tradesOn(again);
  assert.equal(await again.stop(), 0);
  assert.equal(journaled(folder).keyChecks.length, 1, "it is journaled once");
});

test("another master key, in the file or configured", async (t) => {
  const folder = await used(t);
  const key = readFileSync(keyFile(folder), "utf8");
  writeFileSync(keyFile(folder), `${OTHER_KEY}\n`);
  await refusesToStart(
    folder,
    /The key in .*master\.key is not the master key that this journal was created with/,
    {},
    "--demo",
  );
  writeFileSync(keyFile(folder), key);
  const file = join(scratch(t), "key");
  writeFileSync(file, OTHER_KEY);
  await refusesToStart(folder, /The configured master key is not/, { PRICETIME_MASTER_KEY_FILE: file });
});

test("a master key that is gone is not made anew; one that is cut short is no key", async (t) => {
  const folder = await used(t);
  const key = readFileSync(keyFile(folder), "utf8").trim();
  rmSync(keyFile(folder));
  await refusesToStart(folder, /master\.key does not exist/, {}, "--demo");
  writeFileSync(keyFile(folder), key.slice(1));
  await refusesToStart(folder, /master\.key does not contain a master key/);
  rmSync(keyFile(folder));
  mkdirSync(keyFile(folder));
  const args = ["--port", "0", "--admin-port", "0", "--data", folder];
  assert.match((await failToStart(args)).stderr, /master\.key cannot be read \(EISDIR\)/);
});

test("a folder of 0.1.0 gets its check value at its first start, after its secrets were opened", async (t) => {
  const folder = golden(t);
  assert.deepEqual(journaled(folder).keyChecks, []);
  const exchange = await startExchange({ dataFolder: folder, args: PLAIN });
  await tradesOn(exchange);
  assert.equal(await exchange.stop(), 0);
  assert.deepEqual(journaled(folder).keyChecks, [masterKeyCheck(readFileSync(keyFile(folder), "utf8").trim())]);
});

test("a folder of 0.1.0 with another key is not opened", async (t) => {
  const folder = golden(t);
  writeFileSync(keyFile(folder), `${OTHER_KEY}\n`);
  await refusesToStart(folder, /master\.key is not the master key/);
  assert.deepEqual(journaled(folder).keyChecks, []);
});
