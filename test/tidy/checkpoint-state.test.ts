/**
 * docs/internals/checkpoint-state.md lists every class of a node with fields that change, and how a lab's checkpoint
 * restores it. These tests compare the table with the sources.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseSync, type PropertyDefinition, type TSType, Visitor } from "oxc-parser";
import { ROOT, sourcesUnder } from "./source.ts";

const TABLE = "docs/internals/checkpoint-state.md";
const SERVER = "packages/server/src/";
/** Code outside of a node, or never part of a lab. Bots and the lab's own modules document their state themselves. */
const ELSEWHERE = [
  "cluster/",
  "funds/wallet/evm/signer/",
  "journal/backup/",
  "lab/",
  "program/cli/",
  "program/exports/",
  "research/",
];
/** The ways to restore state that the page defines. */
const WAYS = /^(checkpoint|derived|empty|connection|cache|process|outside)\b/;

const COLLECTION = /^((Weak)?(Map|Set)|(Big)?(Int|Uint|Float)[0-9]+Array|Array)$/;

function isCollection(type: TSType | undefined): boolean {
  if (type?.type === "TSArrayType") return true;
  return type?.type === "TSTypeReference" && type.typeName.type === "Identifier" && COLLECTION.test(type.typeName.name);
}

function changes({ readonly, static: isStatic, value, typeAnnotation }: PropertyDefinition): boolean {
  if (isStatic || value?.type === "ArrowFunctionExpression") return false;
  if (!readonly || value?.type === "ArrayExpression" || isCollection(typeAnnotation?.typeAnnotation)) return true;
  return value?.type === "NewExpression" && value.callee.type === "Identifier" && COLLECTION.test(value.callee.name);
}

/** `path Class` for each class with a field that changes; `path (module)` for modules with a `let` at the top level. */
function classesWithState(path: string, text: string): Set<string> {
  const found = new Set<string>();
  const { program } = parseSync(path, text);
  const classes: string[] = [];
  new Visitor({
    ClassDeclaration: ({ id }) => void classes.push(id?.name ?? ""),
    "ClassDeclaration:exit": () => void classes.pop(),
    PropertyDefinition: (field) => {
      if (changes(field)) found.add(`${path} ${classes.at(-1) ?? ""}`);
    },
  }).visit(program);
  for (const statement of program.body) {
    if (statement.type === "VariableDeclaration" && statement.kind === "let") found.add(`${path} (module)`);
  }
  return found;
}

interface Row {
  readonly name: string;
  readonly path: string;
  readonly way: string;
}

function rowsOf(markdown: string): Row[] {
  return [...markdown.matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, path, names, way]) => {
    const name = (names ?? "").replaceAll("`", "").trim();
    return { path: path ?? "", name, way: (way ?? "").trim() };
  });
}

const sources = sourcesUnder(SERVER)
  .map(({ path, text }) => ({ path: path.slice(SERVER.length), text }))
  .filter(({ path }) => !ELSEWHERE.some((folder) => path.startsWith(folder)));
const rows = rowsOf(readFileSync(join(ROOT, TABLE), "utf8"));

test("the table lists every class with fields that change", () => {
  const listed = new Set(rows.map(({ path, name }) => `${path} ${name}`));
  const missing = sources
    .flatMap(({ path, text }) => [...classesWithState(path, text)])
    .filter((each) => !listed.has(each));
  assert.deepEqual(missing, [], `${TABLE} has no row for these`);
});

test("each row names an existing class once, and a defined way to restore it", () => {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const wrong = rows.filter(({ path, name, way }) => {
    const text = texts.get(path);
    const isThere = name === "(module)" ? /^let /m.test(text ?? "") : new RegExp(`\\b${name}\\b`).test(text ?? "");
    return !isThere || !WAYS.test(way);
  });
  assert.deepEqual(wrong, []);
  assert.equal(new Set(rows.map(({ path, name }) => `${path} ${name}`)).size, rows.length);
});

test("only classes with fields that change are found", () => {
  const found = classesWithState(
    "a.ts",
    `let second = 0;
     class Counts { readonly #counts = new Map(); }
     class Typed { readonly #counts: Set<number>; }
     class Listed { readonly #list: string[] = []; }
     class Changing { #count = 0; }
     class Firm { readonly #count = 1; readonly #known: ReadonlyMap<string, number>; readonly go = () => {}; }`,
  );
  assert.deepEqual(
    [...found].map((each) => each.split(" ")[1]),
    ["Counts", "Typed", "Listed", "Changing", "(module)"],
  );
});
