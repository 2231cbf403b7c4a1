/** What pages ask the node for: no answer stands where another was asked for, and none is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { fetchPage, type Kept, NO_ROWS, type Page } from "../../src/console/paged.ts";
import { askAllRisks, RISKS_A_PAGE } from "../../src/console/withdrawals/all-risks.ts";
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

test("every withdrawal that waits is looked at, however many they are", async () => {
  const all = Array.from({ length: 2 * RISKS_A_PAGE + 7 }, (_, n) => ({
    withdrawalId: `w${n}`,
    applyTimeMs: 1000 + n,
  }));
  const admin: Admin = {
    ask: async <Value>(_: string, __: string, { query = {} }: Sent = {}) => {
      const after = all.findIndex((one) => `${one.applyTimeMs}.${one.withdrawalId}` === query["after"]);
      return all.slice(after + 1, after + 1 + Number(query["limit"])) as Value;
    },
    askFile: () => Promise.reject(new Error("no files here")),
  };
  assert.deepEqual(await askAllRisks(admin, "/v1/withdrawal-risks", {}), all);
});
