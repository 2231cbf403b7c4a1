/** Forms derived from schemas: their initial values, what they send, and the errors that they find. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, operate, startExchange, tryToOperate } from "@pricetime/testkit/venue";
import { changesOf, differencesOf } from "../../src/console/forms/differences.ts";
import { bodyNow, firstDraft, readyOf } from "../../src/console/forms/draft.ts";
import { subjectsOf, subjectsOfCommand } from "../../src/console/forms/subjects.ts";
import { shapeOf } from "../../src/console/forms/schema.ts";
import { ROUTES } from "../../src/console/routes.ts";
import { consoleForms } from "../../src/words/words.ts";
import { type Json, type OpenApi, type Operation, operationsOf, type Schema } from "../../src/console/openapi.ts";

let node: Exchange;
let operations: ReadonlyMap<string, Operation>;
before(async () => {
  node = await startExchange({ args: ["--bots", "off"] });
  operations = operationsOf((await (await fetch(`${node.admin}/openapi.json`)).json()) as OpenApi);
});
after(() => node.stop());

const of = (key: string): Operation => operations.get(key) ?? assert.fail(`no ${key}`);

function schemasIn(schema: Schema): Schema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.oneOf ?? [])];
  if (schema.items !== undefined) inner.push(schema.items);
  return [schema, ...inner.flatMap(schemasIn)];
}

test("every schema of the admin API has a form, and only candles and arbitrary actions are typed as JSON", () => {
  const asJson: string[] = [];
  let count = 0;
  for (const { key, body } of operations.values()) {
    for (const schema of body === null ? [] : schemasIn(body)) {
      count++;
      if (shapeOf(schema) === "json") asJson.push(key);
    }
  }
  assert.ok(count > 100, String(count));
  // The sign-in page computes the proof of work by itself.
  const others = ["POST /v1/approval-requests", "PUT /v1/approval-requests/{request}", "POST /v1/sign-in"];
  assert.deepEqual(
    [...new Set(asJson)].toSorted(),
    [...others, "POST /v1/symbols/{symbol}/backfilled-candles"].toSorted(),
  );
});

test("fields have nouns as labels, and no two fields of a form have the same label", () => {
  for (const { key, parameters, body } of operations.values()) {
    const asked = parameters.filter(({ name }) => name !== "format").map(({ name }) => name);
    const groups = (body === null ? [] : schemasIn(body)).map(({ properties = {} }) => Object.keys(properties));
    for (const names of [asked, ...groups]) {
      const labels = names.map(consoleForms.fieldName);
      for (const label of labels) assert.doesNotMatch(label, /^(?:can|has|how|is|why)\b/i, key);
      assert.equal(new Set(labels).size, labels.length, `${key}: ${labels.join(", ")}`);
    }
  }
});

test("an unchanged form sends the current values: filters, networks, rules, rights", async () => {
  const pairs: readonly (readonly [key: string, read: string, given: Record<string, string>, part?: string])[] = [
    ["PUT /v1/symbols/{symbol}/filters", "/v1/symbols/BTCUSDT", { symbol: "BTCUSDT" }, "filters"],
    ["PUT /v1/assets/{asset}/networks", "/v1/assets/BTC", { asset: "BTC" }, "networks"],
    ["PUT /v1/dust-rules", "/v1/dust-rules", {}],
    ["PUT /v1/exchange-filters", "/v1/exchange-filters", {}],
  ];
  for (const [key, read, given, part] of pairs) {
    const whole = await operate<Record<string, Json>>(node, "GET", read);
    const now = part === undefined ? whole : whole[part];
    const openForm = { key, given, now };
    const operation = of(key);
    const ready = readyOf(operation, openForm, firstDraft(operation, openForm));
    assert.deepEqual(ready.faults, [], key);
    assert.deepEqual(differencesOf(bodyNow(operation, openForm), ready.whole), [], key);
    await operate(node, "PUT", ready.path, ready.sent.body as object);
    const after = await operate<Record<string, Json>>(node, "GET", read);
    assert.deepEqual(after, whole, key);
  }
});

test("only the changed fields of an account are sent", async () => {
  const key = "PATCH /v1/accounts/{account}";
  const now = await operate<Record<string, Json>>(node, "GET", "/v1/accounts/alice@demo.pricetime");
  const openForm = { key, given: { account: "alice@demo.pricetime" }, now };
  const operation = of(key);
  const first = firstDraft(operation, openForm);
  const draft = { ...first, body: { ...(first.body as Record<string, Json>), takerBps: "7", canTrade: false } };
  const ready = readyOf(operation, openForm, draft);
  assert.deepEqual(ready.sent.body, { takerBps: 7, canTrade: false });
  assert.equal(ready.path, "/v1/accounts/alice%40demo.pricetime");
  assert.deepEqual(differencesOf(bodyNow(operation, openForm), ready.whole), [
    { at: "takerBps", before: "10", after: "7" },
    { at: "canTrade", before: "true", after: "false" },
  ]);
});

test("values that the node would reject are reported at their field before sending, and valid ones are not", async () => {
  const key = "POST /v1/accounts";
  const operation = of(key);
  const openForm = { key, given: {} };
  const faults = (body: Json): string[] =>
    readyOf(operation, openForm, { ...firstDraft(operation, openForm), body }).faults.map(({ at }) => at);
  const bodies: readonly (readonly [body: Json, at: string[]])[] = [
    [{ email: "", name: "" }, ["email", "name"]],
    [{ email: "no mail", name: "x" }, ["email"]],
    [{ email: "x@example.com", name: "x", makerBps: "1.5" }, ["makerBps"]],
    [{ email: "x@example.com", name: "x", makerBps: "10001" }, ["makerBps"]],
    [{ email: "x@example.com", name: "x".repeat(257) }, ["name"]],
    [{ email: "x@example.com", name: "x", makerBps: "5" }, []],
  ];
  for (const [body, at] of bodies) {
    assert.deepEqual(faults(body), at, JSON.stringify(body));
    const { sent } = readyOf(operation, openForm, { ...firstDraft(operation, openForm), body });
    const { status } = await tryToOperate(node, "POST", "/v1/accounts", sent.body);
    assert.equal(status, at.length === 0 ? 201 : 400, JSON.stringify(body));
  }
});

test("one of several kinds of a body is selected by its constant", () => {
  const key = "POST /v1/networks/{network}/sandbox/fault";
  const operation = of(key);
  const openForm = { key, given: { network: "BTC" } };
  const first = firstDraft(operation, openForm);
  assert.deepEqual(first.body, { kind: "revert" });
  const ready = readyOf(operation, openForm, { ...first, body: { kind: "unreachable", durationMs: "500" } });
  assert.deepEqual([ready.sent.body, ready.faults], [{ kind: "unreachable", durationMs: 500 }, []]);
  const without = readyOf(operation, openForm, { ...first, body: { kind: "unreachable", durationMs: "" } });
  assert.deepEqual(
    without.faults.map(({ at }) => at),
    ["durationMs"],
  );
});

test("differences have their path and both values, and list elements are identified by name", () => {
  const before = {
    a: { b: "1", c: "2" },
    list: ["x", "y"],
    networks: [
      { network: "A", fee: "1" },
      { network: "B", fee: "2" },
    ],
  };
  const after = { a: { b: "1" }, list: ["x"], networks: [{ network: "B", fee: "3" }], d: true };
  assert.deepEqual(differencesOf(before, after), [
    { at: "a.c", before: "2", after: null },
    { at: "list", before: "x, y", after: "x" },
    { at: "networks.A.network", before: "A", after: null },
    { at: "networks.A.fee", before: "1", after: null },
    { at: "networks.B.fee", before: "2", after: "3" },
    { at: "d", before: null, after: "true" },
  ]);
  assert.deepEqual(differencesOf({ above: [] }, { above: [{ asset: "EUR", amount: "5" }] }), [
    { at: "above.EUR.asset", before: null, after: "EUR" },
    { at: "above.EUR.amount", before: null, after: "5" },
  ]);
  assert.deepEqual(changesOf({ a: 1, b: [1] }, { a: 1, b: [2], c: "x" }), { b: [2], c: "x" });
});

test("a confirmation shows the objects of path and body that the node can describe", () => {
  const shown = (key: string, path: Record<string, string>, body?: Json) =>
    subjectsOf(of(key), path, body, operations).map((one) => [one.kind, one.path ?? one.value]);
  const withdrawal = "0f/1";
  assert.deepEqual(shown("POST /v1/withdrawals/{withdrawal}/approve", { withdrawal }), [
    ["withdrawal", "/v1/withdrawals/0f%2F1"],
  ]);
  assert.deepEqual(shown("POST /v1/deposits", {}, { account: 105, asset: "EUR", amount: "70" }), [
    ["account", "/v1/accounts/105"],
  ]);
  assert.deepEqual(shown("PUT /v1/accounts/{account}/fees/{symbol}", { account: "100", symbol: "" }, {}), [
    ["account", "/v1/accounts/100"],
  ]);
  // The node does not describe a single network.
  assert.deepEqual(shown("POST /v1/networks/{network}/sweep", { network: "ETH" }, { account: "a@b.c", asset: "ETH" }), [
    ["network", "ETH"],
    ["account", "/v1/accounts/a%40b.c"],
  ]);
  const command = { accountId: 100, withdrawalId: "07", why: "x" };
  assert.deepEqual(
    subjectsOfCommand(command, operations).map(({ path }) => path),
    ["/v1/accounts/100", "/v1/withdrawals/07"],
  );
});

test("few objects have no description, and their page or their own name identifies them", () => {
  const plain = new Set<string>();
  for (const [key, { confirm }] of Object.entries(ROUTES)) {
    const operation = operations.get(key);
    if (confirm === undefined || operation === undefined) continue;
    const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    const path = Object.fromEntries(names.map((name) => [name, "7"]));
    for (const one of subjectsOf(operation, path, undefined, operations)) if (one.path === null) plain.add(one.kind);
  }
  assert.deepEqual([...plain].toSorted(), ["apiKey", "invitation", "network", "operator", "order", "scope", "seq"]);
});
