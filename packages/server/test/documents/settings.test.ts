/** docs/operate/settings.md names every setting, as the schema, the variables and the flags have it; it cannot drift. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OTHER_VARIABLES, settingRows, variableRows } from "./settings.ts";
import { namedRows } from "./table.ts";

const PAGE = "docs/operate/settings.md";
const settings = settingRows();
const variables = variableRows();
const written = namedRows(PAGE);
const isVariable = (name: string): boolean => name.startsWith("PRICETIME_");

test("every setting has its row, and no row is of something else", () => {
  assert.ok(settings.length > 100, "the schema was not read");
  const missing = settings.filter(({ key }) => !written.has(key));
  const rows = missing.map(({ key, byDefault, values }) => `| \`${key}\` | | ${byDefault} | ${values} |`);
  assert.deepEqual(rows, [], `${PAGE} lacks these rows, whose second cell says what they are for`);
  const known = new Set(settings.map(({ key }) => key));
  assert.deepEqual(
    [...written.keys()].filter((name) => !known.has(name) && !isVariable(name)),
    [],
  );
});

test("default and values are those of the program", () => {
  for (const { key, byDefault, values } of settings) {
    const [meaning = "", ...cells] = written.get(key) ?? [];
    assert.deepEqual(cells, [byDefault, values], key);
    assert.notEqual(meaning, "", `${key}: what is it for?`);
  }
});

test("variables and flags are those of the program", () => {
  for (const { variable, flags, key } of variables) assert.deepEqual(written.get(variable), [flags, `\`${key}\``]);
  const known = [...variables.map(({ variable }) => variable), ...OTHER_VARIABLES];
  assert.deepEqual([...written.keys()].filter(isVariable).sort(), known.sort());
});
