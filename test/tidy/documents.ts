/** The documents of the repository: their headings, their links, and the citations in them and in comments. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { filesUnder, readSource, ROOT } from "./source.ts";

export interface TextFile {
  /** The path relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Generated files: a release's data, and build output. */
const MADE = /(?:^|\/)(?:golden-data|dist|build)\//;

/** Files with these endings. */
export function filesOf(...endings: readonly string[]): TextFile[] {
  return filesUnder(ROOT)
    .map((file) => relative(ROOT, file).replaceAll("\\", "/"))
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !MADE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

/** The prose of a file in one line: comments (and the text of templates) of a program, all text of another file. */
export function proseOf({ path, text }: TextFile): string {
  const prose = /\.(?:tsx?|js|mjs|cjs)$/.test(path) ? readSource(path, text).prose.join("\n") : text;
  return prose.replaceAll(/\s*\n\s*(?:\*(?!\*)|\/\/|#)?\s*/g, " ");
}

// Citations.

const SECTION = String.raw`(?:S\.\d+|\d+\.\d+)`;
const CITED = new RegExp(String.raw`\bInterface (${SECTION}|S|\d+)\b((?:(?:, and |, | and | to )${SECTION})*)`, "g");

/** Cited sections of the interface: `4.2`, `S.14`, `6`. */
export function citedSections(prose: string): string[] {
  return [...prose.matchAll(CITED)].flatMap(([, first = "", more = ""]) => [
    first,
    ...(more.match(new RegExp(SECTION, "g")) ?? []),
  ]);
}

/** The numbers of cited decisions. */
export function citedDecisions(prose: string): number[] {
  return [...prose.matchAll(/\bdecisions? (\d+(?:(?:, and |, | and )\d+)*)/gi)].flatMap(([, numbers = ""]) =>
    (numbers.match(/\d+/g) ?? []).map(Number),
  );
}

/** Invalid citations: another spelling, or documents that are not in the repository. */
const STRAY: readonly RegExp[] = [
  /\binterface(?: section)? \(?(?:S\.)?\d+(?:\.\d+)?/g,
  /\bInterface section \d+/g,
  /\bINTERFACE(?:\.md)?\b/g,
  /\bFACTS(?:\.md)?\b/g,
  /\bCLIENTS(?=[.,;:)' ]|$)/g,
  /\b(?:CLIENTS|LAB|PAGES|TODAY|DESIGN)\.md\b/g,
];

export function strayCitations(prose: string): string[] {
  return STRAY.flatMap((pattern) => [...prose.matchAll(pattern)].map(([text]) => text));
}

/** The section numbers at the beginning of headings in docs/interface. */
export function sectionsOf(documents: readonly TextFile[]): ReadonlySet<string> {
  return new Set(
    documents.flatMap(({ text }) =>
      headingsOf(text).flatMap((heading) => /^(S|\d+)(\.\d+)?(?= )/.exec(heading)?.[0] ?? []),
    ),
  );
}

// Headings and links.

/** The text without fenced code blocks. */
function outsideFences(markdown: string): string {
  return markdown.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
}

export function headingsOf(markdown: string): string[] {
  return [...outsideFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = ""]) => heading);
}

/** The anchors that GitHub generates, in order: the second of two equal headings ends in `-1`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = headingsOf(markdown).map((heading) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return new Set(anchors);
}

/** The targets of links and images, as written. */
export function linksOf(markdown: string): string[] {
  const prose = outsideFences(markdown).replaceAll(/(`+)[^`][\s\S]*?\1/g, "");
  return [...prose.matchAll(/\]\(<?([^()\s<>]+)>?(?: "[^"]*")?\)/g)].map(([, target = ""]) => target);
}

/** The path and the anchor of a link within the repository; undefined for an external link. */
export function linkTarget(from: string, link: string): { readonly path: string; readonly anchor: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith("//")) return undefined;
  const [file = "", anchor = ""] = link.split("#", 2);
  const path = file === "" ? from : relative(ROOT, resolve(ROOT, dirname(from), decodeURIComponent(file)));
  return { path: path === "" ? "." : path.replaceAll("\\", "/"), anchor };
}

/** The number of a decision: 13 for `docs/decisions/0013-….md`. */
export function decisionNumber(path: string): number {
  return Number(/^\d{4}/.exec(basename(path))?.[0] ?? 0);
}
