/** Conversations over a raw socket: requests that are whole, odd, cut, doubled and split at any byte. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { ENDPOINTS, type Endpoint } from "@pricetime/protocol";
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { randomRequest } from "./requests.ts";
import { HOSTILE, mutated, oneIn, pick } from "./target.ts";

const HEADERS = [
  ...["Content-Length: 0", "Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999"],
  ...["Content-Length: 1, 2"],
  ...["Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Expect: 100-continue", "Expect: nonsense"],
  ...["Connection: close", "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Upgrade: h2c"],
  ...["HTTP2-Settings: AAA"],
  ...["Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded", "Accept-Encoding: gzip;q=0"],
  ...["Origin: null", "Host:", "X-Forwarded-For: ::1, 1.2.3.4, x", "Range: bytes=0-", "TE: trailers", ": nameless"],
  ...["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
  ...["Sec-WebSocket-Extensions: permessage-deflate"],
];
const METHODS = "GET POST PUT DELETE HEAD OPTIONS PATCH CONNECT TRACE PRI get M-SEARCH X".split(" ");

function oneRequest(random: Dice, accounts: readonly DemoAccount[], endpoints: readonly Endpoint[]): string {
  const { method, path, query, body = "", headers } = randomRequest(random, accounts, Date.now(), endpoints);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const isChunked = body !== "" && oneIn(random, 3);
  if (body !== "") lines.push(isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`);
  for (let more = random.between(0, 3); more > 0; more--) if (oneIn(random, 3)) lines.push(pick(random, HEADERS));
  if (oneIn(random, 60)) for (let i = 0; i < 3_000; i++) lines.push(`X-${i}: ${i}`);
  if (oneIn(random, 10)) lines.push(`X-A: ${pick(random, HOSTILE)}`);
  const target = oneIn(random, 15) ? pick(random, ["*", "http://x/api/v3/ping", "//x", "/..//..", ...HOSTILE]) : path;
  const version = oneIn(random, 20) ? pick(random, ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.1 ", ""]) : "HTTP/1.1";
  const line = `${oneIn(random, 10) ? pick(random, METHODS) : method} ${target}${query === "" ? "" : `?${query}`} ${version}`;
  const end = oneIn(random, 20) ? "\n" : "\r\n";
  return [line, ...lines, "", isChunked ? chunked(random, body) : body].join(end);
}

function chunked(random: Dice, body: string): string {
  const at = random.between(0, body.length);
  const extension = oneIn(random, 5) ? `;${"a=b".repeat(random.between(1, 50))}` : "";
  const chunk = (text: string): string => (text === "" ? "" : `${text.length.toString(16)}${extension}\r\n${text}\r\n`);
  return `${chunk(body.slice(0, at))}${chunk(body.slice(at))}0\r\n${oneIn(random, 5) ? "X-Trailer: 1\r\n" : ""}\r\n`;
}

export function hostileConversation(
  random: Dice,
  accounts: readonly DemoAccount[],
  endpoints: readonly Endpoint[] = ENDPOINTS,
): { chunks: Buffer[]; told: string } {
  const requests = Array.from({ length: random.between(1, 4) }, () => oneRequest(random, accounts, endpoints));
  let bytes: Buffer<ArrayBuffer> = Buffer.from(requests.join(""), "utf8");
  if (oneIn(random, 2)) bytes = mutated(random, bytes);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = oneIn(random, 3) ? bytes.length : at + random.between(1, 200);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return { chunks, told: JSON.stringify(bytes.toString("latin1").slice(0, 4_000)) };
}

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

const PATIENCE_MS = 60_000;

/** Sends all, ends our side, and reads to the end. Rejects when the other side never ends, or what it says is not HTTP. */
export async function readConversation(rest: string, chunks: readonly Buffer[], told: string): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(rest);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const received: Buffer[] = [];
  await new Promise<void>((done, failed) => {
    const late = setTimeout(() => {
      socket.destroy();
      failed(new Error(`the connection never ended: ${told}`));
    }, PATIENCE_MS);
    socket.on("data", (bytes: Buffer) => received.push(bytes));
    // The other side may be done with us before we are.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(late);
      done();
    });
    for (const chunk of chunks) socket.write(chunk);
    socket.end();
  });
  return answersIn(Buffer.concat(received).toString("latin1"), told);
}

/** The answers in what came back, those that were cut off at its end left out. */
export function answersIn(text: string, told: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ""; ) {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    const end = rest.indexOf("\r\n\r\n");
    // A connection that was reset may lose the end of what was on its way.
    if (end === -1) return answers;
    assert.ok(status >= 100, `not an answer: ${rest.slice(0, 200)}\nto ${told}`);
    const head = rest.slice(0, end);
    rest = rest.slice(end + 4);
    if (status === 101) return [...answers, { status, body: "" }];
    if (status === 100) continue;
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const hasBody = rest !== "" && !rest.startsWith("HTTP/1.1 ");
    const isPacked = /^content-encoding: gzip/im.test(head);
    if (hasBody && rest.length < length) return answers;
    const body = hasBody ? rest.slice(0, length) : "";
    rest = hasBody ? rest.slice(length) : rest;
    if ((hasBody || length === 0) && !isPacked) answers.push({ status, body });
  }
  return answers;
}
