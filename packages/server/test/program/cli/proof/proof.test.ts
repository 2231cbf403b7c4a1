import assert from "node:assert/strict";
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Command, encodeCommands, Engine } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { jsonIn, runIn, type Said } from "../command-line.ts";
import { masterKeyPath } from "../../../../src/platform/config/master-key.ts";
import { JournalFile } from "../../../../src/journal/journal-file.ts";
import { signingKeyOf } from "../../../../src/funds/proof/keys.ts";
import { readStatement, reserveText, withReserves } from "../../../../src/funds/proof/statement.ts";
import { dataPaths } from "../../../../src/journal/storage/data-folder.ts";

const folder = temporaryFolder();
const to = join(folder, "out");
const publicPart = join(to, "public.jsonl");
const customerPart = join(to, "customer-100.json");
const seq = setup().length;

const run = (...argv: string[]): Promise<Said> => runIn(folder, argv);
const json = (...argv: string[]): Promise<Record<string, unknown>> => jsonIn(folder, argv);

async function fails(why: RegExp, ...argv: string[]): Promise<void> {
  const { code, err } = await run(...argv);
  assert.equal(code, 1);
  assert.match(err, why);
}

before(async () => {
  const journal = JournalFile.open(dataPaths(folder).journal);
  const priorEventDigest = new Engine().eventDigest();
  const bytes = encodeCommands(setup());
  journal.append({ firstSeq: 1, count: seq, timeMs: 1_700_000_000_000, node: "n", bytes, priorEventDigest });
  journal.close();
  await fails(/master\.key does not exist/, "proof", "make");
  writeFileSync(masterKeyPath(folder), `${"5a".repeat(32)}\n`);
  await fails(/There is no proof yet/, "proof", "export", to);
  await json("proof", "make");
  await json("proof", "export", to);
});
after(() => rmSync(folder, { recursive: true }));

test("a proof is created, listed and exported, for all customers or one", async () => {
  const { number, seq: of, digest } = await json("proof", "make");
  assert.deepEqual([number, of], [1, seq]);
  assert.match((await run("proof", "list")).out, new RegExp(`^ +1 +${seq} .*${String(digest)}$`, "m"));
  const one = join(folder, "one");
  assert.equal((await json("proof", "export", one, "--account", "101"))["customers"], 1);
  assert.equal(readFileSync(join(one, "public.jsonl"), "utf8"), readFileSync(publicPart, "utf8"));
  await fails(/There is no proof of entry 3/, "proof", "export", one, "--at", "3");
});

test("a customer verifies their part; a forged part, another key and another proof are rejected", async () => {
  const told = await json("proof", "verify", customerPart);
  assert.deepEqual([told["verdict"], told["accountId"], told["email"]], ["valid", 100, "100@test"]);
  const held = { asset: "BTC", amount: "90000000000000000000.00000000" };
  assert.deepEqual((told["holdings"] as unknown[])[0], held);
  await json("proof", "verify", customerPart, "--key", String(told["publicKey"]));
  await fails(/signed with another key/, "proof", "verify", customerPart, "--key", "00".repeat(32));
  const forged = join(to, "forged.json");
  writeFileSync(forged, readFileSync(customerPart, "utf8").replace('"index":', '"index":1'));
  await fails(/not in the venue's total|not as long/, "proof", "verify", forged);
  await fails(/ENOENT/, "proof", "verify", join(to, "nothing.json"));
  await fails(/Specify a file to verify/, "proof", "verify");
});

test("a public part without reserves is reported, and reserves are checked by their addresses' keys", async () => {
  const bare = await json("proof", "verify", publicPart);
  assert.equal(bare["reserves"], "none");
  const signed = readStatement(readFileSync(publicPart, "utf8"));
  const owner = privateKeyToAccount(generatePrivateKey());
  const about = { asset: "BTC", network: "ETH", address: owner.address, block: 1, amount: "5" };
  const signature = (await owner.signMessage({ message: reserveText(signed.digest, about) })).slice(2);
  const file = join(to, "reserves.jsonl");
  const write = (change: object): void => {
    const list = [{ ...about, signature, ...change }];
    writeFileSync(file, withReserves(signed, list, signingKeyOf("5a".repeat(32))).text);
  };
  write({});
  const told = await json("proof", "verify", file);
  assert.match(String(told["reserves"]), /^1 signed by their addresses/);
  assert.equal((told["assets"] as Record<string, unknown>[])[0]?.["reserves"], "0.00000005");
  write({ amount: "6" });
  await fails(/not of its key, or of another statement/, "proof", "verify", file);
  await fails(/not of its key, or of another statement/, "proof", "verify", customerPart, "--public", file);
});

test("public parts are verified alone and against each other", async () => {
  const told = await json("proof", "verify", publicPart, "--against", publicPart);
  assert.deepEqual([told["relation"], told["verdict"]], ["the same", "valid"]);
  // The same venue, with its count of proofs restarted: two proofs number 1.
  const kept = join(folder, "proofs");
  renameSync(kept, join(folder, "aside"));
  const journal = JournalFile.open(dataPaths(folder).journal);
  const engine = new Engine();
  for (const [n, command] of setup().entries()) engine.apply({ seq: n + 1, timeMs: 1_700_000_000_000, command });
  const bytes = encodeCommands([{ type: "setMaintenance", isOn: true, by: "test" }]);
  const priorEventDigest = engine.eventDigest();
  journal.append({ firstSeq: seq + 1, count: 1, timeMs: 1_700_000_000_001, node: "n", bytes, priorEventDigest });
  journal.close();
  await json("proof", "make");
  const other = join(to, "other.jsonl");
  copyFileSync(join(kept, String(seq + 1), "public.jsonl"), other);
  rmSync(kept, { recursive: true });
  renameSync(join(folder, "aside"), kept);
  await fails(/TWO VIEWS/, "proof", "verify", publicPart, "--against", other);
  // With the first one restored it follows.
  assert.equal((await json("proof", "make"))["number"], 2);
  const second = join(kept, String(seq + 1), "public.jsonl");
  assert.equal((await json("proof", "verify", second, "--against", publicPart))["relation"], "consecutive");
});

test("an auditor recomputes it from the journal, with the master key, the proof's key, or none", async () => {
  const roots = async (...more: string[]): Promise<unknown> =>
    (await json("proof", "verify", publicPart, "--data", folder, ...more))["roots"];
  assert.equal(await roots(), "recomputed");
  const { proofKey } = await json("proof", "key", String(seq));
  const key = masterKeyPath(folder);
  renameSync(key, `${key}.aside`);
  try {
    assert.match(String(await roots()), /^not recomputed/);
    assert.equal(await roots("--proof-key", String(proofKey)), "recomputed");
    await fails(/BTC: root is/, "proof", "verify", publicPart, "--data", folder, "--proof-key", "00".repeat(32));
    writeFileSync(key, `${"6b".repeat(32)}\n`);
    await fails(/not signed with the key of this data folder/, "proof", "verify", publicPart, "--data", folder);
  } finally {
    renameSync(`${key}.aside`, key);
  }
});

test("published roots are recomputed from the journal, and an unpublished proof is rejected", async () => {
  const verified = await json("proof", "verify", publicPart, "--data", folder);
  assert.equal(verified["published"], "no");
  await fails(/never published/, "proof", "verify", publicPart, "--data", folder, "--published");
  const { digest, number, previous } = verified;
  const journal = JournalFile.open(dataPaths(folder).journal);
  const engine = new Engine();
  const before: Command[] = [...setup(), { type: "setMaintenance", isOn: true, by: "test" }];
  for (const [n, command] of before.entries()) {
    engine.apply({ seq: n + 1, timeMs: 1_700_000_000_000 + (n < seq ? 0 : 1), command });
  }
  const publish = { type: "publishProof", by: "test", number, seq, root: digest, previous } as Command<"publishProof">;
  const batch = { firstSeq: seq + 2, count: 1, timeMs: 1_700_000_000_002, node: "n", bytes: encodeCommands([publish]) };
  journal.append({ ...batch, priorEventDigest: engine.eventDigest() });
  journal.close();
  const told = await json("proof", "verify", "--data", folder, "--published");
  assert.deepEqual((told["published"] as Record<string, unknown>[])[0]?.["root"], digest);
  const again = await json("proof", "verify", publicPart, "--data", folder, "--published");
  assert.deepEqual([again["published"], again["verdict"]], ["in the journal", "valid"]);
  await fails(/No node is running/, "proof", "publish");
});

test("the treasury is recomputed without a node", async () => {
  const { isBalanced, assets } = await json("treasury", "--offline", "--flows", "--at", String(seq));
  assert.equal(isBalanced, true);
  const [btc] = assets as { readonly asset: string; readonly net: string; readonly flows: { readonly net: string } }[];
  assert.deepEqual([btc?.asset, btc?.net, btc?.flows.net], ["BTC", "270000000000000000000.00000000", btc?.net]);
  assert.match(
    (await run("treasury", "--offline", "--flows")).out,
    /^BTC +in +deposit +270000000000000000000\.00000000$/m,
  );
  await fails(/No node is running/, "treasury");
});
