import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { signal } from "@preact/signals";
import type { Pages, Refusal } from "../../src/account/port.ts";
import { saveSheet } from "../../src/panels/save-table.ts";

const files: { name: string; text: Promise<string> }[] = [];
const told: string[] = [];
const account = { notify: (tone: string, text: string): void => void told.push(`${tone}: ${text}`) };
let blob = new Blob();
// The browser features that saving needs.
URL.createObjectURL = (given) => ((blob = given as Blob), "blob:it");
Object.assign(globalThis, {
  document: {
    createElement: () => {
      const link = { href: "", download: "", click: () => files.push({ name: link.download, text: blob.text() }) };
      return link;
    },
  },
});
beforeEach(() => {
  files.length = 0;
  told.length = 0;
});

/** That many pages of two rows each; the page with the number `refused` fails once. */
function historyOf(pageCount: number, refused = -1) {
  const rows = signal<readonly string[]>([]);
  const state = signal<"idle" | "loading" | "done" | Refusal>("idle");
  let asked = 0;
  const pages: Pages<string> = {
    rows,
    state,
    async more() {
      if (state.peek() === "loading" || state.peek() === "done") return;
      state.value = "loading";
      await new Promise(setImmediate);
      if (asked === refused) {
        refused = -1;
        state.value = { code: -1003, message: "Too many requests.", isUnknown: false };
        return;
      }
      asked++;
      rows.value = [...rows.value, `${asked}a`, `${asked}b`];
      state.value = asked === pageCount ? "done" : "idle";
    },
  };
  const sheet = { name: "trades-X", rows: () => [["Row"], ...rows.peek().map((row) => [row])], pages };
  return { pages, sheet };
}

const saved = async (): Promise<unknown> => Promise.all(files.map(async ({ name, text }) => [name, await text]));

test("a history is fetched completely before it is saved, also while a page is being fetched", async () => {
  const { sheet, pages } = historyOf(3);
  void pages.more();
  await saveSheet(account, sheet);
  assert.deepEqual(await saved(), [["trades-X.csv", "Row\r\n1a\r\n1b\r\n2a\r\n2b\r\n3a\r\n3b\r\n"]]);
  assert.deepEqual(told, ["good: Saved 6 rows to trades-X.csv"]);
});

test("the name of a file that was cut at the limit says so", async () => {
  await saveSheet(account, historyOf(9).sheet, 4);
  assert.deepEqual(await saved(), [["trades-X-newest-4.csv", "Row\r\n1a\r\n1b\r\n2a\r\n2b\r\n"]]);
  assert.deepEqual(told, ["plain: Saved the newest 4 rows to trades-X-newest-4.csv. Older rows are not included."]);
});

test("if older rows cannot be fetched, no file is saved, and the next attempt continues", async () => {
  const { sheet } = historyOf(2, 1);
  await saveSheet(account, sheet);
  assert.deepEqual(files, []);
  assert.deepEqual(told, ["bad: Export failed: older rows could not be loaded. Too many requests. (-1003)"]);
  await saveSheet(account, sheet);
  assert.equal(told.at(-1), "good: Saved 4 rows to trades-X.csv");
});

test("a table without pages is saved as shown, without a notice", async () => {
  await saveSheet(account, { name: "open", rows: () => [["A"], ["=1"]] });
  assert.deepEqual(await saved(), [["open.csv", "A\r\n'=1\r\n"]]);
  assert.deepEqual(told, []);
});
