/** The admin API's OpenAPI document: it has every route, and its body schemas are enforced. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { adminDocument } from "../../../src/people/admin/openapi.ts";
import { adminRoutes } from "../../../src/people/admin/server.ts";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import { AdminSite } from "../../../src/api/web/sites.ts";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { converse } from "../../api/edge/raw-socket.ts";
import { referencesOf } from "../../api/web/links.ts";
import { type RunningAdmin, startAdmin } from "./running.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: object } } };
  readonly responses: object;
}
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let admin: RunningAdmin;
let document: Document;
before(async () => {
  admin = await startAdmin({ web: new AdminSite("1.2.3", new PageStore()) });
  const answer = await fetch(`${admin.url}/openapi.json`);
  assert.equal(answer.status, 200);
  document = (await answer.json()) as Document;
});
after(() => admin.close());

const routes = adminRoutes({} as AdminNode);

test("it is a valid document of OpenAPI 3.1, with the program's version", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as object as Record<string, unknown>,
  );
  assert.equal(valid, true, JSON.stringify(errors)?.slice(0, 2000));
  assert.equal(document.info.version, "1.2.3");
});

test("every route is in the document, with a description and a unique operation id", () => {
  assert.ok(routes.length > 50, "the routes were not found");
  for (const { method, pattern, summary, body, status = 200 } of routes) {
    const path = pattern.replaceAll(/:(\w+)/g, "{$1}");
    const operation = document.paths[path]?.[method.toLowerCase()];
    assert.ok(operation !== undefined, `${method} ${path}`);
    assert.equal(operation.summary, summary);
    assert.match(summary, /^[A-Z].*\.$/, `${method} ${path}`);
    assert.equal(operation.requestBody !== undefined, body !== undefined, `${method} ${path}`);
    assert.ok(String(status) in operation.responses);
  }
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, routes.length + ["healthz", "readyz", "metrics"].length);
});

test("every route rejects a body that does not match its schema", async () => {
  for (const { method, pattern, body } of routes) {
    if (body === undefined) continue;
    const path = pattern.replaceAll(/:\w+/g, "1");
    const answer = await admin.call(method, path, { surely: "unknown" });
    assert.equal(answer.status, 400, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body["error"], "BAD_REQUEST", `${method} ${path}`);
  }
});

test("every body schema can be written to the document, without open parts", () => {
  const open: string[] = [];
  const look = (schema: unknown, where: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if (!Array.isArray(schema) && Object.keys(schema).length === 0) open.push(where);
    for (const [key, inner] of Object.entries(schema)) if (key !== "default") look(inner, `${where}.${key}`);
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(item)) {
      if (requestBody !== undefined) look(requestBody.content["application/json"].schema, `${method} ${path}`);
    }
  }
  assert.deepEqual(open, []);
});

test("the page and its files are served without a token, under the node's own names only", async () => {
  const page = await fetch(`${admin.url}/docs`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/);
  for (const path of referencesOf(await page.text()).loaded) {
    assert.equal((await fetch(admin.url + path)).status, 200, path);
  }
  assert.equal((await fetch(`${admin.url}/v1/accounts`)).status, 401);
  assert.equal((await fetch(`${admin.url}/docs`, { method: "POST" })).status, 401);
  // A browser at the root gets the console, or the reference without one; a program gets 401.
  const root = await fetch(`${admin.url}/`, { headers: { accept: "text/html,*/*" } });
  assert.match(await root.text(), /Admin API|<title>Console/);
  assert.equal((await fetch(`${admin.url}/`, { headers: { accept: "application/json" } })).status, 401);
  for (const path of ["/docs", "/openapi.json", "/assets/style.css"]) {
    const sent = `GET ${path} HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n`;
    assert.equal((await converse(Number(new URL(admin.url).port), sent)).answers[0]?.status, 403, path);
  }
});

test("a document can be generated from any routes", () => {
  const made = adminDocument(
    [{ method: "GET", pattern: "/v1/a/:b", needs: "view", summary: "It.", handle: () => ({ status: 200, body: 1 }) }],
    "9",
  );
  assert.ok("/v1/a/{b}" in (made as Document).paths);
});
