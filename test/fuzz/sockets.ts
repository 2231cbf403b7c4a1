/** WebSockets: frames that are none, and methods of the WebSocket API with values of every kind. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import type { Endpoint, EndpointTable } from "@pricetime/protocol";
import WebSocket from "ws";
import { sign } from "@pricetime/testkit/client";
import type { Exchange } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { HOSTILE, mutated, oneIn, pick, randomBytes } from "./target.ts";
import { judge } from "./verdict.ts";

const PATIENCE_MS = 60_000;
const TEXTS = [
  '{"method":"SUBSCRIBE","params":["btcusdt@depth","btcusdt@kline_1m","!ticker@arr"],"id":1}',
  '{"method":"UNSUBSCRIBE","params":["btcusdt@depth"],"id":2}',
  '{"method":"LIST_SUBSCRIPTIONS","id":3}',
  '{"method":"SET_PROPERTY","params":["combined",true],"id":4}',
  '{"id":"x","method":"depth","params":{"symbol":"BTCUSDT","limit":5}}',
];
const PATHS = "/ws /ws/btcusdt@trade /stream?streams=btcusdt@depth/ethusdt@trade /ws-api/v3 /stream /ws//".split(" ");

/** Masked, as clients must; sometimes wrong in opcode, length, mask or flags. */
function frame(random: Dice): Buffer {
  const payload = oneIn(random, 4) ? randomBytes(random, 300) : mutated(random, Buffer.from(pick(random, TEXTS)));
  const opcode = oneIn(random, 3) ? random.between(0, 15) : 1;
  const flags = oneIn(random, 5) ? random.between(0, 15) << 4 : 0x80;
  const mask = randomBytes(random, 0).length === 0 ? Buffer.from([1, 2, 3, 4]) : Buffer.alloc(4);
  const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const isMasked = oneIn(random, 20) ? 0 : 0x80;
  const length = oneIn(random, 10)
    ? pick(random, [
        Buffer.from([isMasked | 127, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
        Buffer.from([isMasked | 126, 255, 255]),
        Buffer.from([isMasked]),
      ])
    : payload.length < 126
      ? Buffer.from([isMasked | payload.length])
      : Buffer.from([isMasked | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([flags | opcode]), length, isMasked === 0 ? Buffer.alloc(0) : mask, masked]);
}

/** A handshake, then frames; the other side must end it, and must live. */
export async function hostileSocket(exchange: Exchange, random: Dice): Promise<void> {
  const { hostname, port } = new URL(exchange.rest);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const handshake = `GET ${pick(random, PATHS)} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  await new Promise<void>((done, failed) => {
    const late = setTimeout(() => failed(new Error("the socket never ended")), PATIENCE_MS);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(late);
      done();
    });
    socket.resume();
    socket.write(oneIn(random, 10) ? mutated(random, Buffer.from(handshake)) : handshake);
    for (let left = random.between(1, 5); left > 0; left--) socket.write(frame(random));
    socket.end();
  });
}

const VALUES: readonly unknown[] = [...HOSTILE, 0, -1, 1.5, 1e21, 2 ** 53, null, true, [], {}, [[1]], { a: 1 }];
/** Sensible values, by the end of a parameter's name, because legs of lists have prefixes. */
const SENSIBLE: readonly (readonly [end: RegExp, values: readonly unknown[]])[] = [
  [/^symbol$/, ["BTCUSDT", "ETHUSDT"]],
  [/^(?:price|.*Price)$/, ["100", "99", "110"]],
  [/^(?:quantity|newQty|.*Quantity)$/, ["1", "0.5"]],
  [/imeInForce$/, ["GTC", "IOC"]],
  [/railingDelta$/, [100, 2_000]],
  [/rderId$/, [1, 2, 3]],
];
const REQUESTS = 10;

function methodRequest(random: Dice, { accounts }: Exchange, methods: readonly Endpoint[], id: number): string {
  const { id: method, parameters } = pick(random, methods);
  const params: Record<string, unknown> = {};
  for (const { name, words, required } of parameters) {
    if (oneIn(random, required ? 15 : 2)) continue;
    params[name] = oneIn(random, 8) ? pick(random, VALUES) : pick(random, sensible(name) ?? words ?? VALUES);
  }
  const { apiKey, secretKey } = pick(random, accounts);
  if (!oneIn(random, 20)) params["apiKey"] = apiKey;
  if (!oneIn(random, 20)) params["timestamp"] = Date.now();
  const signed = Object.keys(params)
    .sort()
    .map((name) => `${name}=${textOf(params[name])}`)
    .join("&");
  if (!oneIn(random, 20)) params["signature"] = sign(secretKey, signed);
  return JSON.stringify({ id, method, params });
}

function sensible(name: string): readonly unknown[] | undefined {
  return SENSIBLE.find(([end]) => end.test(name))?.[1];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface MethodAnswer {
  readonly id?: number;
  readonly status: number;
  readonly error?: object;
}

/** Each request has its answer, which is judged as one of HTTP. */
export async function methodConversation(exchange: Exchange, random: Dice, { methods }: EndpointTable): Promise<void> {
  const socket = new WebSocket(`${exchange.ws}/ws-api/v3`);
  const asked = new Map(
    Array.from({ length: REQUESTS }, (_, id) => [id, methodRequest(random, exchange, methods, id)]),
  );
  try {
    await new Promise<void>((done, failed) => {
      const late = setTimeout(() => failed(new Error(`no answer to ${[...asked.values()].join("\n")}`)), PATIENCE_MS);
      socket.on("open", () => [...asked.values()].forEach((text) => socket.send(text)));
      socket.on("error", failed).on("close", () => failed(new Error(`closed upon ${[...asked.values()].join("\n")}`)));
      socket.on("message", (text: Buffer) => {
        const answer = JSON.parse(text.toString()) as MethodAnswer;
        if (answer.id === undefined) return;
        const request = asked.get(answer.id);
        asked.delete(answer.id);
        try {
          assert.ok(request !== undefined, "an answer that nobody has asked for");
          judge({ told: request, mayBeBusy: true }, answer.status, JSON.stringify(answer.error ?? {}));
        } catch (error) {
          failed(error);
        }
        if (asked.size > 0) return;
        clearTimeout(late);
        done();
      });
    });
  } finally {
    socket.removeAllListeners().on("error", () => {});
    socket.terminate();
  }
}
