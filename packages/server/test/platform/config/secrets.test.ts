import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import fc from "fast-check";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { adminToken, readAdminFile, removeAdminFile, writeAdminFile } from "../../../src/platform/config/admin-file.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { keptMasterKey, makeMasterKey, masterKeyCheck } from "../../../src/platform/config/master-key.ts";
import { randomKey, sameSecret } from "../../../src/platform/secrets/api-keys.ts";
import { createSealer, UnsealError } from "../../../src/platform/secrets/seal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const KEY = "00112233445566778899aabbccddeeff".repeat(2);
const mode = (file: string): number => statSync(join(folder, file)).mode & 0o777;

test("a secret is decrypted by the same master key", () => {
  const sealer = createSealer(KEY, MACHINE);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(sealer.unseal(sealer.seal(text)), text)));
});

test("the same secret is encrypted differently each time", () => {
  const sealer = createSealer(KEY, MACHINE);
  assert.notEqual(sealer.seal("secret"), sealer.seal("secret"));
  assert.doesNotMatch(sealer.seal("secret"), /secret/);
});

test("another master key decrypts nothing", () => {
  const sealed = createSealer(KEY, MACHINE).seal("secret");
  assert.throws(() => createSealer("11".repeat(32), MACHINE).unseal(sealed), UnsealError);
});

test("any changed character is detected", () => {
  const sealer = createSealer(KEY, MACHINE);
  const sealed = sealer.seal("secret");
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    assert.throws(() => sealer.unseal(changed), UnsealError, `at ${at}`);
  }
  for (const text of ["", "s1", "s1.", "s1.AAAA", "plain"]) assert.throws(() => sealer.unseal(text), UnsealError);
});

test("keys are 64 letters and digits, evenly distributed", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 2000; i++) {
    const key = randomKey(MACHINE);
    assert.match(key, /^[A-Za-z0-9]{64}$/);
    for (const letter of key) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const mean = (2000 * 64) / 62;
  assert.equal(counts.size, 62);
  // Six standard deviations; `byte % 62` would make the first eight characters 24 percent more frequent.
  for (const [letter, count] of counts) assert.ok(Math.abs(count - mean) < 6 * Math.sqrt(mean), `${letter}: ${count}`);
});

test("secrets are compared completely", () => {
  assert.ok(sameSecret("token", "token"));
  for (const other of ["", "toke", "token ", "Token"]) assert.ok(!sameSecret(other, "token"), other);
});

test("the master key is created once, readable by its owner only", () => {
  assert.equal(keptMasterKey(null, folder), undefined);
  const made = makeMasterKey(folder, MACHINE);
  assert.match(made, /^[0-9a-f]{64}$/);
  assert.equal(mode("master.key"), 0o600);
  assert.equal(keptMasterKey(null, folder), made);
  assert.deepEqual(readdirSync(folder), ["master.key"]);
  assert.equal(keptMasterKey(KEY, folder), KEY);
});

test("a damaged master key stops the start and is left alone", () => {
  for (const damaged of ["", "\n", KEY.slice(1), `${KEY}0`, KEY.replace("0", "g")]) {
    writeFileSync(join(folder, "master.key"), damaged);
    assert.throws(() => keptMasterKey(null, folder), ConfigError);
    assert.equal(readFileSync(join(folder, "master.key"), "utf8"), damaged);
  }
});

test("the check value depends on the master key only and reveals no key", () => {
  const check = masterKeyCheck(KEY);
  assert.match(check, /^[0-9a-f]{64}$/);
  assert.equal(masterKeyCheck(KEY.toUpperCase()), check, "digits may be written either way");
  assert.notEqual(masterKeyCheck(`1${KEY.slice(1)}`), check);
  assert.notEqual(check, KEY);
  const sealed = createSealer(KEY, MACHINE).seal("secret");
  assert.throws(() => createSealer(check, MACHINE).unseal(sealed), UnsealError);
});

test("the admin token survives a killed node", () => {
  const made = adminToken(null, folder, MACHINE);
  assert.equal(readAdminFile(folder), undefined);
  writeAdminFile(folder, { admin: "http://127.0.0.1:1", adminToken: made });
  assert.equal(mode("admin.json"), 0o600);
  assert.equal(adminToken(null, folder, MACHINE), made);
  assert.equal(adminToken("configured-token-1", folder, MACHINE), "configured-token-1");
  assert.deepEqual(readAdminFile(folder), { admin: "http://127.0.0.1:1", adminToken: made });
});

test("admin.json is removed with its node, and an unreadable one is ignored", () => {
  writeAdminFile(folder, { admin: "http://127.0.0.1:1", adminToken: "x".repeat(64), rest: "http://127.0.0.1:2" });
  assert.equal(readAdminFile(folder)?.rest, "http://127.0.0.1:2");
  removeAdminFile(folder);
  removeAdminFile(folder);
  assert.equal(readAdminFile(folder), undefined);
  writeFileSync(join(folder, "admin.json"), "{");
  assert.equal(readAdminFile(folder), undefined);
});
