/** The page's checker accepts the proofs of a real node and rejects modified ones. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { after, before, test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { decimal, formatShort } from "../../src/exact/decimal.ts";
import { checkProof, inDecimals } from "../../src/proof/check-proof.ts";
import { ProofFault } from "../../src/proof/proof-files.ts";

let node: Exchange;
let publicPart: string;
let alice: string;
let bob: string;
before(async () => {
  node = await startExchange({ args: ["--bots", "off"] });
  const { seq } = await operate<{ seq: number }>(node, "POST", "/v1/proofs", {});
  const file = async (path: string): Promise<string> => {
    const response = await fetch(`${node.admin}/v1/proofs/${seq}${path}`, {
      headers: { authorization: `Bearer ${node.adminToken}` },
    });
    assert.equal(response.status, 200);
    return response.text();
  };
  publicPart = await file("");
  [alice, bob] = await Promise.all([file("/accounts/alice@demo.pricetime"), file("/accounts/101")]);
});
after(() => node.stop());

/** The name of the fault, or "holds". */
async function outcome(publicText: string, customerText: string): Promise<string> {
  try {
    await checkProof(publicText, customerText);
    return "holds";
  } catch (error) {
    assert.ok(error instanceof ProofFault, String(error));
    return error.fault;
  }
}

test("a proof of the node is valid, with every amount of the customer", async () => {
  const { customer, statement } = await checkProof(publicPart, alice);
  assert.equal(customer.email, "alice@demo.pricetime");
  const { balances } = await operate<{ balances: { asset: string; free: string }[] }>(
    node,
    "GET",
    "/v1/accounts/alice@demo.pricetime",
  );
  const shown = customer.holdings.map(({ asset, amount }) => {
    const decimals = statement.assets.find((one) => one.asset === asset)?.decimals ?? assert.fail();
    return [asset, formatShort(decimal(inDecimals(amount, decimals)))];
  });
  assert.deepEqual(
    new Map(shown as [string, string][]),
    new Map(balances.map(({ asset, free }) => [asset, formatShort(decimal(free))])),
  );
  assert.equal(await outcome(publicPart, bob), "holds");
});

test("reserves are compared with liabilities; those of another proof, or with an address counted twice, are rejected", async () => {
  const { seq } = JSON.parse(publicPart.split("\n")[0] ?? "") as { seq: number };
  const reserve = { asset: "BTC", network: "BTC", address: "bc1qcold", block: 8, amount: "12.5" };
  await operate(node, "POST", `/v1/proofs/${seq}/reserves`, {
    reserves: [reserve, { ...reserve, address: "bc1qhot" }],
  });
  const headers = { authorization: `Bearer ${node.adminToken}` };
  const shown = await (await fetch(`${node.admin}/v1/proofs/${seq}`, { headers })).text();
  const { statement, reserves } = await checkProof(shown, alice);
  const owed = BigInt(statement.assets.find(({ asset }) => asset === "BTC")?.total ?? "0");
  assert.deepEqual(reserves?.assets.get("BTC"), { held: 2_500_000_000n, surplus: 2_500_000_000n - owed });
  assert.deepEqual([reserves?.assets.size, reserves?.signed, reserves?.said], [1, 0, 2]);
  assert.equal(await outcome(shown.replace('"1250000000"', '"2250000000"'), alice), "signature");

  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const [line = "", , list = ""] = shown.split("\n");
  const sealed = (text: string, signedAs: string): string =>
    `${text}\n${JSON.stringify({ publicKey: raw, signature: sign(null, Buffer.from(signedAs + text), privateKey).toString("hex") })}\n`;
  const forged = (change: (text: string) => string): string =>
    sealed(line, "pricetime proof 1 statement\n") + sealed(change(list), "pricetime proof 1 reserves\n");
  assert.equal(
    await outcome(
      forged((text) => text),
      alice,
    ),
    "holds",
  );
  assert.equal(
    await outcome(
      forged((text) => text.replace("bc1qhot", "BC1QCOLD")),
      alice,
    ),
    "addressTwice",
  );
  assert.equal(
    await outcome(
      forged((text) => text.replace(/"statement":"\w+"/, `"statement":"${"0".repeat(64)}"`)),
      alice,
    ),
    "otherReserves",
  );
  assert.equal(
    await outcome(sealed(line, "pricetime proof 1 statement\n") + shown.split("\n").slice(2).join("\n"), alice),
    "signature",
  );
});

test("either file is rejected if any bit of it is flipped", async () => {
  const dice = new Dice(1);
  for (let n = 0; n < 300; n++) {
    const isPublic = n % 2 === 0;
    const bytes = Buffer.from(isPublic ? publicPart : alice);
    const at = dice.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(7));
    const changed = bytes.toString("latin1");
    const became = isPublic ? await outcome(changed, alice) : await outcome(publicPart, changed);
    assert.notEqual(became, "holds", `${isPublic ? "public" : "customer"} ${at}`);
  }
});

test("statements that a dishonest venue could forge and sign are rejected", async () => {
  const [line = ""] = publicPart.split("\n");
  const statement = JSON.parse(line) as { number: number; assets: Record<string, string | number>[] };
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const forged = (change: object): string => {
    const text = JSON.stringify({ ...statement, ...change });
    const signature = sign(null, Buffer.from(`pricetime proof 1 statement\n${text}`), privateKey).toString("hex");
    return `${text}\n${JSON.stringify({ publicKey: raw, signature })}\n`;
  };
  const first = statement.assets[0] ?? assert.fail();
  const assets = (change: Record<string, string | number>): object => ({
    assets: [{ ...first, ...change }, ...statement.assets.slice(1)],
  });
  // Another key signs the same statement: the checker cannot detect a wrong key, but it shows the key.
  assert.equal(await outcome(forged({}), alice), "holds");
  assert.equal(await outcome(forged({ number: 2 }), alice), "first");
  assert.equal(await outcome(forged({ assets: statement.assets.toReversed() }), alice), "order");
  assert.equal(await outcome(forged(assets({ total: "1" })), alice), "held");
  assert.equal(await outcome(forged(assets({ fees: "-0" })), alice), "form");
  assert.equal(await outcome(forged(assets({ total: String(2n ** 127n) })), alice), "form");
  assert.equal(await outcome(forged(assets({ leaving: String(2n ** 126n) })), alice), "leaving");
});

test("another customer's part, a repeated asset and a shorter path are rejected", async () => {
  const part = JSON.parse(alice) as { holdings: { path: unknown[]; amount: string; asset: string }[] };
  const changed = (change: object): string => `${JSON.stringify({ ...part, ...change })}\n`;
  const [first = assert.fail(), ...others] = part.holdings;
  assert.equal(await outcome(publicPart, changed({ accountId: 101 })), "root");
  assert.equal(await outcome(publicPart, changed({ email: "bob@demo.pricetime" })), "root");
  assert.equal(await outcome(publicPart, changed({ holdings: [first, first, ...others] })), "twice");
  assert.equal(await outcome(publicPart, changed({ holdings: [{ ...first, amount: "1" }] })), "root");
  assert.equal(await outcome(publicPart, changed({ holdings: [{ ...first, asset: "NONE" }] })), "unknownAsset");
  assert.equal(await outcome(publicPart, changed({ holdings: [{ ...first, path: first.path.slice(1) }] })), "length");
  assert.equal(await outcome(publicPart, changed({ statement: "00".repeat(32) })), "otherProof");
  assert.equal(await outcome(publicPart, alice.replace("{", "{ ")), "form");
  assert.equal(await outcome(publicPart, `${alice}\n`), "form");
});

test("units become decimals without floating-point numbers", () => {
  assert.equal(inDecimals("1", 8), "0.00000001");
  assert.equal(inDecimals("-123456789012345678901234567890", 8), "-1234567890123456789012.34567890");
  assert.equal(inDecimals("42", 0), "42");
});
