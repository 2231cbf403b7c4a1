/** Lists that are fetched page by page: no response is shown in another list, and none is shown twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { fetchPage, type LoadedRows, NO_ROWS, type Page } from "../../src/pages/page-data.ts";

type Letters = Page<string, string>;

interface Fetched {
  readonly answer: (page: Letters) => void;
  readonly refuse: (error: Error) => void;
}

/** A node that responds when the test tells it to. */
function slowNode(): { readonly ask: () => Promise<Letters>; readonly asked: Fetched[] } {
  const asked: Fetched[] = [];
  const ask = (): Promise<Letters> =>
    new Promise((answer, refuse) => {
      asked.push({ answer, refuse });
    });
  return { ask, asked };
}

test("a late response of one list is never shown in another", async () => {
  const { ask, asked } = slowNode();
  const kept = signal<LoadedRows<string, string>>(NO_ROWS);
  const alice = fetchPage(ask, "alice", kept, null);
  const bob = fetchPage(ask, "bob", kept, null);
  asked[1]?.answer({ rows: ["of bob"], next: null });
  await bob;
  asked[0]?.answer({ rows: ["of alice"], next: "more of alice" });
  await alice;
  assert.deepEqual([kept.value.rows, kept.value.next], [["of bob"], null]);
  const late = fetchPage(ask, "alice", kept, null);
  assert.equal(kept.value.rows, null, "bob's rows are not shown while alice's are awaited");
  const again = fetchPage(ask, "bob", kept, null);
  asked[2]?.refuse(new Error("of alice"));
  asked[3]?.answer({ rows: ["of bob"], next: null });
  await Promise.all([late, again]);
  assert.deepEqual([kept.value.rows, kept.value.denied], [["of bob"], null]);
});

test("a page that is requested twice is shown once", async () => {
  const { ask, asked } = slowNode();
  const kept = signal<LoadedRows<string, string>>(NO_ROWS);
  const first = fetchPage(ask, "alice", kept, null);
  asked[0]?.answer({ rows: ["b"], next: "b" });
  await first;
  const twice = [fetchPage(ask, "alice", kept, "b"), fetchPage(ask, "alice", kept, "b")];
  for (const one of asked.slice(1)) one.answer({ rows: ["a"], next: null });
  await Promise.all(twice);
  assert.deepEqual(kept.value.rows, ["b", "a"]);
});
