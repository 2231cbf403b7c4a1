/**
 * Reads the imports and exports of a source. TypeScript 7 has no compiler API, so the syntax tree comes from the
 * linter's parser.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Expression, type NewExpression, parseSync, Visitor } from "oxc-parser";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Folders of programs that test the exchange, besides the packages and the tests. */
export const CAMPAIGNS = ["attack", "bench", "cluster", "failover", "sim", "soak", "trials"];

export interface Import {
  /** As written: `node:fs`, `ws`, `../book/book.ts`. */
  readonly specifier: string;
  readonly line: number;
  /** `import type`, or `import("…")` in types: absent at run time. */
  readonly typeOnly: boolean;
  /** It names the entry point of another thread. */
  readonly isWorker: boolean;
}

export interface Source {
  /** The path relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** The names that the file exports. */
  readonly exports: readonly string[];
  /** Comments without their markers, and the text of templates, because SQL has comments of its own. */
  readonly prose: readonly string[];
  /** The lines of members with the keyword `private`, without constructors, which have no alternative. */
  readonly privateWords: readonly number[];
}

/** Whether it is part of what users install. Tests and their shared code are not. */
export function isShipped(path: string): boolean {
  return /^packages\/(?!testkit\/)\w+\/src\//.test(path);
}

/**
 * Every `.ts` and `.tsx` file under a folder of the repository for which `isWanted` is true, in order; empty if the
 * folder does not exist.
 */
export function sourcesUnder(folder: string, isWanted: (path: string) => boolean = () => true): Source[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return filesUnder(join(ROOT, folder))
    .filter((file) => /\.tsx?$/.test(file) && isWanted(relative(ROOT, file)))
    .map((file) => readSource(relative(ROOT, file), readFileSync(file, "utf8")));
}

/**
 * A cache of the last result for each path: tests that share a process read the same files, and reading all takes
 * seconds.
 */
const lastRead = new Map<string, Source>();

/** Throws if the text is not valid TypeScript. */
export function readSource(path: string, text: string): Source {
  const last = lastRead.get(path);
  if (last?.text === text) return last;
  const source = parsedSource(path, text);
  lastRead.set(path, source);
  return source;
}

function parsedSource(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, localName }) => exportName.name ?? localName.name ?? []),
  );
  const prose = comments.map(({ value }) => value);
  const imports: Import[] = [];
  const privateWords: number[] = [];
  const lineOf = ({ start }: { readonly start: number }): number => text.slice(0, start).split("\n").length;
  const add = (source: Expression, kind: "code" | "types" | "worker"): void => {
    if (source.type !== "Literal" || typeof source.value !== "string") return;
    const [typeOnly, isWorker] = [kind === "types", kind === "worker"];
    imports.push({ specifier: source.value, line: lineOf(source), typeOnly, isWorker });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source, importKind === "type" ? "types" : "code"),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === "type" ? "types" : "code"),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source !== null) add(source, exportKind === "type" ? "types" : "code");
    },
    ImportExpression: ({ source }) => add(source, "code"),
    TSImportType: ({ source }) => add(source, "types"),
    NewExpression: (made) => {
      if (namesWorker(made, text)) add(made.arguments[0] as Expression, "worker");
    },
    TemplateElement: ({ value }) => void prose.push(value.raw),
    MethodDefinition: (member) => {
      if (member.accessibility === "private" && member.kind !== "constructor") privateWords.push(lineOf(member));
    },
    PropertyDefinition: (member) => {
      if (member.accessibility === "private") privateWords.push(lineOf(member));
    },
  }).visit(program);
  return { path, text, imports, exports, prose, privateWords };
}

/** The file that a relative import refers to, relative to the root of the repository. */
export function resolveImport(from: string, specifier: string): string {
  return relative(ROOT, resolve(ROOT, dirname(from), specifier));
}

export function filesUnder(folder: string): string[] {
  const found: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (name === "node_modules" || name === ".git" || name === ".types" || name === "data" || name === "dist") continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) found.push(...filesUnder(path));
    else found.push(path);
  }
  return found;
}

/** `new URL("./writer.ts", import.meta.url)`: the entry point of a worker, which counts as an import. */
function namesWorker({ callee, arguments: [place, base] }: NewExpression, text: string): boolean {
  const isUrl = callee.type === "Identifier" && callee.name === "URL";
  if (!isUrl || place?.type !== "Literal" || base === undefined) return false;
  return /^\..*\.ts$/.test(String(place.value)) && text.slice(base.start, base.end) === "import.meta.url";
}
