/**
 * `npm run size`: the size of the repository. Code lines are lines of `.ts`, `.tsx`, `.js`, `.mjs`, `.css` and `.py`
 * files that are neither blank nor comments.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { CAMPAIGNS, filesUnder, ROOT } from "../test/tidy/source.ts";

const KINDS = /\.(?:tsx?|m?js|css|py)$/;

export interface Size {
  readonly files: number;
  /** The number of lines of the median file, including blank lines and comments. */
  readonly medianLines: number;
  readonly codeLines: number;
}

/** The offsets of comments in a source. */
function commentsOf(path: string, text: string): readonly { readonly start: number; readonly end: number }[] {
  if (/\.(?:tsx?|m?js)$/.test(path)) return parseSync(path, text).comments;
  const pattern = path.endsWith(".css") ? /\/\*[\s\S]*?\*\//g : /^\s*#.*$|^\s*"""[\s\S]*?"""/gm;
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

export function codeLines(path: string, text: string): number {
  let code = text;
  for (const { start, end } of commentsOf(path, text).toReversed())
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, "") + code.slice(end);
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** The size of the sources in these folders of the repository. */
export function sizeOf(folders: readonly string[]): Size {
  const paths = folders.flatMap((folder) => filesUnder(join(ROOT, folder))).filter((path) => KINDS.test(path));
  const texts = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const lines = texts.map(({ text }) => text.split("\n").length - 1).sort((a, b) => a - b);
  return {
    files: paths.length,
    medianLines: lines[Math.floor(lines.length / 2)] ?? 0,
    codeLines: texts.reduce((sum, { path, text }) => sum + codeLines(path, text), 0),
  };
}

export const PACKAGES = ["engine", "protocol", "server", "web", "lab", "testkit"];
export const SOURCES = PACKAGES.map((name) => `packages/${name}/src`);
export const TESTS = [...PACKAGES.map((name) => `packages/${name}/test`), "test", ...CAMPAIGNS];

if (import.meta.main) {
  const row = (name: string, { files, medianLines, codeLines: lines }: Size): string =>
    `${name.padEnd(32)} ${String(files).padStart(6)} ${String(medianLines).padStart(7)} ${String(lines).padStart(8)}`;
  const shipped = SOURCES.filter((folder) => !folder.includes("testkit"));
  console.log(`${"".padEnd(32)}  files  median     code`);
  for (const folder of SOURCES) console.log(row(folder, sizeOf([folder])));
  console.log(row("packages without testkit", sizeOf(shipped)));
  console.log(row("packages", sizeOf(SOURCES)));
  console.log(row("tests and campaigns", sizeOf(TESTS)));
}
