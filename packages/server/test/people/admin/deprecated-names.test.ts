/** Deprecated names of release 0.2.0: routes, fields, keys of /readyz, metrics. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import {
  DEPRECATED_FIELDS,
  DEPRECATED_ROUTES,
  type DeprecatedRoute,
} from "../../../src/people/admin/deprecated-names.ts";
import { DEPRECATED_METRICS, Metrics } from "../../../src/platform/observe/metrics.ts";
import { Troubles } from "../../../src/platform/observe/health.ts";
import { TOKEN } from "./running.ts";
import { AdminVenue } from "./admin-venue.ts";

const logged: unknown[] = [];
let venue: AdminVenue;
beforeEach(async () => {
  logged.length = 0;
  const log = { info: (fields: unknown) => void logged.push(fields), error: () => {} } as never;
  venue = await AdminVenue.open({ log });
});
afterEach(() => venue.close());

async function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return fetch(venue.admin.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

const CANDLE = [0, "1", "1", "1", "1", "1", "1", 1, "1", "1"];

/** The path of a pattern, filled with an existing id or an unknown symbol. */
async function pathOf(pattern: string): Promise<[path: string, body?: object]> {
  if (pattern.includes(":email")) {
    const id = venue.admin.mail.post({ to: "a@example.com", subject: "Hello", text: "Hello." });
    return [pattern.replace(":email", id)];
  }
  if (pattern.includes(":symbol")) return [pattern.replace(":symbol", "NONE"), { interval: "1d", candles: [CANDLE] }];
  if (!pattern.includes(":withdrawal")) return [pattern];
  const id = await venue.withdraw("1", "HAND");
  return [pattern.replace(":withdrawal", id), { txId: "paid-1" }];
}

const isLine = ({ method, pattern, now }: DeprecatedRoute, fields: unknown): boolean =>
  JSON.stringify(fields) === JSON.stringify({ method, path: pattern, use: now });

for (const route of DEPRECATED_ROUTES) {
  test(`${route.method} ${route.pattern} answers as ${route.now} does, with a deprecation header`, async () => {
    const [path, body] = await pathOf(route.pattern);
    const old = await ask(route.method, path, route.method === "GET" ? undefined : body);
    assert.equal(old.status, path.includes("NONE") ? 404 : 200, path);
    assert.equal(old.headers.get("deprecation"), "true");
    const text = await old.text();
    assert.equal(
      (await ask(route.method, path, route.method === "GET" ? undefined : body)).headers.get("deprecation"),
      "true",
      "rejections, too",
    );
    assert.equal(logged.filter((fields) => isLine(route, fields)).length, 1, "one line in the log");
    if (path.includes("NONE")) assert.match(text, /"UNKNOWN_SYMBOL"/);
    if (route.method !== "GET") return;
    const [, id = ""] = /\/v1\/mails\/(.+)$/.exec(path) ?? [];
    const now = await ask("GET", route.now.replace(":email", id).replace(":symbol", "NONE"));
    assert.equal(now.headers.get("deprecation"), null);
    assert.equal(await now.text(), text);
  });
}

test("a deprecated route uses the error codes of its release", async () => {
  const words = async (path: string): Promise<unknown> =>
    ((await (await ask("GET", path)).json()) as { error: string }).error;
  assert.deepEqual([await words("/v1/mails/none"), await words("/v1/emails/none")], ["UNKNOWN_MAIL", "UNKNOWN_EMAIL"]);
  assert.equal((await ask("POST", "/v1/mails/none")).status, 404, "only the methods of that release");
});

test("deprecated routes are not in the OpenAPI document", async () => {
  const { paths } = (await (await ask("GET", "/openapi.json")).json()) as { paths: Record<string, unknown> };
  for (const { pattern } of DEPRECATED_ROUTES) assert.ok(!(pattern.replaceAll(/:(\w+)/g, "{$1}") in paths), pattern);
});

test("answers have renamed fields under both names", async () => {
  venue.admin.mail.post({ to: "a@example.com", subject: "Hello", text: "Hello." });
  const [email] = await venue.rows("/v1/emails");
  const [network] = await venue.rows("/v1/networks");
  const account = await venue.wanted(200, "GET", "/v1/accounts/100");
  const shown = { emailId: [email], error: [email, network], confirmsByEmail: [account] };
  for (const [name, old] of Object.entries(DEPRECATED_FIELDS)) {
    for (const body of shown[name as keyof typeof DEPRECATED_FIELDS]) {
      assert.ok(body?.[name] !== undefined, name);
      assert.equal(body[old], body[name], old);
    }
  }
});

test("requests accept renamed fields by their old name", async () => {
  const changed = await venue.wanted(200, "PATCH", "/v1/accounts/100", { confirmsByMail: true });
  assert.equal(changed["confirmsByEmail"], true);
  const both = { confirmsByMail: true, confirmsByEmail: false };
  await venue.wanted(400, "PATCH", "/v1/accounts/100", both);
});

test("networks of an asset have the email confirmation under both names, and can be sent back", async () => {
  const network = { network: "NET", confirmsByMail: true };
  await venue.wanted(201, "POST", "/v1/assets", { asset: "NEW", name: "New", networks: [network] });
  const { networks = [] } = (await venue.wanted(200, "GET", "/v1/assets/NEW")) as {
    networks?: Record<string, unknown>[];
  };
  const [shown] = networks;
  assert.deepEqual([shown?.["confirmsByEmail"], shown?.["confirmsByMail"]], [true, true]);
  const changed = await venue.wanted(200, "PUT", "/v1/assets/NEW/networks", networks);
  assert.deepEqual(changed["networks"], networks);
  const both = [{ ...network, confirmsByEmail: false }];
  await venue.wanted(400, "PUT", "/v1/assets/NEW/networks", both);
});

test("/readyz names the outbox under both names", async () => {
  const troubles = new Troubles(() => {});
  troubles.noteOf("email")(new Error("disk full"));
  const { health } = venue.admin;
  Object.assign(health, { warnings: () => troubles.all });
  const { warnings } = await venue.wanted(200, "GET", "/readyz");
  assert.deepEqual(warnings, { email: "disk full", mail: "disk full" });
});

test("metrics have both names, and the old one names its replacement", async () => {
  const metrics = new Metrics();
  for (const name of DEPRECATED_METRICS.keys()) metrics.gauge(name, "Help.", () => 7);
  const text = await metrics.text();
  for (const [name, old] of DEPRECATED_METRICS) {
    assert.match(text, new RegExp(`^${name} 7$`, "m"));
    assert.match(text, new RegExp(`^# HELP ${old} Deprecated: use ${name}\\.$`, "m"));
    assert.match(text, new RegExp(`^${old} 7$`, "m"));
  }
});
