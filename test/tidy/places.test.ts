/**
 * Checks that sources refer to files in ways that `npm run package` supports, so that a mistake is found before a user
 * starts the package.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { FILE_OF, PACKAGE_ROOT, placesOf, relinked } from "../../scripts/package/places.ts";
import { isShipped, ROOT, sourcesUnder } from "./source.ts";

test("every file that a source names has a place in the package", () => {
  const places = placesOf();
  for (const name of ["sqlite-worker", "reader-worker", "projector-worker"]) assert.ok(places.threads[name], name);
  const shipped = sourcesUnder("packages", isShipped);
  assert.ok(shipped.length > 100);
  for (const { path } of shipped) relinked(join(ROOT, path), places);
});

test("links lead to where the package has what they lead to", () => {
  const folder = temporaryFolder();
  try {
    mkdirSync(join(folder, "pages"));
    writeFileSync(join(folder, "a-worker.ts"), "");
    const files = new Map([[relative(ROOT, join(folder, "pages")), "pages"]]);
    const linked = (text: string): string => {
      writeFileSync(join(folder, "a.ts"), text);
      return relinked(join(folder, "a.ts"), { threads: {}, files });
    };
    assert.equal(linked('new URL("./a-worker.ts", import.meta.url)'), `new URL("lib/a-worker.js", ${PACKAGE_ROOT})`);
    assert.equal(linked('new URL("./pages/", import.meta.url)'), `new URL("pages/", ${PACKAGE_ROOT})`);
    assert.equal(linked('join(import.meta.dirname, "./pages")'), `${FILE_OF}("pages")`);
    assert.throws(() => linked('new URL("./none.txt", import.meta.url)'), /not there/);
    assert.throws(() => linked('new URL("./a.ts/..", import.meta.url)'), /no place|not there/);
    for (const other of ["fileURLToPath(import.meta.url)", "new URL(name, import.meta.url)", "import.meta.dirname"])
      assert.throws(() => linked(other), /not known/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
