/** What pages ask the node for: no answer stands where another was asked for, and none is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { fetchPage, type Kept, NO_ROWS, type Page } from "../../src/console/paged.ts";
import { queryOf } from "../../src/console/withdrawals/choice.ts";
import type { Admin, Sent } from "../../src/console/wire/admin.ts";

interface Asked {
  readonly path: string;
  readonly query: Sent["query"];
  readonly answer: (page: Page<string>) => void;
  readonly refuse: (error: Error) => void;
}

/** A node that answers when it is told to. */
function slowNode(): { readonly admin: Admin; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const admin: Admin = {
    ask: <Value>(_: string, path: string, { query }: Sent = {}) =>
      new Promise<Value>((resolve, reject) => {
        asked.push({ path, query, answer: (page) => resolve(page as Value), refuse: reject });
      }),
    askFile: () => Promise.reject(new Error("no files here")),
  };
  return { admin, asked };
}

const read = (page: Page<string>): Page<string> => page;
const list = (path: string) => ({ path, query: {}, read });

test("the late answer of one list never stands in another", async () => {
  const { admin, asked } = slowNode();
  const kept = signal<Kept<string>>(NO_ROWS);
  const alice = fetchPage(admin, list("alice"), kept, null);
  const bob = fetchPage(admin, list("bob"), kept, null);
  asked[1]?.answer({ rows: ["of bob"], next: null });
  await bob;
  asked[0]?.answer({ rows: ["of alice"], next: "more of alice" });
  await alice;
  assert.deepEqual([kept.value.rows, kept.value.next], [["of bob"], null]);
  const late = fetchPage(admin, list("alice"), kept, null);
  assert.equal(kept.value.rows, null, "bob's rows are not shown while alice's are awaited");
  const again = fetchPage(admin, list("bob"), kept, null);
  asked[2]?.refuse(new Error("of alice"));
  asked[3]?.answer({ rows: ["of bob"], next: null });
  await Promise.all([late, again]);
  assert.deepEqual([kept.value.rows, kept.value.denied], [["of bob"], null]);
});

test("a page that is asked for twice stands there once", async () => {
  const { admin, asked } = slowNode();
  const kept = signal<Kept<string>>(NO_ROWS);
  const first = fetchPage(admin, list("alice"), kept, null);
  asked[0]?.answer({ rows: ["b"], next: "b" });
  await first;
  const twice = [fetchPage(admin, list("alice"), kept, "b"), fetchPage(admin, list("alice"), kept, "b")];
  for (const one of asked.slice(1)) one.answer({ rows: ["a"], next: null });
  await Promise.all(twice);
  assert.deepEqual(kept.value.rows, ["b", "a"]);
});

test("the queue asks for what waits for approval, unless something else is chosen", () => {
  assert.deepEqual(queryOf({}), { status: "awaitingApproval" });
  assert.deepEqual(queryOf({ status: "gone", asset: "" }), { status: "awaitingApproval" });
  assert.deepEqual(queryOf({ status: "processing", asset: "BTC" }), { status: "processing", asset: "BTC" });
  assert.deepEqual(queryOf({ status: "all", account: "100", more: "x" }), { account: "100" });
});
