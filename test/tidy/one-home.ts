/** Collects the constants of sources, and finds those that are defined twice. */
import { type Expression, parseSync } from "oxc-parser";

export interface Constant {
  readonly path: string;
  readonly name: string;
  /** A number in normalized form; everything else as written, without spaces. */
  readonly value: string;
}

/** Shorter lists may be equal by chance. */
const LEAST = 3;

type Known = ReadonlyMap<string, number>;

/** Top-level constants of a source, exported or not, in `CAPITALS`. `known` are numbers that it may import. */
export function constantsOf(path: string, text: string, known: Known = new Map()): Constant[] {
  const found: Constant[] = [];
  const numbers = new Map(known);
  for (const statement of parseSync(path, text).program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration" || declared.kind !== "const") continue;
    for (const { id, init } of declared.declarations) {
      if (id.type !== "Identifier" || init === null || !/^[A-Z][A-Z0-9_]+$/.test(id.name)) continue;
      const number = numberOf(init, numbers);
      if (number !== undefined) numbers.set(id.name, number);
      found.push({ path, name: id.name, value: number?.toString() ?? plain(text.slice(init.start, init.end)) });
    }
  }
  return found;
}

function numberOf(expression: Expression, known: Known): number | undefined {
  if (expression.type === "Literal") return typeof expression.value === "number" ? expression.value : undefined;
  if (expression.type === "Identifier") return known.get(expression.name);
  if (expression.type !== "BinaryExpression") return undefined;
  const [left, right] = [expression.left as Expression, expression.right].map((side) => numberOf(side, known));
  if (left === undefined || right === undefined) return undefined;
  switch (expression.operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "**":
      return left ** right;
    case "<<":
      return left << right;
    default:
      return undefined;
  }
}

function plain(text: string): string {
  return text
    .replace(/\bas const$/, "")
    .replace(/\s+/g, "")
    .replace(/,(?=[\])}])/g, "")
    .replace(/(?<=\d)_(?=\d)/g, "");
}

/** Lists and patterns with the same value in several files under different names: all those names. */
export function renamed(constants: readonly Constant[]): string[] {
  const long = constants.filter(({ value }) =>
    /^(?:newSet\(|newMap\()?\[/.test(value) ? value.split(",").length >= LEAST : value.startsWith("/^"),
  );
  const places = [...Map.groupBy(long, ({ value }) => value).values()];
  return places
    .filter((all) => new Set(all.map(({ path }) => path)).size > 1)
    .map((all) => [...new Set(all.map(({ name }) => name))].toSorted().join(", "))
    .filter((names) => names.includes(","));
}

/** Names with the same value in several files, and these files. */
export function standingTwice(constants: readonly Constant[]): Map<string, string[]> {
  const places = Map.groupBy(constants, ({ name, value }) => `${name} = ${value}`);
  const twice = [...places.values()].filter((all) => new Set(all.map(({ path }) => path)).size > 1);
  return new Map(twice.map((all) => [all[0]?.name ?? "", all.map(({ path }) => path)]));
}
