/** Somebody signs in at the real program: what a restart and a lab's checkpoint bring back, and what is written nowhere. */
import assert from "node:assert/strict";
import { createHmac, hkdfSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { admin, start } from "./rig.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";
const MASTER_KEY = "c0ffee".repeat(10) + "beef";
const SETTINGS = `masterKey: "${MASTER_KEY}"\naccounts: { signUp: open }\nlogLevel: trace\n`;

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly cookie: string;
}

async function ask({ rest }: Exchange, method: string, path: string, body?: object, cookie = ""): Promise<Answer> {
  const headers = {
    ...{ "x-pricetime-page": "account", "content-type": "application/json" },
    ...(cookie !== "" && { cookie }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(rest + path, { method, headers, ...sent });
  const set = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown>, cookie: set.join("; ") };
}

/** The secret in a letter's link, which follows from the master key. */
function linkSecret(id: string): string {
  const label = "pricetime: links of those who sign in";
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(MASTER_KEY, "hex"), "", label, 32));
  return createHmac("sha256", key).update(`invitation:${id}`).digest("base64url");
}

interface Told {
  readonly entries: readonly { readonly type: string; readonly command: Record<string, unknown> }[];
}

async function journaled(exchange: Exchange, type: string): Promise<Record<string, unknown> | undefined> {
  const { json } = await admin(exchange, "GET", "/v1/journal/entries?limit=50");
  return (json as unknown as Told).entries.findLast((entry) => entry.type === type)?.command;
}

/** Asks for an account, reads the letter, and comes in. */
async function comeIn(exchange: Exchange): Promise<Answer> {
  assert.equal((await ask(exchange, "POST", "/account/v1/sign-up", { email: EMAIL })).status, 202);
  const invited = await untilAnswer(
    "the invitation",
    () => journaled(exchange, "invite"),
    (one) => one !== undefined,
  );
  const id = String(invited?.["invitationId"]);
  const body = { id, secret: linkSecret(id), password: PASSWORD, name: "Ann" };
  // An entry can be read from the journal's file a moment before the node has learnt that it is durable.
  const accepted = await untilAnswer(
    "the node knows the invitation",
    () => ask(exchange, "POST", "/account/v1/invitation/accept", body),
    ({ status }) => status !== 404,
  );
  assert.equal(accepted.status, 200, JSON.stringify(accepted.json));
  return accepted;
}

test("a restart signs nobody out, and neither password nor secret stands in any file or line", async (t) => {
  const dataFolder = scratchFolder(t);
  const first = await start(t, SETTINGS, { dataFolder });
  const { cookie } = await comeIn(first);
  const before = await ask(first, "GET", "/account/v1/session", undefined, cookie);
  assert.equal(before.json["email"], EMAIL);
  assert.equal(await first.stop(), 0);
  const second = await start(t, SETTINGS, { dataFolder });
  const after = await ask(second, "GET", "/account/v1/session", undefined, cookie);
  assert.deepEqual([after.status, after.json], [200, before.json]);
  const account = await ask(second, "GET", "/api/v3/account", undefined, cookie);
  assert.equal(account.status, 200);
  await ask(second, "POST", "/account/v1/sign-out", {}, cookie);
  assert.equal((await ask(second, "GET", "/account/v1/session", undefined, cookie)).status, 401);
  assert.equal((await ask(second, "POST", "/account/v1/sign-in", { email: EMAIL, password: PASSWORD })).status, 200);
  const opened = await journaled(second, "openSession");
  assert.ok(opened !== undefined);
  const secret = /__Host-pricetime-account=[0-9a-f]{32}\.([^;]+)/.exec(cookie)?.[1] ?? assert.fail();
  assert.equal(await second.stop(), 0);
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))] as const);
  const lines = Buffer.from(first.output() + second.output());
  for (const [name, bytes] of [...texts, ["the log", lines] as const]) {
    assert.ok(!bytes.includes(PASSWORD) && !bytes.includes(secret), name);
  }
});

test("in a lab a checkpoint brings back who was signed in, and what was guessed", async (t) => {
  const args = ["--lab", "--clock", "manual"];
  const lab = await start(t, SETTINGS, { dataFolder: scratchFolder(t), args });
  const { cookie } = await comeIn(lab);
  const guess = async (): Promise<number> =>
    (await ask(lab, "POST", "/account/v1/sign-in", { email: EMAIL, password: "not the password" })).status;
  for (let i = 0; i < 4; i++) assert.equal(await guess(), 401);
  const taken = await admin(lab, "POST", "/v1/lab/checkpoints", { name: "here" });
  assert.ok(taken.status < 300, taken.text);
  assert.deepEqual([await guess(), await guess()], [401, 429]);
  await ask(lab, "POST", "/account/v1/sign-out", {}, cookie);
  assert.equal((await ask(lab, "GET", "/account/v1/session", undefined, cookie)).status, 401);
  const back = await admin(lab, "POST", "/v1/lab/checkpoints/here/restore", {});
  assert.ok(back.status < 300, back.text);
  assert.equal((await ask(lab, "GET", "/account/v1/session", undefined, cookie)).status, 200);
  assert.deepEqual([await guess(), await guess()], [401, 429]);
});
