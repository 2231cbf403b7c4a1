/**
 * Checks that docs/interface matches the program: the generated tables, examples against the response shapes, and a
 * computed signature.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ERROR_KINDS, findEndpoint, isApiError, METHODS, parseRequest } from "@pricetime/protocol";
import { DEMO_ACCOUNTS } from "@pricetime/server/demo";
import { sign } from "@pricetime/testkit/client";
import { allEndpoints, sectionOf } from "../../scripts/interface/endpoint-tables.ts";
import { errorTable, unusedCodes } from "../../scripts/interface/error-tables.ts";
import { filled, tablesIn } from "../../scripts/interface/fill.ts";
import { type Fields, misfits } from "../conformance/shape.ts";
import * as shapes from "../conformance/shapes.ts";
import * as streamShapes from "../conformance/stream-shapes.ts";
import { filesOf, headingsOf } from "./documents.ts";

const documents = filesOf(".md").filter(({ path }) => path.startsWith("docs/interface/"));
const textOf = (name: string): string => documents.find(({ path }) => path.endsWith(`/${name}`))?.text ?? "";

test("tables are as the program has it: npm run interface-tables", () => {
  assert.ok(documents.length > 15);
  const settings = filesOf(".md").filter(({ path }) => path === "docs/operate/settings.md");
  for (const { path, text } of [...documents, ...settings]) assert.equal(text, filled(text), `${path} is out of date`);
});

test("the check of tables finds what it looks for", () => {
  const good = filled("[table: bans]: #\n[end of table]: #");
  assert.equal(filled(good), good);
  assert.equal(filled(good.replace("2 minutes", "3 minutes")), good);
  assert.throws(() => filled("[table: nothing]: #\n[end of table]: #"));
  assert.throws(() => filled("[table: endpoint no.such]: #\n[end of table]: #"));
});

test("every endpoint has its table, once, in its section; every mark is closed", () => {
  const tables = documents.flatMap(({ path, text }) => tablesIn(text).map((table) => ({ path, table })));
  const marks = documents.reduce((sum, { text }) => sum + (text.match(/^\[table: /gm) ?? []).length, 0);
  assert.equal(tables.length, marks);
  for (const endpoint of allEndpoints()) {
    const places = tables.filter(({ table }) => table === `endpoint ${endpoint.id}`).map(({ path }) => path);
    const chapter = sectionOf(endpoint) === "11.4" ? "11" : sectionOf(endpoint).replace(".", "-");
    assert.equal(places.length, 1, `${endpoint.id} has ${places.length} tables`);
    assert.match(places[0] ?? "", new RegExp(`/${chapter}-`), endpoint.id);
  }
  assert.ok(METHODS.length > 30);
});

test("every code is told of, with its texts or as one that is never sent", () => {
  const told = `${errorTable("api")}\n${errorTable("wallet")}`;
  for (const { code } of ERROR_KINDS) {
    const count = [told.includes(`| ${code} |`), unusedCodes().includes(`${code} (`)].filter(Boolean).length;
    assert.equal(count, 1, `${code}`);
  }
});

test("a number stands over one section, and a file has one title", () => {
  const numbers = documents.flatMap(({ text }) =>
    headingsOf(text).flatMap((heading) => /^(?:S|\d+)(?:\.\d+)?(?= )/.exec(heading) ?? []),
  );
  assert.deepEqual([...new Set(numbers)], numbers);
  for (const { path, text } of documents) assert.equal((text.match(/^# /gm) ?? []).length, 1, path);
});

const EXAMPLE = /(?:\[shape: (?<shape>\w+)\]: #\n\n)?```json\n(?<json>[\s\S]*?)\n```/g;
const SHAPES: Readonly<Record<string, unknown>> = { ...shapes, ...streamShapes };

test("examples are JSON, and have the shapes that the program is held to", () => {
  const seen = new Set<string>();
  for (const { path, text } of documents) {
    for (const { groups } of text.matchAll(EXAMPLE)) {
      const { shape, json = "" } = groups ?? {};
      const value = JSON.parse(json) as unknown;
      if (shape === undefined) continue;
      assert.ok(Object.hasOwn(SHAPES, shape), `${path}: no shape is called ${shape}`);
      assert.deepEqual(misfits(value, SHAPES[shape] as Fields), [], path);
      seen.add(shape);
    }
    const marks = text.match(/^\[shape: /gm) ?? [];
    assert.equal(
      [...text.matchAll(EXAMPLE)].filter(({ groups }) => groups?.shape !== undefined).length,
      marks.length,
      path,
    );
  }
  const kept = Object.keys(streamShapes).filter((name) => !seen.has(name));
  assert.deepEqual(kept, [], "shapes of streams without an example");
  assert.ok(seen.size > 25);
});

test("the example of signing comes out, and is what the program reads", () => {
  const text = textOf("5-authentication.md");
  const [alice] = DEMO_ACCOUNTS;
  assert.ok(alice !== undefined && text.includes(`\`${alice.apiKey}\``) && text.includes(`\`${alice.secretKey}\``));
  const block = (mark: string): string[] =>
    [...text.matchAll(new RegExp(String.raw`\[${mark}\]: #\n\n\`\`\`\n(.*)\n\`\`\``, "g"))].map(
      ([, content = ""]) => content,
    );
  const [signed, signatures] = [block("signed"), block("signature")];
  assert.equal(signed.length, 2);
  const hmac = (payload: string): string => sign(alice.secretKey, payload);
  assert.deepEqual(signed.map(hmac), signatures);

  const endpoint = findEndpoint("POST", "/api/v3/order");
  assert.ok(typeof endpoint !== "string");
  const [form = "", joined = ""] = signed;
  const [query = "", rest = ""] = joined.split(/(?<=GTC)/);
  for (const [sentQuery, sentBody, expected] of [
    ["", `${form}&signature=${signatures[0]}`, form],
    [query, `${rest}&signature=${signatures[1]}`, joined],
  ] as const) {
    const parsed = parseRequest(endpoint, sentQuery, sentBody);
    assert.ok(!isApiError(parsed));
    assert.equal(parsed.payload, expected);
  }
});
