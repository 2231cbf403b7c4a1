/** Flaw 8 of older proofs, forged: reserves beside liabilities, by both checkers, and in a data folder. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { customerText } from "../../../src/funds/proof/proof.ts";
import { proofsFolder } from "../../../src/funds/proof/folder/stored-proofs.ts";
import { AuditRefused, type GivenReserve } from "../../../src/funds/proof/folder/port.ts";
import { signingKeyOf } from "../../../src/funds/proof/keys.ts";
import { ProofRefused, sealLine } from "../../../src/funds/proof/lines.ts";
import {
  checkAddresses,
  compareStatements,
  readStatement,
  type Reserve,
  reservesOf,
  reserveText,
  withReserves,
} from "../../../src/funds/proof/statement.ts";
import { liveVenue } from "./live-venue.ts";
import { inPython, skip } from "./two-checkers.ts";
import { MASTER_KEY, proofOf, venueOf } from "./venue.ts";

const key = signingKeyOf(MASTER_KEY);
const owner = privateKeyToAccount(generatePrivateKey());
const made = proofOf(venueOf());
const mine = customerText(made.partOf(100));
const { digest } = made.signed;

async function signed(of = digest, by = owner, change: Partial<Reserve> = {}): Promise<Reserve> {
  const about = { asset: "BTC", network: "ETH", address: owner.address, block: 7, amount: "500", ...change };
  const signature = (await by.signMessage({ message: reserveText(of, about) })).slice(2);
  return { ...about, signature };
}
const said: Reserve = {
  ...{ asset: "BTC", network: "BTC", address: "bc1qxyz", block: 800_000, amount: "40", signature: "" },
};

/** The result of both checkers, which must agree. */
async function verdicts(text: string): Promise<string> {
  let here = "holds";
  try {
    const read = readStatement(text);
    if (read.reserves !== null) await checkAddresses(read.reserves, read.digest);
  } catch (error) {
    assert.ok(error instanceof ProofRefused, String(error));
    here = `refused: ${error.message}`;
  }
  const [there = ""] = inPython([[text, mine]]);
  assert.equal(there.split(":")[0], here.split(":")[0], `${here} / ${there}`);
  return here;
}

let honest: string;
let one: Reserve;
before(async () => {
  one = await signed();
  honest = withReserves(made.signed, [one, said], key).text;
});

test("reserves that their addresses have signed hold, beside what the operator says", { skip }, async () => {
  assert.equal(await verdicts(honest), "holds");
  const { reserves } = readStatement(honest);
  assert.equal(reservesOf(reserves?.reserves ?? [], "BTC"), 540n);
  assert.equal(reservesOf(reserves?.reserves ?? [], "USDT"), null);
});

test("8: an amount that was changed is refused, whoever signs the list again", { skip }, async () => {
  assert.match(await verdicts(honest.replace('"amount":"500"', '"amount":"900"')), /signature of the reserves/);
  const again = withReserves(made.signed, [{ ...one, amount: "900" }], key).text;
  assert.match(await verdicts(again), /is not of its key, or of another statement/);
  const later = withReserves(made.signed, [{ ...one, block: 8 }], key).text;
  assert.match(await verdicts(later), /is not of its key, or of another statement/);
});

test("8: the signature of another key is refused, the address's and the venue's", { skip }, async () => {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const borrowed = withReserves(made.signed, [await signed(digest, stranger)], key).text;
  assert.match(await verdicts(borrowed), /is not of its key, or of another statement/);
  const other = withReserves(made.signed, [one], signingKeyOf("6b".repeat(32))).text;
  assert.match(await verdicts(other), /signed with another key than the public part/);
  const nothing = withReserves(made.signed, [{ ...one, signature: "00".repeat(65) }], key).text;
  assert.match(await verdicts(nothing), /is not of its key, or of another statement/);
});

test("8: an address counts once, in whatever letters", { skip }, async () => {
  const small = await signed(digest, owner, { address: owner.address.toLowerCase() });
  assert.throws(() => withReserves(made.signed, [one, small], key), /is counted twice/);
  const [line = "", seal = "", reserves = ""] = withReserves(made.signed, [one], key).text.split("\n");
  const list = JSON.parse(reserves) as { reserves: Reserve[] };
  list.reserves.push(small);
  // As a venue with its own program would sign it.
  const forged = sealLine(JSON.stringify(list), "pricetime proof 1 reserves\n", key).text;
  assert.match(await verdicts(`${line}\n${seal}\n${forged}`), /is counted twice/);
});

test("8: reserves of another day's proof are refused", { skip }, async () => {
  const later = proofOf(venueOf(), { chainHash: "d5".repeat(32) }).signed;
  const moved = later.text + honest.split("\n").slice(2).join("\n");
  assert.match(await verdicts(moved), /beside another proof/);
  // Its list signed again, with the addresses' signatures of another day.
  const text = withReserves(later, [one], key).text;
  await assert.rejects(
    checkAddresses(readStatement(text).reserves ?? assert.fail(), later.digest),
    /another statement/,
  );
});

test("two lists beside one proof convict the venue; a list that came later does not", { skip }, () => {
  const other = withReserves(made.signed, [said], key);
  assert.equal(compareStatements(readStatement(honest), other), "twoViews");
  assert.equal(compareStatements(readStatement(honest), made.signed), "same");
  const script = `
import sys; sys.path.insert(0, sys.argv[1]); import proof_check as p
try: print(p.check_pair(p.read_public(sys.argv[2]), p.read_public(sys.argv[3])))
except p.Refused as why: print(why)`;
  const folder = new URL("../../../../../examples/proof/", import.meta.url).pathname;
  const pair = (text: string): string =>
    spawnSync("python3", ["-B", "-c", script, folder, honest, text], { encoding: "utf8" }).stdout.trim();
  assert.match(pair(other.text), /TWO VIEWS/);
  assert.equal(pair(made.signed.text), "they are the same");
});

test("a data folder keeps them once for all, also when its trees are made again", async (t) => {
  const { auditor, folder, make } = await liveVenue(t);
  const { seq, digest: of } = await make();
  const given: GivenReserve = { ...said, amount: "40" };
  const told = await auditor.addReserves(seq, [given], true);
  assert.deepEqual([told.digest, told.reserves[0]?.text.split("\n")[1]], [null, of]);
  assert.equal((await auditor.reserves(seq)).digest, null);
  const wrong = await signed(of, owner);
  const refused = (why: RegExp) => (error: Error) => error instanceof AuditRefused && why.test(error.message);
  await assert.rejects(
    auditor.addReserves(seq, [{ ...wrong, amount: "501" }], false),
    refused(/not of its key, or of another statement/),
  );
  const { digest: shown, assets } = await auditor.addReserves(seq, [given], false);
  assert.deepEqual(assets.map(({ asset, reserves }) => [asset, reserves]).slice(0, 2), [
    ["BTC", "40.00000000"],
    ["WIDE", null],
  ]);
  assert.match(assets[0]?.surplus ?? "", /^-\d/);
  assert.equal((await auditor.addReserves(seq, [given], false)).digest, shown);
  await assert.rejects(
    auditor.addReserves(seq, [{ ...given, amount: "41" }], false),
    refused(/already has other reserves/),
  );
  rmSync(join(proofsFolder(folder), String(seq), "tree-0"), { force: true });
  await auditor.makeProof(seq);
  const { reserves } = readStatement(await auditor.publicPart(seq));
  assert.equal(reserves?.digest, shown);
});
