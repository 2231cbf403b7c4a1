/** Documents as pages: anchors as on GitHub, links rewritten, HTML in the text escaped. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { readTree, renderDocuments } from "../../../src/api/web/documents.ts";
import { renderMarkdown } from "../../../src/api/web/markdown.ts";

const render = (text: string): ReturnType<typeof renderMarkdown> =>
  renderMarkdown(text, (target) => (target === "gone.md" ? null : `/to/${target}`));

test("headings have the unique anchors that GitHub generates", () => {
  const { headings, html } = render("# A `code` title\n## 4.2 Orders & lists\n## Twice\n## Twice\n### What's <new>?");
  assert.deepEqual(
    headings.map(({ id }) => id),
    ["a-code-title", "42-orders--lists", "twice", "twice-1", "whats-new"],
  );
  assert.ok(html.includes('<h2 id="42-orders--lists">4.2 Orders &amp; lists'));
});

test("links are resolved; links without a page are text", () => {
  const { html } = render("[one](a.md) [two](gone.md) ![three](b.png) ![four](gone.md)");
  assert.ok(html.includes('<a href="/to/a.md">one</a>'));
  assert.ok(html.includes('<span class="elsewhere" title="gone.md in the repository">two</span>'));
  assert.ok(html.includes('<img src="/to/b.png" alt="three">') && html.includes("four"));
});

test("markup in a document is text, and so is code", () => {
  const { html } = render(
    "Hello <script>alert(1)</script> <data>\n\n```html\n<b>\n```\n\n<!-- a note -->\n\n<div>x</div>",
  );
  assert.doesNotMatch(html, /<script|<data|<b>|a note|<div>x/);
  assert.ok(html.includes("&lt;script&gt;") && html.includes("&lt;b&gt;"));
});

test("a folder of documents becomes pages with their own paths", () => {
  const folder = temporaryFolder();
  try {
    const files: Readonly<Record<string, string>> = {
      "index.md": "# Hello\nSee [one](guides/one.md#here), [all](guides/) and [code](../src/x.ts).",
      "guides/one.md":
        "# One\n## Here\n[back](../index.md), [next](two.md), [settings](../operate/x.yaml), [self](#here)",
      "guides/two.md": "# Two",
      "operate/x.yaml": "a: 1",
      "other/README.md": "# Other\nAn introduction.",
      "other/sub/deep.md": "# Deep",
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const pages = renderDocuments(folder, readTree(folder));
    const page = (path: string): string => pages.get(path)?.bytes.toString() ?? "";
    const landing = page("/docs");
    assert.ok(
      landing.includes('<a href="/docs/guides/one#here">one</a>') && landing.includes('<a href="/docs/guides">all</a>'),
    );
    assert.ok(landing.includes("../src/x.ts in the repository"));
    const one = page("/docs/guides/one");
    for (const to of ["/docs", "/docs/guides/two", "/docs/operate/x.yaml", "#here"]) {
      assert.ok(one.includes(`<a href="${to}">`), to);
    }
    assert.ok(page("/docs/other").includes("An introduction.") && page("/docs/other/sub/deep").includes("Deep"));
    assert.equal(page("/docs/operate/x.yaml"), "a: 1");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("without the documentation folder, as in a minimal image, the other pages exist", () => {
  const none = join(tmpdir(), "pricetime-no-such-folder");
  const pages = renderDocuments(none, readTree(none));
  assert.deepEqual([...pages.keys()], ["/docs", "/docs/search.json"]);
  assert.match(pages.get("/docs")?.bytes.toString() ?? "", /API reference/);
});
