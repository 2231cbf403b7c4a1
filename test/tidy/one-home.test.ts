/**
 * Checks that every limit and every constant is defined once. The exceptions are listed here with their reason, and
 * their values are compared.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constantsOf, renamed, standingTwice } from "./one-home.ts";
import { isShipped, sourcesUnder } from "./source.ts";

/** The engine imports nothing, the protocol only types of the engine, and both need it. */
const PURE =
  "the engine is the source; the protocol imports only its types, and what the server passes on is checked by types";

/** Why a name is defined twice. An entry that is no longer needed, or whose values differ, fails. */
const STANDS_TWICE: Readonly<Record<string, string>> = {
  SIDES: PURE,
  ORDER_TYPES: PURE,
  TIMES_IN_FORCE: PURE,
  SYMBOL_STATUSES: PURE,
  CANCEL_REPLACE_MODES: PURE,
  SELF_TRADE_PREVENTION_MODES: PURE,
  PEG_PRICE_TYPES: PURE,
  NO_ORDER_LIST: PURE,
  MAX_TEXT_LENGTH: PURE,
  SECOND_MS: PURE,
  MINUTE_MS: PURE,
  HOUR_MS: PURE,
  DAY_MS: PURE,
  KEY_LENGTH: "the protocol has the form of what clients send, the node what it makes for them",
  NINE: "codes of signs, which each loop over texts has in its own file",
  DIGEST_BYTES: "how long SHA-256 is, in two rooms that know nothing of each other",
  TAG_LENGTH: "how much of SHA-256 an ETag has, of answers and of pages, whose rooms know nothing of each other",
  ENTITIES: "pages know nothing of the API, which has one small page of its own",
  LEAF: "the page's checker of proofs is written from the format alone: two checkers share nothing, or one fault blinds both",
  NODE: "likewise",
  CUSTOMER: "likewise",
  CONTEXT: "likewise",
  SUM_BYTES: "likewise",
  MAX_SUM: "likewise",
  MAX_DEPTH: "likewise",
  SIGNED_AS: "likewise",
  ONE: "a rate of the engine and a price of history, which are different types",
};

/** Why the same value has two names. */
const RENAMED: Readonly<Record<string, string>> = {
  "MASTER_KEY, SIGNATURE": "both are 32 bytes as hex digits: one that the operator chose, one that a client made",
};

const NUMBERS = new Map<string, number>();

test("no constant stands in two files with the same name and value", () => {
  const sources = sourcesUnder("packages", isShipped);
  for (const { path, text } of sources) {
    if (!path.endsWith("engine/src/numbers.ts")) continue;
    for (const { name, value } of constantsOf(path, text)) NUMBERS.set(name, Number(value));
  }
  const twice = standingTwice(sources.flatMap(({ path, text }) => constantsOf(path, text, NUMBERS)));
  const lines = [...twice]
    .filter(([name]) => !Object.hasOwn(STANDS_TWICE, name))
    .map(([name, at]) => `${name}: ${at.join(", ")}`);
  assert.deepEqual(lines, []);
  assert.deepEqual(
    Object.keys(STANDS_TWICE).filter((name) => !twice.has(name)),
    [],
    "listed, but they stand there once, or are not the same",
  );
});

test("no list and no pattern stands in two files under different names", () => {
  const constants = sourcesUnder("packages", isShipped).flatMap(({ path, text }) => constantsOf(path, text));
  assert.deepEqual(renamed(constants), Object.keys(RENAMED));
});

test("a list under another name is found", () => {
  const first = constantsOf("a.ts", 'const WORDS = ["A", "B", "C"];\nconst TOKEN = /^x+$/;\nconst SHORT = [1, 2];');
  const second = constantsOf(
    "b.ts",
    'const NAMES = ["A", "B", "C"] as const;\nconst SECRET = /^x+$/;\nconst PAIR = [1, 2];',
  );
  assert.deepEqual(renamed([...first, ...second]), ["NAMES, WORDS", "SECRET, TOKEN"]);
  assert.deepEqual(renamed(first), []);
});

test("a constant that is written in another way is found all the same", () => {
  const first = constantsOf("a.ts", 'export const DAY_MS = 24 * 3_600_000;\nconst WORDS = ["A", "B"] as const;');
  const second = constantsOf(
    "b.ts",
    'const HOUR_MS = 60 * 60_000;\nconst DAY_MS = 24 * HOUR_MS;\nexport const WORDS = [\n  "A",\n  "B",\n];',
  );
  const other = constantsOf(
    "c.ts",
    'const DAY_MS = 86_000_000;\nconst WORDS = ["B", "A"];\nfunction f() {\n  const WORDS = ["A", "B"];\n}',
  );
  const twice = standingTwice([...first, ...second, ...other]);
  assert.deepEqual(
    [...twice],
    [
      ["DAY_MS", ["a.ts", "b.ts"]],
      ["WORDS", ["a.ts", "b.ts"]],
    ],
  );
});
