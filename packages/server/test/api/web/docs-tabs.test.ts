/** The tabs of the documentation: which code blocks form a group, and which tab is shown. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ASSET_FOLDERS } from "../../../src/api/web/assets.ts";
import { readTree, renderDocuments } from "../../../src/api/web/documents.ts";
import { renderMarkdown } from "../../../src/api/web/markdown.ts";

const script = pathToFileURL(join(ASSET_FOLDERS.browser, "docs-tabs.js")).href;
const { tabAfter, shownOf } = (await import(script)) as {
  readonly tabAfter: (key: string, at: number, count: number) => number;
  readonly shownOf: (languages: readonly string[], chosen: string | null) => string;
};

const block = (label: string, language: string, code: string): string =>
  `${label}\n\n<!-- needs: ${language} -->\n<!-- expect: 1 -->\n\`\`\`${language}\n${code}\n\`\`\`\n\n`;
const CURL = block("**curl**", "sh", "curl x");
const JAVASCRIPT = block("**JavaScript**: save as `a.mjs`, *then* run it", "js", "x < 1");
const PYTHON = block("**Python**", "python", "print(1)");

const htmlOf = (text: string): string => renderMarkdown(text, (target) => target).html;
/** The languages of each group, in order. */
const groupsOf = (text: string): readonly (readonly string[])[] =>
  htmlOf(text)
    .split('<div class="variants">')
    .slice(1)
    .map((group) => [...group.matchAll(/data-variant="(\w+)"/g)].map(([, language = ""]) => language));

test("labeled blocks of different languages form a group; their notes and the text around them stay", () => {
  assert.deepEqual(groupsOf(`# A\nBefore.\n\n${CURL}${JAVASCRIPT}${PYTHON}After.`), [["curl", "JavaScript", "Python"]]);
  const html = htmlOf(`# A\nBefore.\n\n${CURL}${JAVASCRIPT}After.`);
  assert.match(html, /<p>Before\.<\/p>\s*<div class="variants">.*<\/div>\s*<p>After\.<\/p>/s);
  assert.ok(html.includes("<p><strong>curl</strong></p>"));
  assert.ok(
    html.includes(
      "<p><strong>JavaScript</strong>: <span>save as <code>a.mjs</code>, <em>then</em> run it</span></p>" +
        '<div class="code" data-language="js"><pre tabindex="0"><code>x &lt; 1</code>',
    ),
    html,
  );
});

test("a language can have several blocks, which are run one after the other", () => {
  const html = htmlOf(`${CURL}<!-- needs: curl -->\n\`\`\`sh\ncurl y\n\`\`\`\n\n${PYTHON}`);
  const [, curl = "", python = ""] = html.split("data-variant=");
  assert.match(curl, /^"curl".*curl x.*curl y/s);
  assert.match(python, /^"Python".*print/s);
});

test("a group ends with other text, a heading, or a language that it already has", () => {
  assert.deepEqual(groupsOf(`${CURL}${PYTHON}## B\n${CURL}${JAVASCRIPT}`), [
    ["curl", "Python"],
    ["curl", "JavaScript"],
  ]);
  assert.deepEqual(groupsOf(`${CURL}${PYTHON}${CURL}${PYTHON}`), [
    ["curl", "Python"],
    ["curl", "Python"],
  ]);
  assert.deepEqual(groupsOf(`${CURL}Some text.\n\n${PYTHON}`), []);
});

test("consecutive steps are not a group, nor is a bold word of another kind", () => {
  assert.deepEqual(groupsOf("```js\n1\n```\n\n<!-- a comment -->\n```sh\nnode a.mjs\n```\n"), []);
  assert.deepEqual(groupsOf(`${block("**Note**", "sh", "1")}${block("**curl** is needed", "sh", "1")}`), []);
  assert.ok(htmlOf(CURL).includes("<p><strong>curl</strong></p>"), "a single one is shown as text");
});

test("arrow keys wrap around, Home and End select the ends, and other keys are ignored", () => {
  const to = (at: number): readonly number[] =>
    ["ArrowLeft", "ArrowRight", "Home", "End", "Enter"].map((key) => tabAfter(key, at, 3));
  assert.deepEqual(
    [to(0), to(1), to(2)],
    [
      [2, 1, 0, 2, -1],
      [0, 2, 0, 2, -1],
      [1, 0, 0, 2, -1],
    ],
  );
});

test("the chosen language is shown, and the first one where a group does not have it", () => {
  assert.equal(shownOf(["curl", "Python"], "Python"), "Python");
  assert.equal(shownOf(["curl", "Python"], "JavaScript"), "curl");
  assert.equal(shownOf(["curl", "Python"], null), "curl");
});

test("every call of the REST page is shown in three languages, and pages load the script", () => {
  const tree = readTree(ASSET_FOLDERS.docs);
  const page = renderDocuments(ASSET_FOLDERS.docs, tree).get("/docs/concepts/rest")?.bytes.toString() ?? "";
  const groups = page.split('<div class="variants">').slice(1);
  const labels = page.match(/<strong>(?:curl|JavaScript|Python)<\/strong>/g) ?? [];
  assert.ok(groups.length >= 8);
  assert.equal(labels.length, 3 * groups.length);
  for (const group of groups) assert.equal(group.match(/data-variant=/g)?.length, 3);
  assert.match(page, /<script type="module" src="\/assets\/docs-tabs\.js">/);
});
