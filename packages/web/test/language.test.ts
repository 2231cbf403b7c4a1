/** The account pages in another language: the same texts with the same values in them, and a switch that can be undone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { german } from "../src/words/de/german.ts";
import {
  customerOutside,
  customerWithdrawals,
  customerWords,
  numberFields,
  numbers,
  pagesWords,
  preferredLanguage,
  showLanguage,
} from "../src/words/words.ts";
import * as words from "../src/words/words.ts";

/** Texts that are equal in both languages: names, units and terms that exchanges do not translate. */
const EQUAL = new Set([
  ...["Coin", "Name", "Status", "Asset", "Browser", "Trades", "Orders", "Maker", "Taker", "Link", "URI"],
  ...["—", "Support", "Trade", "Portfolio", "Limit", "Market", "Post only"],
]);

function* textsOf(
  value: unknown,
  at: string,
): Generator<readonly [at: string, text: string | ((...values: unknown[]) => string)]> {
  if (typeof value === "string" || typeof value === "function") yield [at, value as string];
  else for (const [name, inner] of Object.entries(value as object)) yield* textsOf(inner, `${at}.${name}`);
}

/** The values of a text's parameters, which can be found in the text. Lists and numbers are tried where texts are not. */
const VALUES = [
  ["first", "second", "third", "fourth"],
  [71, 72, 73, 74],
  [["first"], "second"],
] as const;

/** The values that a function writes into its text. */
function written(text: (...values: unknown[]) => string): string[] {
  for (const values of VALUES) {
    try {
      const said = text(...values.slice(0, text.length));
      return values
        .flat()
        .map(String)
        .filter((value) => said.includes(value));
    } catch {
      // Another kind of values.
    }
  }
  return assert.fail("no values fit");
}

const english = new Map(
  Object.keys(german).flatMap((name) => [...textsOf((words as unknown as Record<string, unknown>)[name], name)]),
);
const translated = new Map(Object.entries(german).flatMap(([name, texts]) => [...textsOf(texts, name)]));

test("every text exists in both languages, with the same values, and is translated", () => {
  assert.ok(translated.size > 350, String(translated.size));
  assert.deepEqual([...translated.keys()].sort(), [...english.keys()].sort());
  for (const [at, text] of translated) {
    const source = english.get(at) ?? assert.fail(at);
    assert.equal(typeof text, typeof source, at);
    if (typeof text === "function" && typeof source === "function") {
      if (at !== "pagesWords.serverMessage") assert.deepEqual(written(text), written(source), at);
      continue;
    }
    if (text === source) assert.ok(EQUAL.has(String(text)), `${at}: ${String(text)}`);
    assert.doesNotMatch(String(text), /\b(?:the|your|you|and|is|are|with|this|to)\b/i, at);
  }
});

test("plural forms are right", () => {
  const { depth, seenOf } = german.customerDeposits;
  assert.equal(depth(1, 2), "Handelbar nach 1 Bestätigung, auszahlbar nach 2.");
  assert.equal(seenOf(6), "handelbar nach 6 Bestätigungen");
  assert.deepEqual([german.pagesWords.days(1), german.pagesWords.days(2)], ["1 Tag", "2 Tage"]);
});

test("the browser's languages decide until one is chosen", () => {
  for (const [languages, expected] of [
    [["de-AT", "en"], "de"],
    [["fr", "DE"], "de"],
    [["en-GB", "de"], "en"],
    [["fr", "it"], "en"],
    [[], "en"],
    [["den", "debug"], "en"],
  ] as const) {
    assert.equal(preferredLanguage(languages, "en"), expected, languages.join());
  }
});

test("the texts change to German, with the errors of the node, and back", async (t) => {
  t.after(() => showLanguage("en"));
  await showLanguage("de");
  assert.equal(customerOutside.signIn, "Anmelden");
  assert.equal(numbers.percent("5"), "5 %");
  assert.equal(numberFields.ambiguous, "Welche Zahl meinen Sie?");
  assert.equal(customerWithdrawals.states(2), "Wartet auf Freigabe");
  assert.equal(pagesWords.serverMessage("SIGN_IN_FAILED", "?"), "Die E-Mail-Adresse oder das Passwort ist falsch.");
  assert.equal(pagesWords.serverMessage("-4026", "?"), "Das verfügbare Guthaben reicht nicht aus.");
  assert.equal(pagesWords.serverMessage("UNHEARD_OF", "As sent."), "As sent.");
  await showLanguage("en");
  assert.deepEqual([customerOutside.signIn, customerWords.terminal], ["Sign in", "Trade"]);
  assert.equal(pagesWords.serverMessage("SIGN_IN_FAILED", "As sent."), "As sent.");
});
