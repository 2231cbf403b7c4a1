/** The documents of the repository: their headings, their links, and what they and comments cite. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { filesUnder, readSource, ROOT } from "./source.ts";

export interface TextFile {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** None of ours: data of a release, and what a build made. */
const MADE = /(?:^|\/)(?:golden-data|dist|build)\//;

/** Files of these kinds. */
export function filesOf(...endings: readonly string[]): TextFile[] {
  return filesUnder(ROOT)
    .map((file) => relative(ROOT, file).replaceAll("\\", "/"))
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !MADE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

/** The prose of a file in one line: a program's comments (and what stands in templates), all text of another file. */
export function proseOf({ path, text }: TextFile): string {
  const prose = /\.(?:tsx?|js|mjs|cjs)$/.test(path) ? readSource(path, text).prose.join("\n") : text;
  return prose.replaceAll(/\s*\n\s*(?:\*(?!\*)|\/\/|#)?\s*/g, " ");
}

// citations

const SECTION = String.raw`(?:S\.\d+|\d+\.\d+)`;
const CITED = new RegExp(String.raw`\bInterface (${SECTION}|S|\d+)\b((?:(?:, and |, | and | to )${SECTION})*)`, "g");

/** Sections of the interface that are cited: `4.2`, `S.14`, `6`. */
export function citedSections(prose: string): string[] {
  return [...prose.matchAll(CITED)].flatMap(([, first = "", more = ""]) => [
    first,
    ...(more.match(new RegExp(SECTION, "g")) ?? []),
  ]);
}

/** Decisions that are cited, as their numbers. */
export function citedDecisions(prose: string): number[] {
  return [...prose.matchAll(/\bdecisions? (\d+(?:(?:, and |, | and )\d+)*)/gi)].flatMap(([, numbers = ""]) =>
    (numbers.match(/\d+/g) ?? []).map(Number),
  );
}

/** Ways to cite that lead nowhere: another spelling, or documents that are not here. */
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

/** Numbers that headings of docs/interface begin with. */
export function sectionsOf(documents: readonly TextFile[]): ReadonlySet<string> {
  return new Set(
    documents.flatMap(({ text }) =>
      headingsOf(text).flatMap((heading) => /^(S|\d+)(\.\d+)?(?= )/.exec(heading)?.[0] ?? []),
    ),
  );
}

// headings and links

/** Without what stands in fences. */
function outsideFences(markdown: string): string {
  return markdown.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
}

export function headingsOf(markdown: string): string[] {
  return [...outsideFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = ""]) => heading);
}

/** As GitHub makes them, in order: of headings that are the same the second ends in `-1`. */
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

/** Where links and images lead, as they are written. */
export function linksOf(markdown: string): string[] {
  const prose = outsideFences(markdown).replaceAll(/(`+)[^`][\s\S]*?\1/g, "");
  return [...prose.matchAll(/\]\(<?([^()\s<>]+)>?(?: "[^"]*")?\)/g)].map(([, target = ""]) => target);
}

/** The path and the anchor of a link within the repository; undefined: it leads out of it. */
export function linkTarget(from: string, link: string): { readonly path: string; readonly anchor: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link) || link.startsWith("//")) return undefined;
  const [file = "", anchor = ""] = link.split("#", 2);
  const path = file === "" ? from : relative(ROOT, resolve(ROOT, dirname(from), decodeURIComponent(file)));
  return { path: path === "" ? "." : path.replaceAll("\\", "/"), anchor };
}

/** `docs/decisions/0013-….md` is 13. */
export function decisionNumber(path: string): number {
  return Number(/^\d{4}/.exec(basename(path))?.[0] ?? 0);
}
