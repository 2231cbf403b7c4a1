/** docs/operate/settings.md names every setting, as the schema, the variables and the flags have it; it cannot drift. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../../../test/exchange.ts";
import { OTHER_VARIABLES, settingRows } from "./settings.ts";
import { namedRows } from "./table.ts";

const PAGE = "docs/operate/settings.md";
const rows = settingRows();

test("every setting has its row, and no row is of something else", () => {
  assert.ok(rows.length > 100, "the schema was not read");
  const written = namedRows(PAGE);
  const missing = rows.filter(({ key }) => !written.has(key));
  const lines = missing.map((row) => `| \`${row.key}\` | ${row.byDefault} | ${row.values} | ${row.setBy} | |`);
  assert.deepEqual(lines, [], `${PAGE} lacks these rows, whose last cell says what they are for`);
  const known = new Set(rows.map(({ key }) => key));
  assert.deepEqual(
    [...written.keys()].filter((key) => !known.has(key)),
    [],
  );
});

test("default, values, variable and flag are those of the program", () => {
  const written = namedRows(PAGE);
  for (const { key, byDefault, values, setBy } of rows) {
    const [writtenDefault, writtenValues, writtenSetBy, meaning = ""] = written.get(key) ?? [];
    assert.deepEqual([writtenDefault, writtenValues, writtenSetBy], [byDefault, values, setBy], key);
    assert.notEqual(meaning, "", `${key}: what is it for?`);
  }
});

test("variables that set nothing are named, too", () => {
  const page = readFileSync(join(ROOT, PAGE), "utf8");
  for (const variable of OTHER_VARIABLES) assert.ok(page.includes(`\`${variable}\``), variable);
});
