/** Checks that texts for users use the terms of the trade: no phrase and no old name of `words.ts` appears in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSync, Visitor } from "oxc-parser";
import { filesOf, type TextFile } from "./documents.ts";
import { EXCEPTIONS, type ForbiddenWord, NAMES, PHRASES, type Surface } from "./words.ts";

/** Sources with texts for users, by the beginning of their path. */
const SOURCES: readonly (readonly [string, Surface])[] = [
  ["packages/web/src/words/", "page"],
  ["packages/server/src/api/web/", "page"],
  ["packages/server/src/program/cli/", "command"],
  ["packages/server/src/people/admin/", "api"],
  ["packages/server/src/people/customer/", "api"],
  ["packages/server/src/platform/config/", "setting"],
  ["packages/server/src/platform/observe/", "metric"],
  ["packages/server/src/program/start/", "command"],
  ["packages/server/src/people/mail/", "email"],
  ["packages/server/src/", "log"],
  ["packages/lab/src/", "command"],
  ["packages/protocol/src/", "api"],
];

/**
 * The texts that a file shows to users: its prose, in which phrases are searched, and the complete text, in which names
 * are.
 */
interface Shown extends TextFile {
  readonly surface: Surface;
  readonly prose: string;
}

/** The text without code, URLs and hidden parts, with the same number of lines. */
function proseOfDocument(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, blank)
    .replaceAll(/(`+)[^`][\s\S]*?\1/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/https?:\/\/\S+/g, blank);
}

/**
 * The texts of a source in one string: literals, templates and text between tags. `prose` has only those of several
 * words.
 */
function textsOf(path: string, source: string): { readonly texts: string; readonly prose: string } {
  const found: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === "string") found.push(value);
    },
    TemplateElement: ({ value }) => void found.push(value.cooked ?? value.raw),
    JSXText: ({ value }) => void found.push(value),
  }).visit(parseSync(path, source).program);
  const texts = found.filter((text) => !/^(?:node:|\.{1,2}\/|@pricetime\/)/.test(text));
  return {
    texts: texts.join("\n"),
    prose: texts.filter((text) => /\p{L}\s+\p{L}|^\p{Lu}\p{Ll}+$/u.test(text)).join("\n"),
  };
}

/** Without released sections of the changelog, which use the names of their release. */
function unreleased(changelog: string): string {
  const start = changelog.search(/^## \[?Unreleased\]?$/m);
  const end = changelog.indexOf("\n## ", start + 1);
  return changelog.slice(start, end === -1 ? undefined : end);
}

function shownBy({ path, text }: TextFile): Shown | undefined {
  if (path.endsWith(".md")) {
    const read = path === "CHANGELOG.md" ? unreleased(text) : text;
    return { path, text: read, surface: "document", prose: proseOfDocument(read) };
  }
  if (/\.ya?ml$/.test(path) || path.startsWith("deploy/grafana/"))
    return { path, text, surface: "setting", prose: text };
  const surface = SOURCES.find(([folder]) => path.startsWith(folder))?.[1];
  if (surface === undefined) return undefined;
  const { texts, prose } = textsOf(path, text);
  return { path, text: texts, surface, prose };
}

function isExcepted(path: string, found: string): boolean {
  return EXCEPTIONS.some(
    (exception) =>
      (exception.path.endsWith("/") ? path.startsWith(exception.path) : path === exception.path) &&
      exception.pattern.test(found),
  );
}

/** Returns lines `path: found (write instead)`. */
function forbiddenIn({ path, text, prose, surface }: Shown): string[] {
  const search = (words: readonly ForbiddenWord[], searched: string): string[] =>
    words
      .filter(({ on }) => on?.includes(surface) ?? true)
      .flatMap(({ pattern, instead }) =>
        [...searched.matchAll(pattern)].flatMap(({ 0: found, index }) => {
          const around = searched.slice(Math.max(0, index - 40), index + found.length + 40).replaceAll(/\s+/g, " ");
          return isExcepted(path, found) ? [] : [`${path}: ${found} (${instead}) in "${around}"`];
        }),
      );
  return [...search(PHRASES, prose), ...search(NAMES, text)];
}

const shown = filesOf(".md", ".yaml", ".yml", ".json", ".ts", ".tsx").flatMap((file) => shownBy(file) ?? []);

test("texts for users have no private words and no old names", () => {
  for (const surface of [
    "document",
    "page",
    "command",
    "api",
    "setting",
    "metric",
    "email",
    "log",
  ] satisfies Surface[]) {
    const count = shown.filter((each) => each.surface === surface).length;
    assert.ok(count > 0, `no text of the surface ${surface} was found`);
  }
  const found = shown.flatMap((each) => forbiddenIn(each));
  assert.ok(found.length === 0, `write instead:\n${found.join("\n")}`);
});

test("every exception is needed", () => {
  const needed = ({ path, pattern }: (typeof EXCEPTIONS)[number]): boolean =>
    shown.some(
      (each) =>
        (path.endsWith("/") ? each.path.startsWith(path) : each.path === path) &&
        [...PHRASES, ...NAMES].some((word) =>
          [...`${each.prose}\n${each.text}`.matchAll(word.pattern)].some(([found]) => pattern.test(found)),
        ),
    );
  assert.deepEqual(
    EXCEPTIONS.filter((exception) => !needed(exception)),
    [],
  );
});

test("a planted phrase or old name is found", () => {
  const bad = (path: string, text: string): number => {
    const found = shownBy({ path, text });
    return found === undefined ? 0 : forbiddenIn(found).length;
  };
  assert.equal(bad("docs/a.md", "Report a coin of nobody. Whoever asks is told.\n"), 4);
  assert.equal(bad("docs/a.md", "Call `POST /v1/stops`.\n\n```sh\npricetime acts\n```\n"), 2, "names in code");
  assert.equal(
    bad("docs/a.md", "`people/mail/mail-run.ts` and [a](mail.md)\n\n```\nmail\n```\n"),
    0,
    "a path is no phrase",
  );
  assert.equal(bad("CHANGELOG.md", "## Unreleased\n\n- a proposal\n\n## 0.2.0\n\n- `/v1/mails`\n"), 1);
  assert.equal(bad("packages/web/src/words/a.ts", 'export const A = "Send the letter anew";'), 2);
  assert.equal(bad("packages/web/src/words/a.ts", "export const A = (n: number) => `${n} proposals wait`;"), 1);
  assert.equal(
    bad("packages/server/src/program/cli/a.ts", '/** Whoever asks. */\nconst HELP = "Where nobody approves";'),
    1,
    "no comments",
  );
  assert.equal(
    bad("packages/server/src/people/admin/a.ts", 'const ROUTE = "/v1/break-glass"; const kind = "mail";'),
    1,
  );
  assert.equal(bad("packages/server/src/platform/observe/a.ts", 'const NAME = "pricetime_unread_bytes";'), 1);
  assert.equal(bad("packages/server/src/funds/wallet/a.ts", 'log("a coin of nobody");'), 2, "log lines");
  assert.equal(bad("packages/engine/src/a.ts", 'const TEXT = "a coin of nobody";'), 0, "no text for users");
});
