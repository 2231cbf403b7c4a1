/** Both checkers accept valid files, and reject each file with one bit flipped; `.campaign.ts` flips more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CustomerPart, customerText } from "../../../src/funds/proof/proof.ts";
import { signingKeyOf } from "../../../src/funds/proof/keys.ts";
import { signStatement } from "../../../src/funds/proof/statement.ts";
import { checkFlips, here, inPython, type Pair, skip } from "./two-checkers.ts";
import { MASTER_KEY, proofOf, venueOf } from "./venue.ts";

test("both take what is good", { skip }, () => {
  const made = proofOf(venueOf());
  const pairs = [100, 101, 102].map((accountId): Pair => [made.signed.text, customerText(made.partOf(accountId))]);
  assert.deepEqual(pairs.map(here), ["holds", "holds", "holds"]);
  assert.deepEqual(inPython(pairs), ["holds", "holds", "holds"]);
});

test("both take letters of any language in a mail address", { skip }, () => {
  const open = { type: "openAccount", by: "test", name: "z", makerBps: 0, takerBps: 0 } as const;
  const deposit = { type: "deposit", by: "test", accountId: 103, asset: "BTC", amount: "1", reference: "z" } as const;
  const made = proofOf(venueOf([{ ...open, email: "zoë\u007f\u2028😀@test" }, deposit]));
  const pair: Pair = [made.signed.text, customerText(made.partOf(103))];
  assert.equal(here(pair), "holds");
  assert.deepEqual(inPython([pair]), ["holds"]);
});

test("both refuse one thing written in another way, and say the same of what is forged", { skip }, () => {
  const made = proofOf(venueOf());
  const part = made.partOf(100);
  const text = customerText(part);
  const of = (change: Partial<CustomerPart>): Pair => [made.signed.text, customerText({ ...part, ...change })];
  const holding = part.holdings[0] ?? assert.fail();
  const { statement } = made.signed;
  const signed = (change: object): Pair => [
    signStatement({ ...statement, ...change }, signingKeyOf(MASTER_KEY)).text,
    text,
  ];
  const pairs: Pair[] = [
    [made.signed.text, text.replace("{", "{ ")],
    [made.signed.text, text.replace('"accountId":100', '"accountId":1e2')],
    [made.signed.text, text.replace('"accountId":100', '"accountId":100,"accountId":100')],
    [made.signed.text, text.replace('"accountId":100', '"accountId":true')],
    [made.signed.text, text.replace(part.secret, part.secret.toUpperCase())],
    [made.signed.text, `${text}\n`],
    [made.signed.text, "[".repeat(100_000)],
    [text, made.signed.text],
    ["", ""],
    of({ accountId: 101 }),
    of({ holdings: [{ ...holding, amount: "0" }] }),
    of({ holdings: [holding, holding] }),
    of({ holdings: [{ ...holding, asset: "NONE" }] }),
    of({ holdings: [{ ...holding, path: holding.path.slice(1) }] }),
    of({ statement: "00".repeat(32) }),
    signed({ number: 2 }),
    signed({ seq: -1 }),
    signed({ assets: statement.assets.toReversed() }),
    signed({ assets: statement.assets.map((each) => ({ ...each, fees: "-0" })) }),
    signed({ assets: statement.assets.map((each) => ({ ...each, total: String(2n ** 127n) })) }),
  ];
  const theirs = inPython(pairs);
  for (const [n, pair] of pairs.entries()) {
    assert.match(here(pair), /^refused/, `pair ${n}`);
    assert.match(theirs[n] ?? "", /^refused/, `pair ${n}`);
  }
});

test("one bit turned over is seen by both", { skip }, () => checkFlips(1, 60));
