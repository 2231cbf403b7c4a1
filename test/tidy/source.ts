/**
 * Reads TypeScript as text, just far enough to know what a file imports and exports. TypeScript 7 has
 * no compiler API, and the questions asked here do not need a syntax tree.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Import {
  /** As written: `node:fs`, `ws`, `../book/book.ts`. */
  readonly specifier: string;
  readonly line: number;
  /** `import type`: gone when the program runs. */
  readonly typeOnly: boolean;
  /** It names the entry point of another thread. */
  readonly isWorker: boolean;
}

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Names that the file exports. */
  readonly exports: readonly string[];
}

/** Is it part of what users install? Tests, and what they share, are not. */
export function isShipped(path: string): boolean {
  return /^packages\/(?!testkit\/)\w+\/src\//.test(path);
}

/** Every `.ts` file under a folder of the repository, in order; none when there is no such folder. */
export function sourcesUnder(folder: string): Source[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return filesUnder(join(ROOT, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readSource(relative(ROOT, file), readFileSync(file, "utf8")));
}

export function readSource(path: string, text: string): Source {
  const code = blankComments(text);
  return { path, text, imports: importsOf(code), exports: exportsOf(code) };
}

/** The file that a relative import leads to, from the root of the repository. */
export function resolveImport(from: string, specifier: string): string {
  return relative(ROOT, resolve(ROOT, dirname(from), specifier));
}

export function filesUnder(folder: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (name === "node_modules" || name === ".git" || name === ".types" || name === "data") continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) found.push(...filesUnder(path));
    else found.push(path);
  }
  return found;
}

const STATEMENT = /^[ \t]*(?:import|export)\b(?<clause>[^;"'=()]*?)\bfrom\s*["'](?<specifier>[^"'\n]+)["']/gm;
const BARE = /^[ \t]*import\s*["'](?<specifier>[^"'\n]+)["']/gm;
const CALL = /\bimport\s*\(\s*["'](?<specifier>[^"'\n]+)["']/g;
/** A worker's entry point is an import in all but name. */
const WORKER = /\bnew\s+URL\s*\(\s*["'](?<specifier>\.[^"'\n]+\.ts)["']\s*,\s*import\.meta\.url/g;

function importsOf(code: string): Import[] {
  const found: Import[] = [];
  for (const pattern of [STATEMENT, BARE, CALL, WORKER]) {
    for (const match of code.matchAll(pattern)) {
      const specifier = match.groups?.specifier ?? "";
      const typeOnly = /^\s*type\b/.test(match.groups?.clause ?? "");
      found.push({
        specifier,
        line: code.slice(0, match.index).split("\n").length,
        typeOnly,
        isWorker: pattern === WORKER,
      });
    }
  }
  return found;
}

const DECLARATION =
  /^export\s+(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(?<name>[A-Za-z_$][\w$]*)/gm;

function exportsOf(code: string): string[] {
  return [...code.matchAll(DECLARATION)].map((match) => match.groups?.name ?? "");
}

/**
 * The text with comments and the insides of template literals turned into blanks; lines and columns
 * stay. Strings stay too, since import specifiers are strings.
 */
export function blankComments(text: string): string {
  let out = "";
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at, out);
    const token = text.slice(at, end);
    out += isBlanked(token) ? token.replace(/[^\n]/g, " ") : token;
    at = end;
  }
  return out;
}

function isBlanked(token: string): boolean {
  return token.length > 1 && (token.startsWith("//") || token.startsWith("/*") || token.startsWith("`"));
}

function tokenEnd(text: string, at: number, before: string): number {
  const two = text.slice(at, at + 2);
  if (two === "//") return indexOrEnd(text, "\n", at);
  if (two === "/*") return Math.min(text.length, indexOrEnd(text, "*/", at + 2) + 2);
  const one = text[at];
  if (one === '"' || one === "'" || one === "`") return quotedEnd(text, at, one);
  if (one === "/" && startsRegExp(before)) return quotedEnd(text, at, "/");
  return at + 1;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** One past the closing mark; a `/` inside a character class does not close a regular expression. */
function quotedEnd(text: string, at: number, mark: string): number {
  let inClass = false;
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (mark === "/" && c === "[") inClass = true;
    else if (mark === "/" && c === "]") inClass = false;
    else if (c === mark && !inClass) return i + 1;
    else if (c === "\n" && mark !== "`") return i;
  }
  return text.length;
}

/** A slash divides after a value and opens a regular expression anywhere else. */
function startsRegExp(before: string): boolean {
  const code = before.slice(-400).trimEnd();
  return code === "" || /(?:[=(,:;!&|?{}[+*%~^<>-]|\b(?:return|typeof|case|of|in))$/.test(code);
}
