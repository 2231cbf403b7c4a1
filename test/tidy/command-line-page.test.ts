import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commandLinePage, PAGE } from "../../scripts/command-line-page.ts";

test("the page of the command line says what the program says: else `npm run command-line-page`", () => {
  assert.equal(readFileSync(PAGE, "utf8"), commandLinePage());
});
