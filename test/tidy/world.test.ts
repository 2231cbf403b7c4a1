/** Checks that time, timers and randomness come only from `world/`. The linter finds direct use of the machine's. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HAVE_THE_MACHINE } from "./machine.ts";
import { readSource, resolveImport, ROOT, type Source, sourcesUnder } from "./source.ts";

const MACHINE = "packages/server/src/platform/world/machine.ts";
const SERVER = "packages/server/src";
const sources = sourcesUnder(SERVER);

const listed = (may: "ask" | "hand on"): string[] =>
  HAVE_THE_MACHINE.filter((exception) => exception.may === may).map(({ path }) => path);
const isIn = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

const importsMachine = ({ path, imports }: Source): boolean =>
  imports.some(({ specifier }) => specifier.startsWith(".") && resolveImport(path, specifier) === MACHINE);
/** The one use that no linter rule finds. */
const asksForNow = ({ text }: Source): boolean => /new Date\(\s*\)/.test(text);

const strays = (all: readonly Source[]): string[] =>
  all
    .filter(
      (source) =>
        (importsMachine(source) && !isIn(source.path, [...listed("ask"), ...listed("hand on")])) ||
        (asksForNow(source) && !isIn(source.path, listed("ask"))),
    )
    .map(({ path }) => path);

test("only who puts a process or a thread together has the machine's world", () => {
  assert.ok(sources.length > 100, "the sources were not found");
  assert.deepEqual(strays(sources), []);
});

test("the check finds what it looks for", () => {
  const bad = (path: string, text: string): number => strays([readSource(`${SERVER}/${path}`, text)]).length;
  assert.equal(bad("people/mail/a.ts", 'import { MACHINE } from "../../platform/world/machine.ts";'), 1);
  assert.equal(bad("people/mail/a.ts", 'import type { World } from "../../platform/world/port.ts";'), 0);
  assert.equal(bad("people/mail/a.ts", "const now = new Date();"), 1);
  assert.equal(bad("people/mail/a.ts", "const then = new Date(timeMs);"), 0);
  assert.equal(bad("main.ts", 'import { MACHINE } from "./platform/world/machine.ts";'), 0);
});

test("the linter lets those through that are listed, and all who are listed need it", () => {
  interface Override {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }
  const { overrides } = JSON.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as { overrides: Override[] };
  const free = overrides.find(({ rules }) => rules["no-restricted-globals"] === "off");
  assert.deepEqual(
    free?.files.map((pattern) => pattern.replace("**/*.ts", "")),
    listed("ask"),
  );
  const unused = listed("hand on").filter(
    (path) => !sources.some((each) => each.path === path && importsMachine(each)),
  );
  assert.deepEqual(unused, []);
});
