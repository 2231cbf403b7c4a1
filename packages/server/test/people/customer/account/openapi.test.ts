/** The account API's OpenAPI document, compared with a node's answers and with the operators' page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ACCOUNT_ROUTES } from "../../../../src/people/customer/account-api.ts";
import { AccountVenue, type Browser, type PageAnswer } from "../account-venue.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters: readonly { readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: object } } };
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const venue = await AccountVenue.start();
const fetched = await fetch(`${venue.origin}/account/v1/openapi.json`);
const document = (await fetched.json()) as Document;
const base = document.servers[0]?.url ?? "";
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const asked = (path: string): string => `${base}${path.replaceAll(/\{\w+\}/g, "1")}`;
/** Whether a path also matches a template. */
const isAt = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/{}]+")}$`).test(path);
const send = (browser: Browser, method: string, path: string, body?: object): Promise<PageAnswer> =>
  browser.send(method, path, body === undefined ? undefined : JSON.stringify(body));

test("it is a valid, public OpenAPI 3.1 document", async () => {
  assert.equal(fetched.status, 200);
  assert.match(fetched.headers.get("content-type") ?? "", /^application\/json/);
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert.equal(valid, true, JSON.stringify(errors)?.slice(0, 2000));
  assert.equal((await venue.browser().send("POST", "/account/v1/openapi.json")).status, 404);
});

test("every route is in the document, with a description and a unique operation id", () => {
  for (const { method, pattern: path, summary } of ACCOUNT_ROUTES) {
    const operation = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    assert.equal(operation?.summary, summary, `${method} ${path}`);
    assert.match(summary, /^[A-Z].*\.$/, `${method} ${path}`);
  }
  assert.equal(operations.length, ACCOUNT_ROUTES.length);
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
});

test("the node serves exactly the documented methods, and 401 where a session is needed", async () => {
  for (const path of Object.keys(document.paths)) {
    for (const method of METHODS) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const answer = await send(venue.browser(), method, asked(path), method === "GET" ? undefined : {});
      const what = `${method} ${path}: ${answer.text}`;
      // `/sessions/close-others` may be a session's path, too.
      const isOther = operations.some((one) => one.method === method && isAt(one.path, path));
      if (operation === undefined && isOther) continue;
      if (operation === undefined) assert.equal(answer.json.error, "METHOD_NOT_ALLOWED", what);
      else if (operation.security === undefined) assert.equal(answer.json.error, "NO_SESSION", what);
      else assert.ok(!["NO_SESSION", "METHOD_NOT_ALLOWED", "NOT_FOUND"].includes(answer.json?.error), what);
    }
  }
});

test("parameters are accepted only where the document puts them", async () => {
  const browser = await venue.customer("a@example.com");
  // The session ends with the last one.
  const isLast = ({ path }: { path: string }): number => Number(path === "/sign-out");
  for (const { method, path, operation } of operations.toSorted((a, b) => isLast(a) - isLast(b))) {
    const hasQuery = operation.parameters.some((parameter) => parameter.in === "query");
    const hasBody = operation.requestBody !== undefined;
    const answer = await (method === "GET"
      ? send(browser, method, `${asked(path)}?surely=unknown`)
      : send(browser, method, asked(path), { surely: "unknown" }));
    const isRefused = answer.json?.error === "BAD_REQUEST";
    assert.equal(isRefused, hasQuery || hasBody, `${method} ${path}: ${answer.text}`);
  }
});

test("body schemas are complete: each required field is enforced, and unknown fields are rejected", async () => {
  const browser = await venue.customer("b@example.com");
  let missed = 0;
  for (const { method, path, operation } of operations) {
    const schema = operation.requestBody?.content["application/json"].schema as
      | { readonly properties: Readonly<Record<string, object>>; readonly required?: readonly string[] }
      | undefined;
    if (schema === undefined) continue;
    for (const [name, field] of Object.entries(schema.properties)) {
      assert.notDeepEqual(Object.keys(field), [], `${method} ${path}: ${name}`);
    }
    const { required = [] } = schema;
    const answer = await send(browser, method, asked(path), {});
    assert.equal(answer.json.error === "BAD_REQUEST", required.length > 0, `${method} ${path}: ${answer.text}`);
    if (required.length === 0) continue;
    assert.match(answer.json.message, new RegExp(`: ${required[0]}: `), `${method} ${path}`);
    missed++;
  }
  assert.ok(missed > 10);
});

test("the operators' page lists the same requests", () => {
  const page = readFileSync(new URL("../../../../../../docs/operate/accounts.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/`(GET|POST|PUT|DELETE) ([a-z][^`?]*)(?:\?[^`]*)?`/g)].map(
    ([, method, path = ""]) => `${method} /${path.replaceAll(/\{\w+\}/g, "{}")}`,
  );
  const wanted = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  assert.deepEqual(
    wanted.filter((one) => !listed.includes(one)),
    [],
  );
});
