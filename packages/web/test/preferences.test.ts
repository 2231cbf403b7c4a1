import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_LAYOUT, type PreferenceStore, oneOf, openPreferences } from "../src/preferences.ts";

function memory(text: string | null = null): PreferenceStore & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_name, value) {
      this.text = value;
    },
  };
}

test("choices are restored at the next visit", () => {
  const store = memory();
  const first = openPreferences(store);
  first.theme.value = "light";
  first.favourites.value = ["BTCUSDT"];
  first.layout.value = { ...FIRST_LAYOUT, bookWidthPx: 400 };
  const isBase = oneOf("base", "quote");
  first.remember("book.unit", "base", isBase).value = "quote";
  const second = openPreferences(store);
  assert.equal(second.theme.value, "light");
  assert.deepEqual(second.favourites.value, ["BTCUSDT"]);
  assert.equal(second.layout.value.bookWidthPx, 400);
  assert.equal(second.remember("book.unit", "base", isBase).value, "quote");
  assert.equal(second.sounds.value, false);
});

test("invalid stored values are ignored", () => {
  for (const text of ["", "{", "[]", "null", '{"theme":"pink","layout":{"bookWidthPx":-1},"favourites":[1]}']) {
    const { theme, layout, favourites } = openPreferences(memory(text));
    assert.deepEqual([theme.value, layout.value, favourites.value], ["system", FIRST_LAYOUT, []], text);
  }
});

test("a browser without storage, or with full storage, causes no failure", () => {
  const forbidden: PreferenceStore = {
    getItem() {
      throw new Error("forbidden");
    },
    setItem() {
      throw new Error("full");
    },
  };
  // Null if the browser does not offer storage at all.
  for (const nowhere of [forbidden, null]) {
    const preferences = openPreferences(nowhere);
    assert.deepEqual([preferences.theme.value, preferences.layout.value], ["system", FIRST_LAYOUT]);
    preferences.theme.value = "dark";
    assert.equal(preferences.theme.value, "dark");
  }
  const store = memory();
  const anything = (value: unknown): value is string => typeof value === "string";
  openPreferences(store).remember("long", "", anything).value = "x".repeat(40_000);
  assert.equal(store.text, null);
});
