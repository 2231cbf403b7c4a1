/**
 * The console offers every operation of the admin API: compares the document of a real node with the table of routes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { buttonsOn, PAGES, ROUTES, SUBJECTS } from "../../src/console/routes.ts";
import { type OpenApi, type Operation, operationsOf } from "../../src/console/openapi.ts";
import { consoleButtons, consolePages } from "../../src/words/words.ts";

let node: Exchange;
let operations: ReadonlyMap<string, Operation>;
before(async () => {
  node = await startExchange({ args: ["--bots", "off", "--lab"], isTemporary: true });
  operations = operationsOf((await (await fetch(`${node.admin}/openapi.json`)).json()) as OpenApi);
});
after(() => node.stop());

/** A lab's terminal has these. */
const isOfLab = (key: string): boolean => key.includes(" /v1/lab/");

test("no operation of the admin API is missing in the console", () => {
  assert.ok([...operations.keys()].some(isOfLab), "the node is a lab");
  const missing = [...operations.keys()].filter((key) => !isOfLab(key) && ROUTES[key] === undefined);
  assert.deepEqual(missing, []);
});

test("the console has no route that the admin API does not have", () => {
  assert.deepEqual(
    Object.keys(ROUTES).filter((key) => !operations.has(key)),
    [],
  );
});

test("after an action that ends a withdrawal, the console shows the list", () => {
  assert.deepEqual(
    Object.keys(ROUTES).filter((key) => ROUTES[key]?.endsSubject === true),
    ["reject", "cancel", "complete", "fail"].map((step) => `POST /v1/withdrawals/{withdrawal}/${step}`),
  );
});

/** Whether the page requests it by itself or has its own form for it. */
const hasNoButton = (key: string): boolean => ["read", "own", undefined].includes(ROUTES[key]?.how);

test("each route that changes something has a button, and routes that only read have none", () => {
  for (const [key, { how }] of Object.entries(ROUTES)) {
    const isTrying = key.endsWith("/preview");
    assert.equal(how === "act" || how === "own", !key.startsWith("GET ") || isTrying, key);
  }
  for (const key of Object.keys(ROUTES)) {
    if (!hasNoButton(key)) assert.ok((consoleButtons[key] ?? "") !== "", `${key} has no name`);
  }
  assert.deepEqual(
    Object.keys(consoleButtons).filter((key) => hasNoButton(key)),
    [],
  );
});

test("the buttons of a page have different labels, and each destructive action asks twice", () => {
  for (const page of PAGES) {
    assert.ok(consolePages[page].length > 0);
    const names = (["list", "one"] as const).flatMap((on) => buttonsOn(page, on)).map((key) => consoleButtons[key]);
    assert.equal(new Set(names).size, names.length, page);
  }
  for (const [key, place] of Object.entries(ROUTES)) {
    if (place.isDestructive === true || key.startsWith("DELETE ")) assert.ok(place.confirm !== undefined, key);
    if (place.on === "one") assert.ok(SUBJECTS[place.page] !== undefined, key);
  }
});
