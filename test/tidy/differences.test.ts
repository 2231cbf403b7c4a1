/**
 * Checks that docs/guides/differences-from-binance-today.md is current: everything that it lists as missing must still
 * be missing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findEndpoint } from "@pricetime/protocol";
import { isAllMarkets, readStreamName } from "@pricetime/server/readers";
import { allEndpoints } from "../../scripts/interface/endpoint-tables.ts";
import { filesOf } from "./documents.ts";

const guide = filesOf(".md").find(({ path }) => path === "docs/guides/differences-from-binance-today.md")?.text ?? "";

/** The cells of the table below a heading. */
function rowsUnder(heading: string): string[][] {
  const [, behind = ""] = guide.split(`\n## ${heading}\n`);
  const [, ...rows] = (behind.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) =>
    row
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

/** Parses `PUT order/x`, `order/y`: the second request has the method of the first. */
function requestsIn(cell: string): [method: string, path: string][] {
  let method = "GET";
  return [...cell.matchAll(/`(?:(GET|POST|PUT|DELETE) )?([\w/]+)`/g)].map(([, named, path = ""]) => {
    method = named ?? method;
    return [method, path.startsWith("/") ? path : `/api/v3/${path}`];
  });
}

test("what it says is missing is missing, and the streams that it has are there", () => {
  const endpoints = rowsUnder("Endpoints").flatMap(([cell = "", here = ""]) =>
    requestsIn(cell).map(([method, path]) => ({ method, path, isMissing: /^no\b/.test(here) })),
  );
  assert.ok(endpoints.filter(({ isMissing }) => isMissing).length > 2);
  for (const { method, path, isMissing } of endpoints) {
    if (isMissing) assert.equal(findEndpoint(method, path), "unknown", `${method} ${path}`);
  }
  const streams = rowsUnder("Streams").flatMap(([cell = "", here = ""]) =>
    [...cell.matchAll(/`(<symbol>@[^`]+|![^`]+)`/g)].map(([, name = ""]) => ({ name, here })),
  );
  assert.ok(streams.length > 2);
  for (const { name, here } of streams) {
    const isThere = isAllMarkets(name) || readStreamName(name.replace("<symbol>", "btcusdt")) !== null;
    assert.equal(isThere, here === "yes", name);
  }
});

test("parameters that it says are missing are missing", () => {
  const known = new Set(allEndpoints().flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const missing = rowsUnder("Parameters").filter(([, , here]) => here === "no");
  for (const [cell = ""] of missing) {
    for (const [, name = ""] of cell.matchAll(/`(\w+)`/g)) assert.ok(!known.has(name), name);
  }
});
