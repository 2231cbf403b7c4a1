/** The document describes every endpoint as the table does, and its patterns and references are valid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ENDPOINTS, isSigned, METHODS, openApiDocument, VENUE_INTERFACES } from "@pricetime/protocol";

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: {
    readonly type: string;
    readonly pattern?: string;
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
  };
}
interface Operation {
  readonly operationId: string;
  readonly "x-weight"?: number;
  readonly "x-websocket-method"?: string;
  readonly parameters: readonly ParameterObject[];
  readonly responses: object;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const text = JSON.stringify(openApiDocument());
const { openapi, paths } = JSON.parse(text) as Document;
const operations = Object.values(paths).flatMap((item) => Object.values(item));

test("it is a valid OpenAPI 3.1 document with the given version", async () => {
  const document = openApiDocument("1.2.3") as {
    readonly info: { readonly version: string; readonly description: string };
  };
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.equal(valid, true, JSON.stringify(errors)?.slice(0, 2000));
  assert.equal(document.info.version, "1.2.3");
  for (const said of ["/ws-api/v3", "`userDataStream.subscribe`", "@depth@100ms", "X-MBX-APIKEY"]) {
    assert.ok(document.info.description.includes(said), said);
  }
});

test("the document has every path and method with its parameters", () => {
  assert.equal(openapi, "3.1.0");
  for (const { paths: own, method, parameters, security, id } of ENDPOINTS) {
    for (const path of own) {
      const operation = paths[path]?.[method.toLowerCase()];
      assert.ok(operation !== undefined, path);
      const names = operation.parameters.map(({ name }) => name);
      const expected = parameters.map(({ name }) => name);
      if (isSigned(security)) expected.push("recvWindow", "timestamp", "signature");
      assert.deepEqual(names, expected, id);
    }
  }
  assert.equal(
    operations.length,
    ENDPOINTS.reduce((count, { paths: own }) => count + own.length, 0),
  );
});

test("every answer has an example, except those that are always empty or rejected", () => {
  const bare = new Set<string>();
  for (const { id, paths: own, method } of ENDPOINTS) {
    const { responses } = paths[own[0] ?? ""]?.[method.toLowerCase()] ?? {};
    const { content } = (responses as { "200": { content: { "application/json": object } } })["200"];
    if (!("example" in content["application/json"])) bare.add(id);
  }
  const rejected = ["wapi.dustLog"];
  assert.deepEqual([...bare].toSorted(), ["futures.exchangeInfo", ...rejected].toSorted());
});

test("methods of the WebSocket API are marked", () => {
  const named = operations.map((operation) => operation["x-websocket-method"]).filter((id) => id !== undefined);
  const ids = METHODS.filter(({ paths: own }) => own.length > 0).map(({ id }) => id);
  assert.deepEqual([...new Set(named)].toSorted(), ids.toSorted());
});

test("the document of today has today's paths, weights and limits; that of 2019 has those of 2019", () => {
  const today = JSON.stringify(openApiDocument("1", VENUE_INTERFACES.today));
  for (const retired of ["isten key", '"/wapi/', '"/api/v1/', "Wallet of 2019", "!bookTicker", '"limit":1200}']) {
    assert.ok(text.includes(retired) && !today.includes(retired), retired);
  }
  for (const named of ["<interval>@+08:00", "ticker_1h", "@avgPrice", "@referencePrice", "RSA", "OTOCO"]) {
    assert.ok(text.includes(named) && today.includes(named), named);
  }
  const { paths: todays } = JSON.parse(today) as Document;
  const weights = (of: Document["paths"]): unknown[] =>
    ["account", "exchangeInfo", "trades", "order"].map((name) => of[`/api/v3/${name}`]?.["get"]?.["x-weight"]);
  assert.deepEqual(weights(paths), [5, 1, 1, 1]);
  assert.deepEqual(weights(todays), [20, 20, 25, 4]);
});

test("operation ids are unique, and references are valid", () => {
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  const document = JSON.parse(text) as Record<string, unknown>;
  for (const [, reference = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = reference
      .split("/")
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    assert.ok(target !== undefined, reference);
  }
});

test("patterns are valid in JSON Schema, and defaults are among the allowed values", () => {
  for (const { schema, name } of operations.flatMap(({ parameters }) => parameters)) {
    if (schema.pattern !== undefined) assert.doesNotThrow(() => new RegExp(schema.pattern ?? "", "u"), name);
    if (schema.enum !== undefined && schema.default !== undefined)
      assert.ok(schema.enum.includes(schema.default), name);
  }
  assert.match("BTC-USDT_1.X", new RegExp(paths["/api/v3/depth"]?.["get"]?.parameters[0]?.schema.pattern ?? "", "u"));
});
