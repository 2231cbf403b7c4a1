/** The search of the documentation: its index, ranking, and search box. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ASSET_FOLDERS } from "../../../src/api/web/assets.ts";
import { readTree, renderDocuments } from "../../../src/api/web/documents.ts";

interface Page {
  readonly path: string;
  readonly title: string;
  readonly section: string;
  readonly headings: readonly (readonly [id: string, text: string])[];
}

interface Found {
  readonly path: string;
  readonly title: string;
  readonly context: string;
}

const script = pathToFileURL(join(ASSET_FOLDERS.browser, "docs-search.js")).href;
const { search, MOST_RESULTS } = (await import(script)) as {
  readonly search: (pages: readonly Page[], query: string) => readonly Found[];
  readonly MOST_RESULTS: number;
};

const tree = readTree(ASSET_FOLDERS.docs);
const served = renderDocuments(ASSET_FOLDERS.docs, tree);
const text = (path: string): string => served.get(path)?.bytes.toString() ?? "";
const index = JSON.parse(text("/docs/search.json")) as readonly Page[];

const PAGES: readonly Page[] = [
  { path: "/a", title: "Streams", section: "Concepts", headings: [["depth", "Depth & trades"]] },
  {
    path: "/b",
    title: "Order types",
    section: "Concepts",
    headings: [
      ["iceberg", "Iceberg orders"],
      ["lists", "Order lists"],
    ],
  },
  { path: "/c", title: "Settings", section: "Operations", headings: [["streams", "Settings of streams"]] },
];
const pathsOf = (query: string): readonly string[] => search(PAGES, query).map(({ path }) => path);

test("pages and headings are found by words in any order, also by the start of a word", () => {
  assert.deepEqual(pathsOf("streams"), ["/a", "/c#streams"]);
  assert.deepEqual(pathsOf("ICE"), ["/b#iceberg"]);
  assert.deepEqual(pathsOf("types order"), ["/b", "/b#lists", "/b#iceberg"]);
  const [{ title, context } = { title: "", context: "" }, ...more] = search(PAGES, "depth");
  assert.deepEqual([title, context, more], ["Depth & trades", "Streams", []]);
});

test("a heading is found by words of its page and its own, and each word must occur", () => {
  assert.deepEqual(pathsOf("streams trades"), ["/a#depth"]);
  assert.deepEqual(pathsOf("streams iceberg"), []);
  for (const query of ["", "  ", "nothing-like-this"]) assert.deepEqual(pathsOf(query), []);
});

test("the whole title comes first, and the results are bounded", () => {
  assert.equal(search(PAGES, "order")[0]?.path, "/b");
  assert.equal(search(PAGES, "order lists")[0]?.path, "/b#lists");
  const many = Array.from({ length: 50 }, (_, at) => ({ path: `/${at}`, title: "Same", section: "", headings: [] }));
  assert.equal(search(many, "same").length, MOST_RESULTS);
});

test("the index has every page, and only headings that the pages have", () => {
  const paths = new Set(index.map(({ path }) => path));
  for (const { documents } of tree.sections) for (const { path } of documents) assert.ok(paths.has(path), path);
  assert.ok(index.some(({ headings }) => headings.length > 0));
  for (const { path, headings } of index) {
    for (const [id, heading] of headings) {
      assert.ok(text(path).includes(`id="${id}"`), `${path}#${id}`);
      assert.doesNotMatch(heading, /&(?:amp|lt|gt|quot|#39);/, "text, not markup");
    }
  }
  assert.ok(JSON.stringify(index).length < 200_000, "the index stays small");
});

test("common queries find the right pages", () => {
  const first = (query: string): string => search(index, query)[0]?.path ?? "";
  assert.equal(first("iceberg").startsWith("/docs/"), true);
  assert.equal(first("terminal"), "/docs/guides/terminal");
  assert.equal(first("order types"), "/docs/concepts/order-types");
  assert.equal(first("api reference"), "/docs/api");
});

test("every page has the search box, hidden until its script runs", () => {
  for (const path of ["/docs", "/docs/guides", "/docs/concepts/streams"]) {
    assert.match(text(path), /<div class="docs-search" role="search" hidden>/, path);
    assert.match(text(path), /<script type="module" src="\/assets\/docs-search\.js">/, path);
  }
});
