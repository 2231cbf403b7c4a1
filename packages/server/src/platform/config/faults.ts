/**
 * Error messages for invalid settings and requests, for the configuration, the admin API and the command line, with
 * suggestions for misspelled names.
 */
import type { z } from "zod";

/** The configuration is invalid. The message is one line that names the place and the reason. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const MOST_ALIKE = 3;
/** Maximum number of names to compare with; longer lists are not searched. */
const MOST_COMPARED = 20_000;
const MOST_CHANGES = 2;
/** Maximum length of a name to compare. The cost grows with both lengths. */
const LONGEST_COMPARED = 40;

/** Returns the most similar names, best first; empty if none is similar. */
export function mostAlike(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > LONGEST_COMPARED) return [];
  return known
    .slice(0, MOST_COMPARED)
    .filter((each) => Math.abs(each.length - wanted.length) <= MOST_CHANGES && each.length <= LONGEST_COMPARED)
    .map((each) => ({ each, changes: changesBetween(wanted, each.toLowerCase()) }))
    .filter(({ changes }) => changes <= MOST_CHANGES)
    .toSorted((a, b) => a.changes - b.changes)
    .slice(0, MOST_ALIKE)
    .map(({ each }) => each);
}

/** Returns the most similar name. Undefined if none is similar, or if the name is too short to be sure. */
export function likeliest(name: string, known: readonly string[]): string | undefined {
  const [first] = mostAlike(name, known);
  return name.length > MOST_CHANGES ? first : undefined;
}

/** The Levenshtein distance between two words. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "must be text, in quotes where it looks like a number",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be keys and values",
};
/** Error messages for zod's string formats. */
const FORMATS: Readonly<Record<string, string>> = {
  email: "must be an email address",
  url: "must be a URL, such as http://…",
};

/** The issue to report. Unknown keys come first, because a misspelled key also makes another one appear missing. */
export function firstFault({ issues }: z.core.$ZodError): Issue | undefined {
  return issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
}

/**
 * Formats an issue: `limits.rules[0].limit: must be a whole number`. `value` is the complete value that was checked.
 */
export function schemaFault(issue: Issue, value: unknown, schema: z.ZodType): string {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const like = likeliest(key, keysAt(schema, path));
    const hint = like === undefined ? "" : like === key ? "; it belongs to another kind" : `; did you mean ${like}?`;
    return `unknown key ${pathText([...path, key])}${hint}`;
  }
  const at = pathText(path);
  const said = sentenceOf(issue, valueAt(value, path)).replaceAll("\n", " ");
  return at === "" ? said : `${at}: ${said}`;
}

function sentenceOf(issue: Issue, value: unknown): string {
  if (value === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.message;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? issue.message;
    case "too_small":
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${amount(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be at most ${amount(issue.maximum, issue.origin)}`;
    case "invalid_union":
      return unionFault(issue);
    default:
      return issue.message;
  }
}

/** Lists the valid values of the union's discriminator; if it has none, reports the issue with the longest path. */
function unionFault(issue: z.core.$ZodIssueInvalidUnion): string {
  const { options } = issue as { readonly options?: readonly unknown[] };
  if (options !== undefined && options.length > 0) return `one of ${options.map(String).join(", ")}`;
  const [first] = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length);
  return first === undefined || first.code === "invalid_union" ? issue.message : sentenceOf(first, null);
}

function amount(count: number | bigint, origin: string): string {
  if (origin === "string") return `${count} ${Number(count) === 1 ? "character" : "characters"} long`;
  return origin === "array" ? `${count} long` : String(count);
}

/** Formats a path, such as `symbols[2].filters`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** Returns the known keys of the object at `path`. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: readonly z.ZodType[] = [schema];
  for (const key of path) at = at.flatMap((one) => within(one, key));
  return at.flatMap((one) =>
    bare(one).flatMap((inner) => ("shape" in inner ? Object.keys(inner.shape as object) : [])),
  );
}

function within(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  return bare(schema).flatMap((inner) => {
    if ("element" in inner) return [inner.element as z.ZodType];
    const found = "shape" in inner ? (inner.shape as Record<PropertyKey, z.ZodType | undefined>)[key] : undefined;
    return found === undefined ? [] : [found];
  });
}

interface SchemaDef {
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

/** Unwraps defaults, optional types and conversions. Returns all options of a union. */
function bare(schema: z.ZodType): z.ZodType[] {
  const { def } = schema as unknown as { def: SchemaDef };
  if (def.innerType !== undefined) return bare(def.innerType);
  if (def.in !== undefined && def.out !== undefined) return [...bare(def.in), ...bare(def.out)];
  return def.options === undefined ? [schema] : def.options.flatMap(bare);
}
