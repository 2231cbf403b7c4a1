/** A data folder with encrypted secrets is started with a wrong master key, or with none. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import { isPlainRefusal, tryToStart, whyNot } from "../starts.ts";

const EMAIL = "customer@attack.example";
const OTHER_KEY = "ab".repeat(32);

interface Wrong {
  readonly does: string;
  /** The contents of `master.key`; null: the file is removed; undefined: unchanged. */
  readonly file: string | null | undefined;
  readonly configured?: string;
}

const WRONGS: readonly Wrong[] = [
  { does: "another master key in the configuration", file: undefined, configured: OTHER_KEY },
  { does: "`master.key` is deleted", file: null },
  { does: "another master key in `master.key`", file: `${OTHER_KEY}\n` },
  { does: "`master.key` is empty", file: "" },
  { does: "`master.key` is truncated", file: "abcdef\n" },
];

const SHORT_WRONGS = 2;

async function openCustomer(exchange: Exchange): Promise<DemoAccount> {
  await operate(exchange, "POST", "/v1/accounts", { email: EMAIL, name: "Customer" });
  const keys = await operate<{ apiKey: string; secretKey: string }>(exchange, "POST", `/v1/accounts/${EMAIL}/keys`, {});
  return { name: "customer", email: EMAIL, ...keys };
}

async function isServed({ rest }: Exchange, customer: DemoAccount): Promise<boolean> {
  const client = new Client(rest, customer);
  try {
    return (await client.signed("GET", "/api/v3/account")).status === 200;
  } finally {
    client.close();
  }
}

/** The lock, the mark of the journal's head (written at each opening), and SQLite's files of an open database. */
const PASSING = /-(?:wal|shm)$|^node\.lock$|^journal\.head$/;

/** A digest of the names and bytes of all persistent files. */
function digestOf(folder: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !PASSING.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const name of names) hash.update(`${name}\n`).update(readFileSync(name));
  return hash.digest("hex");
}

async function run({ scope, isShort }: Campaign): Promise<Row[]> {
  const dataFolder = scope.folder();
  const keyFile = join(dataFolder, "master.key");
  const first = await startExchange({ dataFolder, args: ["--no-demo"] });
  scope.defer(() => first.kill());
  const customer = await openCustomer(first);
  await first.stop();
  const key = readFileSync(keyFile);
  const rows: Row[] = [];
  for (const { does, file, configured } of isShort ? WRONGS.slice(0, SHORT_WRONGS) : WRONGS) {
    const checks = new Checks();
    if (file === null) rmSync(keyFile);
    else if (file !== undefined) writeFileSync(keyFile, file, { mode: 0o600 });
    const before = digestOf(dataFolder);
    const args = ["--no-demo"];
    if (configured !== undefined) {
      const config = join(scope.folder(), "pricetime.yaml");
      writeFileSync(config, JSON.stringify({ masterKey: configured }));
      args.push("--config", config);
    }
    const start = await tryToStart(scope, { dataFolder, args });
    checks.observe(whyNot(start));
    checks.expect("the start exits with one line and code 1", isPlainRefusal(start));
    await start.exchange?.stop();
    if (file === null) checks.expect("no new key is created", !existsSync(keyFile));
    checks.expect("the folder is unchanged", digestOf(dataFolder) === before);
    writeFileSync(keyFile, key, { mode: 0o600 });
    const again = await tryToStart(scope, { dataFolder, args: ["--no-demo"] });
    checks.expect("with the correct key it starts", again.exchange !== undefined);
    if (again.exchange !== undefined) {
      checks.expect("its customer can sign requests", await isServed(again.exchange, customer));
      await again.exchange.stop();
    }
    const bound = "the start exits with one line and code 1, the folder is unchanged; with the correct key it starts";
    rows.push(checks.row("wrong keys", does, bound));
  }
  return rows;
}

export const wrongKeys: Attack = { name: "keys", run };
