/** The two checkers: this program's, and the one in Python, which shares no code with it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Dice } from "@pricetime/testkit/dice";
import { skipUnless } from "@pricetime/testkit/skip";
import { checkCustomer, customerText, readCustomer } from "../../../src/funds/proof/proof.ts";
import { ProofRefused } from "../../../src/funds/proof/lines.ts";
import { readStatement } from "../../../src/funds/proof/statement.ts";
import { proofOf, venueOf } from "./venue.ts";

const FOLDER = fileURLToPath(new URL("../../../../../examples/proof/", import.meta.url));
/** Reads pairs of files as JSON, one pair per line, and prints the checker's result for each. */
const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import proof_check
for line in sys.stdin:
    public, customer = json.loads(line)
    try:
        proof_check.check_customer(customer, proof_check.read_public(public))
        print("holds")
    except proof_check.Refused as why:
        print("refused: " + str(why))
`;

/** The `skip` of tests of both. */
export const skip = skipUnless(spawnSync("python3", ["--version"]).status === 0, "there is no python3 here");

/** Texts of characters that are bytes. */
export type Pair = readonly [publicPart: string, customerPart: string];

export function inPython(pairs: readonly Pair[]): string[] {
  const input = pairs.map((pair) => JSON.stringify(pair)).join("\n");
  const { status, stdout, stderr } = spawnSync("python3", ["-B", "-c", DRIVER, FOLDER], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split("\n");
}

export function here([publicPart, customerPart]: Pair): string {
  try {
    checkCustomer(readCustomer(customerPart), readStatement(publicPart));
    return "holds";
  } catch (error) {
    if (error instanceof ProofRefused) return `refused: ${error.message}`;
    throw error;
  }
}

const verdict = (said: string): string => said.split(":")[0] ?? "";

/** Good pairs with one bit flipped in one of the two files. */
function flipped(seed: number, count: number): Pair[] {
  const dice = new Dice(seed);
  const made = proofOf(venueOf());
  const parts = [100, 101, 102].map((accountId) => customerText(made.partOf(accountId)));
  const flip = (text: string): string => {
    const at = dice.below(text.length);
    const turned = String.fromCharCode(text.charCodeAt(at) ^ (1 << dice.below(8)));
    return text.slice(0, at) + turned + text.slice(at + 1);
  };
  return Array.from({ length: count }, (): Pair => {
    const part = dice.pick(parts);
    return dice.oneIn(2) ? [flip(made.signed.text), part] : [made.signed.text, flip(part)];
  });
}

/** Both must reject all of them. */
export function checkFlips(seed: number, count: number): void {
  const pairs = flipped(seed, count);
  const theirs = inPython(pairs);
  for (const [n, pair] of pairs.entries()) {
    const said = [here(pair), theirs[n] ?? ""].map(verdict);
    assert.deepEqual(said, ["refused", "refused"], `seed ${seed}, pair ${n}: ${JSON.stringify(pair)}`);
  }
}
