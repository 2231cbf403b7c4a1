/** What a source imports and exports. TypeScript 7 has no compiler API: the syntax tree is the linter's. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Expression, type NewExpression, parseSync, Visitor } from "oxc-parser";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Folders of programs that try the exchange out, beside the packages and the tests. */
export const CAMPAIGNS = ["attack", "bench", "cluster", "failover", "sim", "soak", "trials"];

export interface Import {
  /** As written: `node:fs`, `ws`, `../book/book.ts`. */
  readonly specifier: string;
  readonly line: number;
  /** `import type`, or `import("…")` among types: gone when the program runs. */
  readonly typeOnly: boolean;
  /** It names the entry point of another thread. */
  readonly isWorker: boolean;
}

export interface Source {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Names that the file exports. */
  readonly exports: readonly string[];
  /** Comments without their marks, and what stands in templates: SQL has comments of its own. */
  readonly prose: readonly string[];
  /** Lines of members that are `private` for the compiler alone; constructors cannot be otherwise, and are none. */
  readonly privateWords: readonly number[];
}

/** Is it part of what users install? Tests, and what they share, are not. */
export function isShipped(path: string): boolean {
  return /^packages\/(?!testkit\/)\w+\/src\//.test(path);
}

/**
 * Every `.ts` and `.tsx` file under a folder of the repository whose path is wanted, in order; none when there is no
 * such folder.
 */
export function sourcesUnder(folder: string, isWanted: (path: string) => boolean = () => true): Source[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return filesUnder(join(ROOT, folder))
    .filter((file) => /\.tsx?$/.test(file) && isWanted(relative(ROOT, file)))
    .map((file) => readSource(relative(ROOT, file), readFileSync(file, "utf8")));
}

/** The last of each path: tests that share a process ask for the same ones, and to read all of them takes seconds. */
const lastRead = new Map<string, Source>();

/** Throws where the text is no TypeScript. */
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

/** The file that a relative import leads to, from the root of the repository. */
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

/** `new URL("./writer.ts", import.meta.url)`: a worker's entry point is an import in all but name. */
function namesWorker({ callee, arguments: [place, base] }: NewExpression, text: string): boolean {
  const isUrl = callee.type === "Identifier" && callee.name === "URL";
  if (!isUrl || place?.type !== "Literal" || base === undefined) return false;
  return /^\..*\.ts$/.test(String(place.value)) && text.slice(base.start, base.end) === "import.meta.url";
}
