/** An exchange whose WebSocket API listens on a local port, and clients for it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { VenueInterface } from "@pricetime/protocol";
import { WebSocket, WebSocketServer } from "ws";
import { DEFAULT_LIMITS, type LimitsConfig } from "../../../src/api/edge/rate-limit-rules.ts";
import type { UserEvents } from "../../../src/api/edge/session.ts";
import { type LongText, textOf as longText } from "../../../src/api/answers/long-text.ts";
import type { FreshReadsOptions } from "../../../src/api/fresh-reads.ts";
import { WebSocketApi } from "../../../src/api/ws-api.ts";
import { type Params, payloadOf, type SigningKey } from "@pricetime/testkit/client";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

// The tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;

/** Account events, sent by the test. */
class ManualEvents implements UserEvents {
  readonly sinks = new Map<number, Set<(event: string) => void>>();

  subscribe(accountId: number, sink: (event: string) => void): () => void {
    const sinks = this.sinks.get(accountId) ?? new Set();
    this.sinks.set(accountId, sinks.add(sink));
    return () => sinks.delete(sink);
  }

  emit(accountId: number, event: object): void {
    for (const sink of this.sinks.get(accountId) ?? []) sink(JSON.stringify(event));
  }
}

export class ApiVenue {
  readonly venue: TestVenue;
  readonly api: WebSocketApi;
  readonly users = new ManualEvents();
  #url = "";
  readonly #clients: ApiClient[] = [];

  /** `fresh`: as a node of a cluster. */
  constructor(
    limits: LimitsConfig = { ...DEFAULT_LIMITS, enabled: false },
    fresh?: FreshReadsOptions,
    venueInterface?: VenueInterface,
  ) {
    const server = new WebSocketServer({ noServer: true });
    this.venue = new TestVenue({ limits, fresh, ...(venueInterface && { venueInterface }) });
    const { gateway } = this.venue;
    gateway.handUpgradesTo({
      upgrade: (request, socket, head, accepted) =>
        server.handleUpgrade(request, socket, head, (client) => {
          accepted();
          this.#accept(client, request.url ?? "");
        }),
    });
    this.api = new WebSocketApi({
      sink: gateway,
      ...(venueInterface && { venueInterface }),
      users: this.users,
      limits,
      world: { nowMs: () => this.venue.nowMs },
      sendQueue: new SendQueue(),
    });
  }

  #accept(socket: WebSocket, url: string): void {
    const peer = {
      ip: "127.0.0.1",
      send: (text: string) => socket.send(text),
      sendParts: (before: string, text: LongText, behind: string) =>
        socket.send(longText({ head: before, text }) + behind),
      close: (code: number, reason: string) => socket.close(code, reason),
    };
    const connection = this.api.accept(peer, url.split("?")[1] ?? "");
    socket.on("message", (data, isBinary) =>
      isBinary ? connection.receiveBinary() : connection.receive(String(data)),
    );
    socket.on("close", () => connection.closed());
  }

  async listen(): Promise<void> {
    this.#url = `ws://127.0.0.1:${await this.venue.gateway.listen("127.0.0.1", 0)}/ws-api/v3`;
  }

  async connect(query = ""): Promise<ApiClient> {
    const client = new ApiClient(this.venue, new WebSocket(this.#url + query));
    await once(client.socket, "open");
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const { socket } of this.#clients) socket.terminate();
    await this.venue.gateway.close();
  }
}

let windows = 4000;

export class ApiClient {
  readonly socket: WebSocket;
  readonly events: Answer[] = [];
  readonly #venue: TestVenue;
  readonly #answers: Answer[] = [];
  readonly #waiting: ((answer: Answer) => void)[] = [];
  #lastId = 0;

  constructor(venue: TestVenue, socket: WebSocket) {
    this.#venue = venue;
    this.socket = socket;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if ("event" in message) this.events.push(message);
      else if (this.#waiting.length > 0) this.#waiting.shift()?.(message);
      else this.#answers.push(message);
    });
  }

  /** The next response, to any request. */
  next(): Promise<Answer> {
    const answer = this.#answers.shift();
    return answer === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(answer);
  }

  /** Sends a raw frame, and returns the next response. */
  raw(frame: string | Buffer): Promise<Answer> {
    this.socket.send(frame, { binary: typeof frame !== "string" });
    return this.next();
  }

  async call(method: string, params?: Params): Promise<Answer> {
    const id = ++this.#lastId;
    const answer = await this.raw(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }));
    assert.equal(answer.id, id);
    return answer;
  }

  signed(method: string, key: SigningKey, params: Params = {}): Promise<Answer> {
    // The clock is fixed: requests allowed only on this connection differ by their window.
    const window = method.startsWith("session") || method.startsWith("userData") ? { recvWindow: ++windows } : {};
    const all = { timestamp: this.#venue.nowMs, apiKey: key.apiKey, ...window, ...params };
    return this.call(method, { ...all, signature: key.sign(payloadOf(all)) });
  }
}
