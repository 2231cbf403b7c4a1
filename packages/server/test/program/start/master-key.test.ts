/** Which master key fits a journal without a check value: the encrypted secrets decide. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type Command, Engine } from "@pricetime/engine";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { masterKeyCheck } from "../../../src/platform/config/master-key.ts";
import { createSealer } from "../../../src/platform/secrets/seal.ts";
import { masterKeyOf, sharedMasterKey } from "../../../src/program/start/master-key.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const [KEY, OTHER] = ["12".repeat(32), "34".repeat(32)] as const;
const PUBLIC_KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";
const BY = "test";

function engineOf(...commands: readonly Command[]): Engine {
  const engine = new Engine();
  const open = { type: "openAccount", by: BY, email: "a@example.com", name: "", makerBps: 0, takerBps: 0 } as const;
  for (const command of [open, ...commands]) {
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs: 1, command });
    assert.notEqual(event?.type, "rejected", JSON.stringify([command, event]));
  }
  return engine;
}

const alone = (masterKey: string | null, dataFolder: string) => ({ masterKey, dataFolder, demo: false, cluster: null });

let keys = 0;
function apiKey(sealedSecret: string, publicKey?: string): Command {
  const apiKey = String(++keys).padStart(64, "k");
  const fields = { accountId: 100, apiKey, sealedSecret, permissions: [], ipAllowList: [], label: "", by: BY } as const;
  return { type: "createApiKey", ...fields, ...(publicKey !== undefined && { publicKey }) };
}
const totp = (sealedSecret: string): Command => ({ type: "setTotp", by: BY, accountId: 100, sealedSecret });
const sealed = (key: string): string => createSealer(key, MACHINE).seal("a secret");
const refused = (what: RegExp) => (error: Error) => error instanceof ConfigError && what.test(error.message);

function folderWith(t: TestContext, key?: string): string {
  const folder = scratchFolder(t);
  if (key !== undefined) writeFileSync(join(folder, "master.key"), key);
  return folder;
}

test("nothing encrypted: any key is accepted, and one is created if there is none", (t) => {
  for (const engine of [new Engine(), engineOf(), engineOf(apiKey("", PUBLIC_KEY))]) {
    assert.equal(masterKeyOf(alone(KEY, folderWith(t)), engine, MACHINE), KEY);
    const folder = folderWith(t);
    assert.match(masterKeyOf(alone(null, folder), engine, MACHINE), /^[0-9a-f]{64}$/);
    assert.ok(existsSync(join(folder, "master.key")));
  }
});

test("a secret of either kind is encrypted: only its key is accepted, and none is created", (t) => {
  for (const engine of [engineOf(apiKey(sealed(KEY))), engineOf(totp(sealed(KEY)))]) {
    assert.equal(masterKeyOf(alone(null, folderWith(t, KEY)), engine, MACHINE), KEY);
    assert.throws(
      () => masterKeyOf(alone(null, folderWith(t, OTHER)), engine, MACHINE),
      refused(/is not the master key/),
    );
    assert.throws(
      () => masterKeyOf(alone(OTHER, folderWith(t, KEY)), engine, MACHINE),
      refused(/configured master key is not/),
    );
    const folder = folderWith(t);
    assert.throws(() => masterKeyOf(alone(null, folder), engine, MACHINE), refused(/does not exist/));
    assert.ok(!existsSync(join(folder, "master.key")));
  }
});

test("release 0.1.0 accepted a changed key: a key that decrypts any of its secrets was in use", (t) => {
  const engine = engineOf(apiKey(sealed(OTHER)), apiKey(sealed(KEY)));
  for (const key of [KEY, OTHER]) assert.equal(masterKeyOf(alone(key, folderWith(t)), engine, MACHINE), key);
  assert.throws(
    () => masterKeyOf(alone("56".repeat(32), folderWith(t)), engine, MACHINE),
    refused(/is not the master key/),
  );
});

test("the check value decides, whatever was encrypted", (t) => {
  const keyCheck = masterKeyCheck(KEY);
  const engine = engineOf({ type: "bindMasterKey", by: BY, keyCheck }, apiKey(sealed(OTHER)));
  assert.equal(masterKeyOf(alone(KEY, folderWith(t)), engine, MACHINE), KEY);
  assert.throws(() => masterKeyOf(alone(OTHER, folderWith(t)), engine, MACHINE), refused(/is not the master key/));
  assert.throws(
    () => masterKeyOf(alone(null, folderWith(t)), engineOf({ type: "bindMasterKey", by: BY, keyCheck }), MACHINE),
    ConfigError,
  );
});

test("a node of a cluster takes its key from configuration, folder or demo, and creates none", (t) => {
  const settings = { masterKey: null, dataFolder: folderWith(t), demo: false, cluster: { token: null } };
  assert.throws(
    () => sharedMasterKey(settings),
    refused(/^masterKey: all nodes of a cluster need the same master key.*openssl rand/),
  );
  assert.ok(!existsSync(join(settings.dataFolder, "master.key")));
  assert.equal(sharedMasterKey({ ...settings, masterKey: KEY }), KEY);
  assert.equal(sharedMasterKey({ ...settings, dataFolder: folderWith(t, KEY) }), KEY);
  const demo = { ...settings, demo: true };
  assert.match(sharedMasterKey(demo), /^0{64}$/);
  assert.equal(sharedMasterKey({ ...demo, masterKey: KEY }), KEY);
});
