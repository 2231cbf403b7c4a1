/** Measures the cost of each row of the table in rounds, and formats the rows as Markdown. */
import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { DEFAULT_RECV_WINDOW_MS, type KnownEndpoint, needsSignature, weightOf } from "@pricetime/protocol";
import { DEFAULT_LIMITS, type MethodRequest, Session } from "@pricetime/server/parts";
import { DEAR, type DearRequest, requestOf, ROWS } from "./dear-requests.ts";
import type { Answered, DearVenue } from "./dear-venue.ts";
import type { HeardRow } from "./heard.ts";
import { type Cost, least } from "./probe.ts";

export interface CostRow extends Cost {
  readonly id: string;
  readonly request: DearRequest;
  readonly weight: number;
  readonly bytes: number;
}

/** A resting order in the same process: the baseline of all other rows. */
export const BASELINE = "order.place";

export async function measure(venue: DearVenue, rounds: number): Promise<readonly CostRow[]> {
  const asked = ROWS.flatMap((endpoint) => DEAR[endpoint.id].map((request) => ({ endpoint, request })));
  const answers = asked.map((): (Cost & Answered)[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, { endpoint, request }] of asked.entries()) answers[n]?.push(await ask(venue, endpoint, request));
  }
  return asked.map(({ endpoint, request }, n) => ({
    id: endpoint.id,
    request,
    weight: weight(venue, endpoint, request),
    bytes: answers[n]?.[0]?.body.length ?? 0,
    ...least(answers[n] ?? []),
  }));
}

async function ask(venue: DearVenue, endpoint: KnownEndpoint, request: DearRequest): Promise<Cost & Answered> {
  const answer =
    endpoint.paths.length === 0 ? await askMethod(venue, endpoint) : await askPath(venue, endpoint, request);
  assert.equal(answer.status, request.status ?? 200, `${endpoint.id}: ${answer.body.slice(0, 200)}`);
  return answer;
}

function askPath(venue: DearVenue, endpoint: KnownEndpoint, dear: DearRequest): Promise<Cost & Answered> {
  const request = requestOf(venue, endpoint, dear);
  return venue.cost((gateway, replier) => gateway.process(request, replier));
}

let signed = 0;

/** Measures a method on a connection that is logged on, and the logon on one that is not. */
async function askMethod(venue: DearVenue, endpoint: KnownEndpoint): Promise<Cost & Answered> {
  const users = { subscribe: () => () => undefined };
  const session = new Session({ users, send: () => undefined, connectedMs: 0, returnRateLimits: true });
  const key = venue.engine.apiKey(venue.ed25519.apiKey);
  assert.ok(key !== undefined);
  if (endpoint.id !== "session.logon") session.logOn(key, venue.nowMs);
  const timestamp = String(Math.max(venue.nowMs, venue.engine.timeMs));
  // A signature opens only one connection, so each is different.
  const recvWindow = String(DEFAULT_RECV_WINDOW_MS + signed++);
  const payload = `apiKey=${key.apiKey}&recvWindow=${recvWindow}&timestamp=${timestamp}`;
  const signature = sign(null, Buffer.from(payload), venue.ed25519.privateKey).toString("base64");
  const values = new Map(needsSignature(endpoint) ? Object.entries({ recvWindow, timestamp, signature }) : []);
  const of = { session, isLoggedOn: false, ip: "127.0.0.1", apiKey: key.apiKey };
  const request: MethodRequest = { method: endpoint.id, values, payload, ...of };
  return venue.cost((gateway, replier) => gateway.processMethod(request, replier));
}

function weight(venue: DearVenue, endpoint: KnownEndpoint, request: DearRequest): number {
  if (typeof endpoint.weight === "number") {
    return endpoint.family === "api" ? endpoint.weight : Math.max(endpoint.weight, DEFAULT_LIMITS.walletWeight);
  }
  return weightOf(endpoint, requestOf(venue, endpoint, request).query, "");
}

export function heardTableOf(rows: readonly HeardRow[]): string[] {
  const head = ["| message | sent after | longest turn, ms | all turns, ms |", "|---|---|---|---|"];
  const lines = rows.map(
    ({ name, what, longestMs, totalMs }) =>
      `| \`${name}\` | ${what} | ${longestMs.toFixed(2)} | ${totalMs.toFixed(2)} |`,
  );
  return [...head, ...lines];
}

/** The name of a row in the documentation, which does not change from run to run. */
export function rowName({ id, request, weight: charged }: CostRow): string {
  return `| \`${id}\` | ${request.what} | ${charged} |`;
}

export function tableOf(rows: readonly CostRow[]): string[] {
  const head = [
    "| endpoint | most expensive request | weight | longest turn, ms | all turns, ms | bytes |",
    "|---|---|---|---|---|---|",
  ];
  const lines = rows.map((row) => {
    const { longestMs, totalMs, bytes } = row;
    return `${rowName(row)} ${longestMs.toFixed(2)} | ${totalMs.toFixed(2)} | ${bytes.toLocaleString("en-US")} |`;
  });
  return [...head, ...lines];
}
