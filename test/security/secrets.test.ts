/** Secrets leave once, in the answer that makes them. After that they are nowhere: this looks everywhere. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { sign } from "@pricetime/testkit/client";
import type { Exchange } from "@pricetime/testkit/venue";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { admin, clientOf, start } from "./rig.ts";

const MASTER_KEY = "c0ffee".repeat(10) + "beef";
const TOKEN = "a-token-that-is-only-for-this-test";

/** Every way in which a text might have been written down. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const texts = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url"), bytes.toString("hex")];
  const raw = /^[0-9a-f]{64}$/.test(secret) ? [Buffer.from(secret, "hex")] : [];
  return [bytes, Buffer.from(secret, "utf16le"), Buffer.from(encodeURIComponent(secret)), ...raw].concat(
    texts.map((text) => Buffer.from(text)),
  );
}

function assertNowhere(secrets: Readonly<Record<string, string>>, where: string, content: Buffer): void {
  for (const [name, secret] of Object.entries(secrets)) {
    for (const spelling of spellings(secret)) assert.equal(content.includes(spelling), false, `${name} is in ${where}`);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

interface Made {
  readonly exchange: Exchange;
  readonly folder: string;
  readonly secrets: Record<string, string>;
  readonly apiKey: string;
  readonly edKey: string;
  readonly privateKey: ReturnType<typeof generateKeyPairSync>["privateKey"];
}

async function made(t: TestContext): Promise<Made> {
  const [folder, outside] = [scratchFolder(t), scratchFolder(t)];
  for (const [name, text] of [
    ["master", MASTER_KEY],
    ["token", TOKEN],
  ] as const) {
    writeFileSync(join(outside, name), `${text}\n`, { mode: 0o600 });
  }
  const yaml = `logLevel: trace\nmasterKeyFile: ${join(outside, "master")}\nadmin: { tokenFile: ${join(outside, "token")} }\n`;
  const exchange = await start(t, `${yaml}snapshotEveryCommands: 1000\n`, { dataFolder: folder });
  const email = "dora@example.com";
  await admin(exchange, "POST", "/v1/accounts", { email, name: "Dora" });
  const hmac = await admin(exchange, "POST", `/v1/accounts/${email}/keys`, { label: "hmac" });
  const pair = generateKeyPairSync("ed25519");
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" });
  const ed = await admin(exchange, "POST", `/v1/accounts/${email}/keys`, { publicKey });
  const twoFactor = await admin(exchange, "POST", `/v1/accounts/${email}/totp`);
  assert.deepEqual([hmac.status, ed.status, twoFactor.status], [201, 201, 201]);
  const secrets = {
    "the API secret": String(hmac.json["secretKey"]),
    "the two-factor secret": String(twoFactor.json["secret"]),
    "the master key": MASTER_KEY,
    "the private key": pair.privateKey.export({ type: "pkcs8", format: "der" }).subarray(-32).toString("hex"),
  };
  const [apiKey, edKey] = [String(hmac.json["apiKey"]), String(ed.json["apiKey"])];
  return { exchange, folder, secrets, apiKey, edKey, privateKey: pair.privateKey };
}

/** Right and wrong requests with both keys; gives all that was answered. */
async function useKeys(t: TestContext, { exchange, apiKey, edKey, privateKey, secrets }: Made): Promise<string> {
  const client = clientOf(t, exchange);
  const secretKey = secrets["the API secret"] ?? "";
  const answers: string[] = [];
  const account = (sentKey: string, signature: string, payload: string): Promise<unknown> =>
    client
      .send("GET", "/api/v3/account", {
        query: `${payload}&signature=${encodeURIComponent(signature)}`,
        headers: { "X-MBX-APIKEY": sentKey },
      })
      .then((answer) => answers.push(`${answer.status} ${answer.text} ${JSON.stringify(answer.headers)}`));
  const payload = `timestamp=${Date.now()}`;
  await account(apiKey, sign(secretKey, payload), payload);
  await account(edKey, signBytes(null, Buffer.from(payload), privateKey).toString("base64"), payload);
  assert.match(answers[0] ?? "", /^200 /);
  assert.match(answers[1] ?? "", /^200 /);
  await account(apiKey, sign("wrong", payload), payload);
  await account(apiKey, "nonsense", payload);
  await account("x".repeat(64), sign(secretKey, payload), payload);
  return answers.join("\n");
}

test("an API secret, the master key and the admin token are nowhere but where they must be", async (t) => {
  const all = await made(t);
  const { exchange, folder, secrets } = all;
  const answered = await useKeys(t, all);
  const told = [
    ...(await Promise.all(
      [
        "/v1/accounts",
        "/v1/accounts/dora@example.com",
        "/v1/accounts/dora@example.com/keys",
        "/v1/journal",
        "/v1/assets",
      ].map(async (path) => (await admin(exchange, "GET", path)).text),
    )),
    (await admin(exchange, "POST", "/v1/accounts", { token: TOKEN.slice(0, 3), email: 7 })).text,
    await (await fetch(`${exchange.admin}/metrics`)).text(),
    await (await fetch(`${exchange.admin}/readyz`)).text(),
  ].join("\n");
  const everything = { ...secrets, "the admin token": TOKEN };
  assertNowhere(everything, "an answer", Buffer.from(answered));
  assertNowhere(everything, "an admin answer", Buffer.from(told));
  // While it runs, with write-ahead logs; and as it leaves them.
  for (const moment of ["running", "stopped"]) {
    if (moment === "stopped") assert.equal(await exchange.stop(), 0);
    const files = filesIn(folder);
    assert.ok(files.some((path) => path.endsWith("journal.sqlite")));
    if (moment === "stopped") assert.ok(files.some((path) => path.endsWith(".snap")));
    for (const path of files) {
      // The token stands there for the command line, for its owner alone: docs/operate/config.example.yaml.
      const isTold = path.endsWith("admin.json") || path.endsWith("demo.json");
      assertNowhere(isTold ? secrets : everything, path, readFileSync(path));
    }
  }
  assertNowhere(everything, "the log", Buffer.from(exchange.output()));
});

test("the test itself finds what is there", () => {
  const secret = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (const spelling of spellings(secret)) {
    assert.throws(() =>
      assertNowhere({ it: secret }, "x", Buffer.concat([Buffer.from("<"), spelling, Buffer.from(">")])),
    );
  }
});

test("a master key that the node made is in its own file alone", async (t) => {
  const folder = scratchFolder(t);
  const exchange = await start(t, "", { dataFolder: folder });
  const key = readFileSync(join(folder, "master.key"), "utf8").trim();
  assert.equal(await exchange.stop(), 0);
  for (const path of filesIn(folder)) {
    if (!path.endsWith("master.key")) assertNowhere({ "the master key": key }, path, readFileSync(path));
  }
  assertNowhere({ "the master key": key }, "the log", Buffer.from(exchange.output()));
});
