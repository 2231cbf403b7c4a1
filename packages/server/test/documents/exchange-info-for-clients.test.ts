/** Checks the guide's tables of what clients require of exchangeInfo against the answer, for every version of the path. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SELF_TRADE_PREVENTION_MODES } from "@pricetime/engine";
import { TestVenue } from "@pricetime/testkit/gateway-venue";

const GUIDE = new URL("../../../../docs/guides/exchange-info-for-clients.md", import.meta.url);

interface Row {
  readonly client: string;
  readonly path: string;
  readonly requirement: string;
}

function rowsOf(text: string): Row[] {
  let client = "";
  return text.split("\n").flatMap((line) => {
    client = /^## (.*)/.exec(line)?.[1] ?? client;
    const [, path, requirement] = /^\| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
    return path === undefined || requirement === undefined ? [] : [{ client, path, requirement }];
  });
}

/** All values at a path. A step that is missing gives undefined, which meets no requirement. */
function valuesAt(value: unknown, steps: readonly string[]): unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  if (step === "[]") return (value as unknown[]).flatMap((one) => valuesAt(one, rest));
  if (Array.isArray(value)) {
    const found = value.find((one: { filterType: string }) => one.filterType === step);
    return found === undefined ? [undefined] : valuesAt(found, rest);
  }
  return valuesAt((value as Record<string, unknown> | undefined)?.[step], rest);
}

const WORDS = /`([^`]+)`/g;
const wordsIn = (requirement: string): string[] => [...requirement.matchAll(WORDS)].map(([, word]) => word ?? "");

function isMet(value: unknown, requirement: string): boolean {
  if (requirement === "string") return typeof value === "string" && value !== "";
  if (requirement === "integer") return Number.isSafeInteger(value);
  if (requirement === "boolean") return typeof value === "boolean";
  if (requirement === "array") return Array.isArray(value);
  if (requirement.startsWith("one of ")) return wordsIn(requirement).includes(String(value));
  assert.ok(requirement.startsWith("contains "), `the guide's requirement '${requirement}' is of an unknown kind`);
  return Array.isArray(value) && wordsIn(requirement).every((word) => value.includes(word));
}

test("every requirement of the guide's tables is met", async () => {
  const venue = new TestVenue();
  venue.act({
    ...{ type: "setExchangeFilters", by: "test" },
    filters: { maxNumOrders: { maxNumOrders: 1000 }, maxNumAlgoOrders: { maxNumAlgoOrders: 200 } },
  });
  const rows = rowsOf(readFileSync(GUIDE, "utf8"));
  assert.deepEqual(
    [...new Set(rows.map(({ client }) => client))],
    ["hummingbot", "nautilus_trader", "freqtrade (with ccxt)", "jesse"],
  );
  assert.ok(rows.length > 60);
  const rateLimits = [{ rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 10 }];
  for (const path of ["/api/v3/exchangeInfo", "/api/v1/exchangeInfo"]) {
    const { json } = await venue.public(path, { symbol: "BTCUSDT" });
    const info = { ...json, rateLimits: json.rateLimits.length > 0 ? json.rateLimits : rateLimits };
    for (const row of rows) {
      const steps = row.path.replaceAll("[]", ".[]").split(".");
      const values = valuesAt(info, steps);
      assert.ok(values.length > 0, `${row.client}: ${row.path}`);
      for (const value of values)
        assert.ok(isMet(value, row.requirement), `${row.client}: ${row.path} is ${String(value)}`);
    }
  }
});

test("permissionSets are left out when a request says so, for all symbols and for one", async () => {
  const venue = new TestVenue();
  for (const parameters of [{}, { symbol: "BTCUSDT" }]) {
    const shown = (await venue.public("/api/v3/exchangeInfo", parameters)).json.symbols[0];
    assert.deepEqual(shown.permissionSets, [["SPOT"]]);
    assert.equal(shown.defaultSelfTradePreventionMode, "NONE");
    assert.deepEqual(shown.allowedSelfTradePreventionModes, SELF_TRADE_PREVENTION_MODES);
    const hidden = await venue.public("/api/v3/exchangeInfo", { ...parameters, showPermissionSets: "false" });
    const { permissionSets, ...others } = shown;
    assert.deepEqual(hidden.json.symbols[0], others, String(permissionSets));
    assert.deepEqual((await venue.public("/api/v3/exchangeInfo", parameters)).json.symbols[0], shown);
  }
});
