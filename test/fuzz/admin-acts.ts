/**
 * The admin API: every route from its document with bodies that its schemas allow and that they don't, and proposals of
 * acts that are anything, which a second operator approves at once.
 */
import assert from "node:assert/strict";
import { PROPOSABLE_ACTS } from "@pricetime/engine";
import { SAMPLES } from "@pricetime/testkit/samples";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { hostileJson, sentJson, spoilt } from "./json.ts";
import { operatorToken } from "./people.ts";
import { HOSTILE, oneIn, pick } from "./target.ts";

const AT_A_TIME = 4;
const NAMES = ["ann", "ben"] as const;
const HEX = "0123456789abcdef".repeat(2);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly schema: Schema | undefined;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: { readonly content: Readonly<Record<string, { schema?: Schema }>> } }>
      >
    >
  >;
}

interface Desk {
  readonly operations: readonly Operation[];
  readonly tokens: readonly string[];
}
const desks = new WeakMap<Exchange, Promise<Desk>>();

function deskOf(exchange: Exchange): Promise<Desk> {
  const known = desks.get(exchange);
  if (known !== undefined) return known;
  const opened = openDesk(exchange);
  desks.set(exchange, opened);
  return opened;
}

async function openDesk(exchange: Exchange): Promise<Desk> {
  const { paths } = await operate<Document & Record<string, unknown>>(exchange, "GET", "/openapi.json");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]): Operation => {
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      return { method: method.toUpperCase(), path, schema };
    }),
  );
  const tokens = [await operatorToken(exchange, NAMES[0]), await operatorToken(exchange, NAMES[1])];
  // Both stay: nobody ends the sessions by which the rest is sent.
  const isHarmless = ({ path, method }: Operation): boolean =>
    path.startsWith("/v1/") && !/sign-out|\/me\//.test(path) && !(method === "PATCH" && path.includes("operators"));
  return { operations: operations.filter(isHarmless), tokens };
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  asset: ["BTC", "USDT"],
  account: ["100", "101"],
  scope: ["placing", "withdrawals", "asset:BTC"],
  network: ["ETH", "BTC"],
  symbol: ["BTCUSDT"],
  amount: ["1", "0.5"],
  email: ["zed@fuzz.example"],
  why: ["a reason"],
  operator: ["zed", "nobody"],
  proposal: [HEX],
};

/** A value of the schema, as far as it says. */
function valueOf(random: Dice, schema: Schema, name = ""): unknown {
  if (oneIn(random, 15)) return hostileJson(random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return valueOf(random, pick(random, choices), name);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field) === true || oneIn(random, 2))
          .map(([field, inner]) => [field, valueOf(random, inner, field)]),
      );
    case "array":
      return Array.from({ length: random.below(3) }, () => valueOf(random, schema.items ?? {}, name));
    case "integer":
    case "number":
      return pick(random, [schema.minimum ?? 0, 1, 5, 100, Date.now() + 50]);
    case "boolean":
      return oneIn(random, 2);
    case "null":
      return null;
    default:
      return pick(random, TEXTS[name] ?? ["a", "1", "BTC", HEX, "text"]);
  }
}

function inPath(random: Dice, path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = oneIn(random, 6) ? pick(random, HOSTILE) : pick(random, TEXTS[name] ?? ["1", HEX]);
    return encodeURIComponent(value.toWellFormed());
  });
}

/** A sample of an act that may be proposed, or of one that may not, with a part of it made anything. */
function act(random: Dice): unknown {
  if (oneIn(random, 10)) return hostileJson(random);
  const types = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
  const type = oneIn(random, 12) ? pick(random, types) : (pick(random, PROPOSABLE_ACTS) as keyof typeof SAMPLES);
  const sample: unknown = pick(random, SAMPLES[type] as readonly unknown[]);
  const plain: unknown = JSON.parse(
    JSON.stringify(sample, (_key, one: unknown) => (typeof one === "bigint" ? "1" : one)),
  );
  return oneIn(random, 3) ? plain : spoilt(random, plain);
}

export async function adminConversation(exchange: Exchange, random: Dice): Promise<void> {
  const desk = await deskOf(exchange);
  const acts = Array.from({ length: AT_A_TIME }, () => async (): Promise<void> => {
    if (oneIn(random, 2)) await propose(exchange, random, desk);
    else await anyRoute(exchange, random, desk);
  });
  for (const one of acts) await one();
}

async function anyRoute(exchange: Exchange, random: Dice, { operations, tokens }: Desk): Promise<void> {
  const { method, path, schema } = pick(random, operations);
  const body = schema === undefined ? undefined : sentJson(random, valueOf(random, schema));
  const token = oneIn(random, 3) ? exchange.adminToken : pick(random, tokens);
  await send(exchange, {
    method,
    path: inPath(random, path),
    token,
    ...(method !== "GET" && body !== undefined && { body }),
  });
}

/** What one writes the other may change, and approves. */
async function propose(exchange: Exchange, random: Dice, { tokens }: Desk): Promise<void> {
  const [author = "", other = ""] = oneIn(random, 2) ? tokens : tokens.toReversed();
  const body = sentJson(random, oneIn(random, 15) ? hostileJson(random) : { action: act(random), why: "fuzz" });
  const { json } = await send(exchange, { method: "POST", path: "/v1/approval-requests", token: author, body });
  const { requestId, version } = (json ?? {}) as { requestId?: string; version?: number };
  if (requestId === undefined) return;
  const path = `/v1/approval-requests/${requestId}`;
  if (oneIn(random, 4)) {
    const change = sentJson(random, { version, action: act(random), why: "rather" });
    await send(exchange, { method: "PUT", path, token: author, body: change });
  }
  const approval = JSON.stringify({ version: oneIn(random, 8) ? hostileJson(random) : version });
  const own = await send(exchange, { method: "POST", path: `${path}/approve`, token: author, body: approval });
  assert.ok(own.status >= 400, `${path}: its own author approved it`);
  await send(exchange, { method: "POST", path: `${path}/approve`, token: other, body: approval });
  const why = { method: "POST", path: `${path}/reject`, token: author, body: JSON.stringify({ why: "enough" }) };
  if (!oneIn(random, 4)) await send(exchange, why);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: string;
}

const WORD = /^[A-Z][A-Z_0-9]*$/;

async function send({ admin }: Exchange, sent: Sent): Promise<{ readonly status: number; readonly json: unknown }> {
  const { method, path, token, body } = sent;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(admin + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  const told = `${method} ${path} ${body ?? ""}\nanswered ${answer.status} ${text.slice(0, 500)}`;
  assert.ok(answer.status < 500 || answer.status === 503, told);
  if (answer.status < 400) return { status: answer.status, json: isJson(answer) ? JSON.parse(text) : undefined };
  const json = JSON.parse(text) as Record<string, unknown>;
  const word = json["error"] ?? json["code"];
  assert.ok(typeof word === "string" && WORD.test(word), `an error without a word: ${told}`);
  return { status: answer.status, json: undefined };
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}
