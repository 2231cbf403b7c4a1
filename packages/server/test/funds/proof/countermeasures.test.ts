/** Known flaws of older proofs, forged: docs/internals/proof-format.md lists them by these numbers. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import {
  checkCustomer,
  type CustomerPart,
  customerText,
  type HoldingPart,
  readCustomer,
} from "../../../src/funds/proof/proof.ts";
import {
  contextHash,
  customerHash,
  ENTRY_BYTES,
  sumBytes,
  SumTree,
  TreeHasher,
} from "../../../src/funds/proof/sum-tree.ts";
import { customerSecretOf, proofKeyOf, signingKeyOf } from "../../../src/funds/proof/keys.ts";
import { MAX_SUM, ProofRefused } from "../../../src/funds/proof/lines.ts";
import {
  compareStatements,
  contextOf,
  readStatement,
  type SignedStatement,
  signStatement,
  type Statement,
} from "../../../src/funds/proof/statement.ts";
import { CHAIN_HASH, MASTER_KEY, proofOf, venueOf } from "./venue.ts";

const engine = venueOf();
const made = proofOf(engine);
const part = made.partOf(100);
const check = (changed: CustomerPart, signed = made.signed): void =>
  checkCustomer(readCustomer(customerText(changed)), signed);
const refused = (why: RegExp) => (error: Error) => error instanceof ProofRefused && why.test(error.message);

/** The part of account 100 with its first holding changed. */
const withHolding = (change: Partial<CustomerPart["holdings"][number]>): CustomerPart => {
  const [first, ...others] = part.holdings;
  assert.ok(first);
  return { ...part, holdings: [{ ...first, ...change }, ...others] };
};
const first = part.holdings[0] ?? assert.fail("account 100 holds something");
const told = made.signed.statement.assets[0] ?? assert.fail("there is an asset");

/** The public part as a venue would sign it that lies about its first asset. */
const resigned = (change: Partial<Statement["assets"][number]>): string => {
  const { statement } = made.signed;
  const [asset, ...others] = statement.assets;
  assert.ok(asset);
  return signStatement({ ...statement, assets: [{ ...asset, ...change }, ...others] }, signingKeyOf(MASTER_KEY)).text;
};

test("what is honest holds, for every customer", () => {
  const signed = readStatement(made.signed.text);
  for (const { accountId } of engine.accounts()) check(made.partOf(accountId), signed);
  assert.equal(first.amount, "9000000000000000000000000000");
  assert.equal(told.total, "27000000000000000000000000000");
});

test("1: a node binds the sums of both children, so that a sum cannot be split otherwise", () => {
  // If a node commits only to the sum of both, the larger of two balances passes for their sum: each of the two
  // customers is shown the rest of it as the other's.
  const { statement } = made.signed;
  const context = contextHash(contextOf(statement, { ...told, depth: 1 }));
  const hasher = new TreeHasher(context);
  const [one, two] = [
    { part, amount: 5n, index: 0 },
    { part: made.partOf(101), amount: 7n, index: 1 },
  ];
  const leafOf = ({ part: of, amount, index }: typeof one): Buffer =>
    Buffer.from(
      hasher.leaf(index, customerHash(Buffer.from(of.secret, "hex"), of.accountId, of.email), sumBytes(amount)),
      "latin1",
    );
  const root = (sums: readonly [bigint, bigint]): string => {
    const children = Buffer.concat([leafOf(one), sumBytes(sums[0]), leafOf(two), sumBytes(sums[1])]);
    return Buffer.from(hasher.node(1, 0, children), "latin1").toString("hex");
  };
  const shown = (total: bigint, sums: readonly [bigint, bigint]): [CustomerPart, CustomerPart, SignedStatement] => {
    const signed = readStatement(resigned({ depth: 1, total: `${total}`, net: `${total}`, root: root(sums) }));
    const partFor = (own: typeof one, beside: typeof one): CustomerPart => {
      const path: HoldingPart["path"] = [[`${total - own.amount}`, leafOf(beside).toString("hex")]];
      const holding = { asset: told.asset, amount: `${own.amount}`, index: own.index, path };
      return { ...own.part, statement: signed.digest, holdings: [holding] };
    };
    return [partFor(one, two), partFor(two, one), signed];
  };
  const [mine, others, honest] = shown(12n, [5n, 7n]);
  check(mine, honest);
  check(others, honest);
  const [first5, second7, lying] = shown(7n, [5n, 2n]);
  check(first5, lying);
  assert.throws(() => check(second7, lying), refused(/not in the venue's total/));
});

test("the hashes are of the bytes that the format names", () => {
  const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
  const sha = (...parts: readonly Buffer[]): string => hash("sha256", Buffer.concat(parts), "hex");
  const [context, customer, other] = [Buffer.alloc(32, 0xc0), Buffer.alloc(32, 0xcc), Buffer.alloc(32, 0xdd)];
  const hasher = new TreeHasher(context);
  const inHex = (digest: string): string => Buffer.from(digest, "latin1").toString("hex");
  const sum = bytes("00000000000000000000000000000102");
  assert.equal(
    inHex(hasher.leaf(0x01020304, customer, sum)),
    sha(bytes("00"), context, bytes("01020304"), customer, sum),
  );
  const children = Buffer.concat([customer, sum, other, sumBytes(2n ** 127n - 1n)]);
  assert.equal(inHex(hasher.node(9, 0x0a0b0c0d, children)), sha(bytes("01"), context, bytes("09 0a0b0c0d"), children));
  assert.equal(
    customerHash(other, 0x64, "é@x").toString("hex"),
    sha(bytes("02"), other, bytes("0000000000000064 c3a9 4078")),
  );
});

test("1: a tree is bound to its asset, moment, chain and size", () => {
  const { statement } = made.signed;
  const contexts = [
    contextOf(statement, told),
    contextOf(statement, statement.assets[1] ?? told),
    contextOf({ ...statement, seq: statement.seq + 1 }, told),
    contextOf({ ...statement, chainHash: "00".repeat(32) }, told),
    contextOf(statement, { ...told, depth: told.depth + 1 }),
    contextOf(statement, { ...told, decimals: told.decimals + 1 }),
    contextOf(statement, { ...told, assetId: told.assetId + 1 }),
  ];
  assert.equal(new Set(contexts.map((each) => contextHash(each).toString("hex"))).size, contexts.length);
  // The path of one asset is not valid in another, though accounts and amounts are the same.
  const [btc, wide] = [part.holdings[0], part.holdings[1]];
  assert.ok(btc && wide && btc.amount === wide.amount);
  assert.throws(
    () => check({ ...part, holdings: [{ ...btc, asset: wide.asset }] }),
    refused(/not in the venue's total/),
  );
});

test("1: a leaf cannot pass for a node, nor a node for a leaf", () => {
  // A customer who is shown an inner node as his leaf: the path is too short.
  assert.throws(() => check(withHolding({ path: first.path.slice(1) })), refused(/not as long as the tree is high/));
  const longer = withHolding({ path: [...first.path, ["0", "00".repeat(32)]] });
  assert.throws(() => check(longer), refused(/not as long as the tree is high/));
  assert.throws(() => check(withHolding({ index: 2 ** told.depth })), refused(/not as long as the tree is high/));
});

/** A tree of two leaves; the venue chooses the second, with hashes and sums that match. */
function forgedPair(beside: bigint): { readonly text: string; readonly forged: CustomerPart } {
  const { statement } = made.signed;
  const context = contextHash(contextOf(statement, { ...told, depth: 1 }));
  const hasher = new TreeHasher(context);
  const secret = customerSecretOf(proofKeyOf(MASTER_KEY, CHAIN_HASH), 100);
  const customer = customerHash(secret, 100, part.email);
  const amount = BigInt(first.amount);
  const mod = (sum: bigint): bigint => ((sum % 2n ** 128n) + 2n ** 128n) % 2n ** 128n;
  const besideHash = hasher.leaf(1, customer, sumBytes(mod(beside)));
  const entry = (digest: string, sum: bigint): Buffer =>
    Buffer.concat([Buffer.from(digest, "latin1"), sumBytes(mod(sum))]);
  const children = Buffer.concat([
    entry(hasher.leaf(0, customer, sumBytes(amount)), amount),
    entry(besideHash, beside),
  ]);
  const root = Buffer.from(hasher.node(1, 0, children), "latin1").toString("hex");
  const total = String(mod(amount + beside));
  const text = resigned({ depth: 1, root, total, net: total });
  const path: CustomerPart["holdings"][number]["path"] = [
    [String(beside), Buffer.from(besideHash, "latin1").toString("hex")],
  ];
  const holding = { asset: told.asset, amount: first.amount, index: 0, path };
  return { text, forged: { ...part, statement: digestOf(text), holdings: [holding] } };
}
const digestOf = (text: string): string => hash("sha256", text.split("\n")[0] ?? "", "hex");

test("2: a leaf below zero, or so large that the sum wraps round, lowers no total", () => {
  const honest = forgedPair(5n);
  check(honest.forged, readStatement(honest.text));
  // The hashes match in both forgeries: they are rejected for the number alone.
  const negative = forgedPair(-BigInt(first.amount) + 1n);
  assert.throws(() => check(negative.forged, readStatement(negative.text)), refused(/not of the format/));
  const wrapping = forgedPair(2n ** 128n - BigInt(first.amount) + 1n);
  assert.throws(() => check(wrapping.forged, readStatement(wrapping.text)), refused(/not of the format/));
  const beyond = forgedPair(MAX_SUM - 5n);
  const signed = {
    ...readStatement(resigned({})),
    ...signStatement(JSON.parse(beyond.text.split("\n")[0] ?? "") as Statement, signingKeyOf(MASTER_KEY)),
  };
  assert.throws(() => check(beyond.forged, signed), refused(/beyond all bounds/));
});

test("3: one leaf is not good for two customers of the same balance", () => {
  const other = made.partOf(101);
  assert.equal(other.holdings[0]?.amount, first.amount);
  // The second customer is given the leaf of the first, with his own number and address.
  const { holdings, secret } = part;
  assert.throws(() => check({ ...other, holdings, secret }), refused(/not in the venue's total/));
  assert.throws(() => check({ ...part, email: other.email }), refused(/not in the venue's total/));
  assert.throws(() => check({ ...part, accountId: other.accountId }), refused(/not in the venue's total/));
  // One leaf does not count for two assets, or twice.
  assert.throws(() => check({ ...part, holdings: [first, first] }), refused(/stands twice/));
  assert.throws(() => check(withHolding({ index: first.index ^ 1 })), refused(/not in the venue's total/));
});

test("4: two proofs of the same balances have nothing in common that a customer is shown", () => {
  const later = proofOf(engine, { chainHash: "d5".repeat(32) });
  const shown = (of: CustomerPart): string[] => [
    of.secret,
    ...of.holdings.flatMap(({ path }) => path.map(([, hash]) => hash)),
  ];
  const earlier = new Set(shown(part));
  assert.deepEqual(
    shown(later.partOf(100)).filter((each) => earlier.has(each)),
    [],
  );
  const places = [part, later.partOf(100)].map(({ holdings }) => holdings.map(({ index }) => index).join());
  assert.notEqual(places[0], places[1]);
  // Within one proof an account has another place in each asset.
  assert.ok(new Set(part.holdings.map(({ index }) => index)).size > 1);
});

test("4: padding cannot be told from a customer, but by its sum, and the height does not count holders", () => {
  const more = (accounts: number): Command[] =>
    Array.from({ length: accounts }, (_, n): Command[] => {
      const [accountId, reference] = [103 + n, `more-${n}`];
      return [
        { type: "openAccount", by: "test", email: `${accountId}@test`, name: "more", makerBps: 0, takerBps: 0 },
        { type: "deposit", by: "test", accountId, asset: "BTC", amount: "1", reference },
      ];
    }).flat();
  assert.equal(proofOf(venueOf(more(90))).signed.statement.assets[0]?.depth, told.depth);
  const leaves = made.trees.get("BTC")?.entries.subarray(2 ** told.depth * ENTRY_BYTES) ?? assert.fail();
  const hashes = Array.from({ length: 2 ** told.depth }, (_, n) =>
    leaves.toString("hex", n * ENTRY_BYTES, n * ENTRY_BYTES + 32),
  );
  assert.equal(new Set(hashes).size, 2 ** told.depth);
  // Under another key all of them differ, so nobody without it can create the leaf of a padding.
  const about = contextOf(made.signed.statement, told);
  const none = { accountIds: [], amounts: [] };
  const [one, two] = [1, 2].map((key) => new SumTree(about, none, Buffer.alloc(32, key), () => assert.fail()));
  for (let at = 0; at < 2 ** told.depth; at++) {
    const leaf = ({ entries }: SumTree): string =>
      entries.toString("hex", (2 ** told.depth + at) * ENTRY_BYTES).slice(0, 64);
    assert.ok(one && two && leaf(one) !== leaf(two));
  }
});

test("5: who is left out sees it, whatever else the venue tells him", () => {
  // The venue leaves out account 102, and states a total without it.
  const { free } = engine.balance(102, told.assetId);
  const short = String(BigInt(told.total) - free);
  const lying = readStatement(resigned({ total: short, net: short }));
  assert.throws(() => check({ ...made.partOf(102), statement: lying.digest }, lying), refused(/another total/));
  const hidden = made.partOf(102).holdings.map((holding) => ({ ...holding, amount: "0" }));
  assert.throws(() => check({ ...made.partOf(102), holdings: hidden }), refused(/not in the venue's total/));
});

test("6: two public parts of one moment, or that do not follow each other, convict the venue", () => {
  const key = signingKeyOf(MASTER_KEY);
  const { statement } = made.signed;
  const other = readStatement(resigned({ total: "0", net: "0", leaving: "0" }));
  assert.equal(compareStatements(made.signed, other), "twoViews");
  assert.equal(compareStatements(made.signed, readStatement(made.signed.text)), "same");
  const next = signStatement({ ...statement, number: 2, seq: statement.seq + 1, previous: made.signed.digest }, key);
  assert.equal(compareStatements(made.signed, next), "next");
  assert.equal(compareStatements(next, made.signed), "next");
  const torn = signStatement({ ...next.statement, previous: other.digest }, key);
  assert.equal(compareStatements(made.signed, torn), "twoViews");
  const third = signStatement({ ...next.statement, number: 3, seq: statement.seq + 2, previous: next.digest }, key);
  assert.equal(compareStatements(made.signed, third), "apart");
  const sameMoment = signStatement({ ...next.statement, seq: statement.seq }, key);
  assert.equal(compareStatements(made.signed, sameMoment), "twoViews");
  const stranger = signStatement(statement, signingKeyOf("6b".repeat(32)));
  assert.equal(compareStatements(made.signed, stranger), "otherKey");
  // A customer's part names its public part.
  assert.throws(() => check(part, other), refused(/not of one proof/));
});

test("6: a public part that was changed after it was signed is refused", () => {
  const changed = made.signed.text.replace(`"total":"${told.total}"`, `"total":"${told.total.slice(0, -1)}1"`);
  assert.notEqual(changed, made.signed.text);
  assert.throws(() => readStatement(changed), refused(/signature/));
});

test("8: what the venue's own accounts hold stands apart, and all together is what came in", () => {
  const withHouse = venueOf([
    { type: "deposit", by: "test", accountId: 4, asset: "BTC", amount: "5", reference: "own" },
    { type: "deposit", by: "test", accountId: 5, asset: "BTC", amount: "2", reference: "dust" },
  ]);
  const [btc] = proofOf(withHouse).signed.statement.assets;
  assert.equal(btc?.total, told.total);
  assert.deepEqual([btc?.treasury, btc?.dust, btc?.fees, btc?.arriving], ["500000000", "200000000", "0", "0"]);
  assert.equal(BigInt(btc?.net ?? 0) - BigInt(told.net), 700_000_000n);
  assert.throws(() => readStatement(resigned({ treasury: "1" })), refused(/not what came in less what went out/));
  assert.throws(() => readStatement(resigned({ fees: "-1", treasury: "1" })), refused(/fees is below zero/));
  assert.throws(() => readStatement(resigned({ leaving: `${told.total}0` })), refused(/more is leaving|format/));
});
