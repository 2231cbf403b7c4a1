/**
 * Checks that everything that reaches the journal is computed with operations that IEEE 754 and the language define
 * exactly, on every machine and in every locale: docs/guides/lab-determinism.md. For powers and similar functions see
 * demo/exact.ts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Expression, parseSync, Visitor } from "oxc-parser";
import { sourcesUnder } from "./source.ts";

const PLACES = ["packages/engine/src", "packages/server/src/lab/demo", "packages/server/src/lab"];
/** All other functions of `Math` are approximate or random. */
const EXACT = ["PI", "abs", "ceil", "clz32", "floor", "imul", "max", "min", "round", "sign", "sqrt", "trunc"];
const OF_A_PLACE =
  /^(?:toLocale\w*|localeCompare|(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset)$/;
/** Its exponent is an integer, which no literal shows. */
const WHOLE_POWERS_OF_TWO = "packages/engine/src/state/order/order-table.ts";
/** Powers of ten up to this exponent are exact. */
const MOST_TENS = 22;

interface Stray {
  readonly line: number;
  readonly text: string;
}

function strays(path: string, text: string): Stray[] {
  const { program, errors } = parseSync(path, text);
  assert.deepEqual(errors, [], path);
  const found: { readonly start: number; readonly end: number }[] = [];
  /** The positions of `Math` before an exact name. */
  const exact = new Set<number>();
  new Visitor({
    MemberExpression: (member) => {
      const { object, property, computed } = member;
      const name = !computed && property.type === "Identifier" ? property.name : literalOf(property as Expression);
      if (object.type === "Identifier" && object.name === "Math" && EXACT.includes(String(name)))
        exact.add(object.start);
      if (OF_A_PLACE.test(String(name))) found.push(member);
    },
    // The parent is visited first.
    Identifier: (identifier) => {
      const { name, start } = identifier;
      if (name === "Intl" || (name === "Math" && !exact.has(start))) found.push(identifier);
    },
    BinaryExpression: (power) => {
      if (power.operator === "**" && !isExactPower(power.left, power.right, path)) found.push(power);
    },
    AssignmentExpression: (power) => {
      if (power.operator === "**=") found.push(power);
    },
  }).visit(program);
  return found.map(({ start, end }) => ({
    line: text.slice(0, start).split("\n").length,
    text: text.slice(start, end),
  }));
}

/** An integer power of two, or a power of ten that a number represents exactly. */
function isExactPower(base: Expression, exponent: Expression, path: string): boolean {
  const [of, to] = [literalOf(base), literalOf(exponent)];
  if (typeof of === "bigint") return true;
  if (of === 2) return Number.isInteger(to) || path === WHOLE_POWERS_OF_TWO;
  return of === 10 && Number.isInteger(to) && Number(to) >= 0 && Number(to) <= MOST_TENS;
}

function literalOf(expression: Expression): unknown {
  if (expression.type === "Literal") return expression.value;
  if (expression.type !== "UnaryExpression" || expression.operator !== "-") return undefined;
  const value = literalOf(expression.argument);
  return typeof value === "number" ? -value : undefined;
}

test("the engine, the demo and the lab compute what every machine computes alike", () => {
  const sources = PLACES.flatMap((place) => sourcesUnder(place));
  for (const place of PLACES)
    assert.ok(
      sources.some(({ path }) => path.startsWith(`${place}/`)),
      place,
    );
  assert.ok(sources.length > 150, "the sources were not found");
  const all = sources.flatMap(({ path, text }) =>
    strays(path, text).map((stray) => `${path}:${stray.line} ${stray.text}`),
  );
  assert.deepEqual(all, [], "take them from packages/server/src/lab/demo/exact.ts, or compute otherwise");
  const powers = sources.find(({ path }) => path === WHOLE_POWERS_OF_TWO);
  assert.ok(powers !== undefined && strays("elsewhere.ts", powers.text).length > 0, "the exception is needed");
});

test("the check finds what it looks for, however it is written", () => {
  const isFound = (text: string): boolean => strays("packages/server/src/lab/demo/a.ts", text).length > 0;
  for (const name of ["exp", "expm1", "log", "log10", "pow", "sin", "cos", "tan", "atan2", "hypot", "cbrt", "random"]) {
    assert.ok(isFound(`export const a = Math.${name}(b);`), name);
  }
  for (const text of [
    "const { exp } = Math;",
    'a = Math["exp"](1);',
    "a = Math[name](1);",
    "f(Math);",
    "a = b ** 0.5;",
    "a = 2 ** 0.5;",
    "a = 2 ** b;",
    "a = b ** 2;",
    "a = 10 ** -3;",
    "a = 10 ** 23;",
    "a **= 2;",
    "a = b.toLocaleString();",
    "a = b?.toLocaleDateString();",
    'a = b["toLocaleString"]();',
    "list.sort((a, b) => a.localeCompare(b));",
    "a = new Intl.NumberFormat().format(1);",
    "a = new Date(timeMs).getHours();",
    "a = new Date(timeMs).getTimezoneOffset();",
  ]) {
    assert.ok(isFound(text), text);
  }
  for (const text of [
    "a = Math.sqrt(Math.max(0, b)) + Math.PI;",
    "a = 10n ** BigInt(b);",
    "a = 2 ** 32 + 2 ** -32 + 10 ** 12;",
    "a = new Date(timeMs).getUTCHours();",
    "// Math.exp may differ, as 1 ** 0.5 may",
    'a = "Math.exp";',
    "a = exp(1);",
  ]) {
    assert.ok(!isFound(text), text);
  }
});
