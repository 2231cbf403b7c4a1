/** Password hashes: argon2id, encrypted, limited in number, and equally slow for unknown accounts. */
import assert from "node:assert/strict";
import { argon2Sync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { createSealer } from "../../../src/platform/secrets/seal.ts";
import {
  hashPassword,
  type HashSlot,
  HashQueue,
  isFitPassword,
  isPassword,
  Passwords,
  TooManyHashes,
} from "../../../src/people/sign-in/passwords.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const sealer = createSealer("11".repeat(32), MACHINE);
const passwords = new Passwords({ sealer, dice: MACHINE });
const from = (sender: string, more: Partial<HashSlot> = {}): HashSlot => ({
  ...{ whose: "customers", standing: "stranger", sender, bits: 0 },
  ...more,
});
const IP = from("192.0.2.1");

test("a hash records its parameters and is argon2id's", async () => {
  const salt = randomBytes(16);
  const hash = await hashPassword("correct horse battery", salt);
  const [, name, version, cost, , digest = ""] = hash.split("$");
  assert.deepEqual([name, version, cost], ["argon2id", "v=19", "m=32768,t=2,p=1"]);
  const same = argon2Sync("argon2id", {
    ...{ message: "correct horse battery", nonce: salt, parallelism: 1, tagLength: 32, memory: 32_768, passes: 2 },
  });
  assert.equal(Buffer.from(digest, "base64").toString("hex"), same.toString("hex"));
});

test("hashes with other parameters stay valid, too expensive ones are rejected", async () => {
  const nonce = Buffer.alloc(16, 1);
  const digest = argon2Sync("argon2id", {
    message: "pass",
    nonce,
    parallelism: 2,
    tagLength: 32,
    memory: 64,
    passes: 3,
  });
  const text = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
  assert.equal(await isPassword(`$argon2id$v=19$m=64,t=3,p=2$${text(nonce)}$${text(digest)}`, "pass"), true);
  const dear = `$argon2id$v=19$m=4194304,t=3,p=2$${text(nonce)}$${text(digest)}`;
  await assert.rejects(isPassword(dear, "pass"), /not a hash/);
  await assert.rejects(isPassword("plain", "plain"), /not a hash/);
});

test("only the right password matches, in any Unicode form, and the hash is encrypted", async () => {
  const sealed = await passwords.sealedHashOf("caf\u00e9 and a long tail", IP);
  assert.match(sealed, /^s1\./);
  assert.equal(await passwords.isRight(sealed, "caf\u00e9 and a long tail", IP), true);
  assert.equal(await passwords.isRight(sealed, "cafe\u0301 and a long tail", IP), true);
  assert.equal(await passwords.isRight(sealed, "caf\u00e9 and a long tail ", IP), false);
  assert.equal(await passwords.isRight(undefined, "caf\u00e9 and a long tail", IP), false);
  const long = "\u{1f600}".repeat(256);
  const ofLong = await passwords.sealedHashOf(long, IP);
  assert.equal(await passwords.isRight(ofLong, long, IP), true);
  assert.equal(await passwords.isRight(ofLong, `${long}more`, IP), false);
});

test("a password has 12 to 256 characters, counted as code points", () => {
  assert.deepEqual(["x".repeat(11), "x".repeat(12), "\u{1f600}".repeat(256), "x".repeat(257)].map(isFitPassword), [
    false,
    true,
    true,
    false,
  ]);
});

test("checking a password of an unknown account takes as long as of a known one", async () => {
  const sealed = await passwords.sealedHashOf("a password of somebody", IP);
  const timeOf = async (of: string | undefined): Promise<number> => {
    const begun = performance.now();
    await passwords.isRight(of, "another password", IP);
    return performance.now() - begun;
  };
  // Measured in turn, and the minimum of each, as the machine's load varies.
  let [somebodys, nobodys] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < 10; i++) {
    somebodys = Math.min(somebodys, await timeOf(sealed));
    nobodys = Math.min(nobodys, await timeOf(undefined));
  }
  // Without hashing it would take less than a tenth of the time.
  assert.ok(nobodys > somebodys / 4 && nobodys < somebodys * 4, `${somebodys} ms and ${nobodys} ms`);
});

test("concurrent and waiting hashes are limited, per address as well", async () => {
  const queue = new HashQueue({ maxAtATime: 2, maxWaiting: 3, maxOfAddress: 4 });
  let atWork = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const work = async (): Promise<void> => {
    most = Math.max(most, ++atWork);
    await new Promise<void>((resolve) => ends.push(resolve));
    atWork--;
  };
  const ofOne = Array.from({ length: 5 }, () => queue.run(from("10.0.0.1"), work));
  await assert.rejects(ofOne[4] ?? assert.fail(), TooManyHashes, "a fifth of one address");
  const ofOther = queue.run(from("10.0.0.2"), work);
  await assert.rejects(queue.run(from("10.0.0.3"), work), TooManyHashes, "a fourth that would wait");
  const all = Promise.all([...ofOne.slice(0, 4), ofOther]);
  for (let turn = 0; turn < 20; turn++) {
    for (const end of ends.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  assert.equal(most, 2);
  const after = queue.run(from("10.0.0.1"), () => Promise.resolve("free again"));
  assert.equal(await after, "free again");
});

test("customers cannot lock out operators, who have a separate queue and priority", async () => {
  const queue = new HashQueue({ maxAtATime: 1, maxWaiting: 2, maxOfAddress: 2 });
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const as = (name: string) => async (): Promise<void> => {
    done.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  const crowd = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((ip) => queue.run(from(ip), as(ip)));
  await assert.rejects(queue.run(from("10.0.0.4"), as("more")), TooManyHashes);
  const operator = queue.run(from("127.0.0.1", { whose: "operators" }), as("operator"));
  assert.equal(queue.waiting, 3);
  for (let turn = 0; turn < 20; turn++) {
    for (const end of ends.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([...crowd, operator]);
  assert.deepEqual(done, ["10.0.0.1", "operator", "10.0.0.2", "10.0.0.3"]);
});

test("unknown clients do not displace known ones or those with proof of work; more work has priority", async () => {
  const queue = new HashQueue({ maxAtATime: 1, maxWaiting: 2, maxOfAddress: 2 });
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, more: Partial<HashSlot> = {}): Promise<void> =>
    queue.run(from(name, more), async () => {
      done.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const crowd = ["a", "b", "c"].map((name) => run(name));
  await assert.rejects(run("d"), TooManyHashes);
  assert.equal(queue.priceOf("customers"), 0);
  const evicted = run("little work", { standing: "worked", bits: 12 });
  const lost = assert.rejects(evicted, TooManyHashes);
  const worked = [run("work", { standing: "worked", bits: 14 })];
  assert.equal(queue.priceOf("customers"), 13);
  await assert.rejects(run("as little", { standing: "worked", bits: 12 }), TooManyHashes);
  worked.push(run("more work", { standing: "worked", bits: 15 }));
  await lost;
  const known = [run("known", { standing: "known" }), run("operator", { standing: "known", whose: "operators" })];
  for (let turn = 0; turn < 30; turn++) {
    for (const end of ends.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([...crowd, ...worked, ...known]);
  assert.deepEqual(done, ["a", "operator", "known", "more work", "work", "b", "c"]);
  assert.equal(queue.waiting, 0);
});
