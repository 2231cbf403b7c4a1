/** An exchange with real sockets, and limits that a test does not have to wait for. */
import type { VenueInterface } from "@pricetime/protocol";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket as TcpSocket } from "node:net";
import { after } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import type { HttpLimits, StreamLimits } from "../../../src/api/edge/limits.ts";
import { DEFAULT_LIMITS, type LimitsConfig } from "../../../src/api/edge/rate-limit-rules.ts";
import type { Sequencer } from "../../../src/journal/sequencer/port.ts";
import { Streams } from "../../../src/api/streams/streams.ts";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import type { Message } from "./user-venue.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import type { World } from "../../../src/platform/world/port.ts";
import { placeOrder } from "@pricetime/testkit/commands";

const HOST = "127.0.0.1";

export interface SocketVenueOptions {
  readonly limits?: Partial<StreamLimits>;
  /** Whether rates are enforced. Default: true. */
  readonly limitsRates?: boolean;
  readonly http?: Partial<HttpLimits>;
  /** Limits of requests. Default: none. */
  readonly requestLimits?: LimitsConfig;
  /** Default: each command is applied separately, a turn after it was submitted. */
  readonly sequencer?: Sequencer;
  /** Origins whose pages may open sockets that carry account data. Default: its own. */
  readonly allowedOrigins?: readonly string[];
  readonly publicUrl?: string | null;
  readonly isDemo?: boolean;
  /** As a node of a cluster: resolves when it has caught up. */
  readonly latest?: () => Promise<void>;
  /** Default: the machine's. */
  readonly world?: World;
  readonly venueInterface?: VenueInterface;
}

export class SocketVenue extends TestVenue {
  readonly streams: Streams;
  port = 0;

  private constructor({
    limits = {},
    limitsRates = true,
    http = {},
    requestLimits,
    sequencer,
    latest,
    allowedOrigins = [],
    publicUrl = null,
    isDemo = false,
    world = MACHINE,
    venueInterface,
  }: SocketVenueOptions) {
    const spoken = venueInterface === undefined ? {} : { venueInterface };
    super({
      http,
      ...spoken,
      ...(requestLimits === undefined ? {} : { limits: requestLimits }),
      ...(sequencer === undefined ? {} : { sequencer }),
    });
    const nowMs = (): number => Math.max(this.nowMs, this.engine.timeMs);
    this.streams = new Streams({
      ...spoken,
      world,
      sendQueue: this.sendQueue,
      engine: this.engine,
      clock: { nowMs, settledMs: nowMs },
      history: this.history(),
      sink: this.gateway,
      config: {
        limits: { ...DEFAULT_LIMITS, enabled: limitsRates },
        http: { trustedProxies: [], allowedOrigins },
        publicUrl,
        demo: isDemo,
        streams: {},
      },
      log: { error: (fields) => this.bugs.push(fields) },
      streamLimits: limits,
      latest,
    });
    this.gateway.handUpgradesTo(this.streams);
    this.sendQueue.follow(this.streams);
  }

  static async start(options: SocketVenueOptions = {}): Promise<SocketVenue> {
    const venue = new SocketVenue(options);
    venue.port = await venue.gateway.listen(HOST, 0);
    after(async () => {
      await venue.streams.close();
      await venue.gateway.close();
    });
    return venue;
  }

  get ws(): string {
    return `ws://${HOST}:${this.port}`;
  }

  async dial(path: string): Promise<TestSocket> {
    const socket = new TestSocket(new WebSocket(this.ws + path));
    await once(socket.ws, "open");
    return socket;
  }

  /** Trades 1 at 100 both ways, which sends messages on `btcusdt@trade`. */
  trade(): void {
    const sides = this.engine.seq % 4 < 2 ? (["SELL", "BUY"] as const) : (["BUY", "SELL"] as const);
    this.#limit(this.maker.accountId, sides[0]);
    this.#limit(this.trader.accountId, sides[1]);
  }

  #limit(accountId: number, side: "BUY" | "SELL"): void {
    const clientOrderId = `o${this.engine.seq}`;
    this.act(placeOrder({ accountId, side, priceTicks: 10_000, quantityLots: 1_000_000, clientOrderId }));
  }

  /** Opens a listen key of the trader. */
  async openListenKey(): Promise<string> {
    const headers = { "x-mbx-apikey": this.trader.apiKey };
    return (await this.send("POST", "/api/v3/userDataStream", { headers })).json.listenKey;
  }

  /** Sends a handshake, and returns a socket that is not read by default. */
  async rawSocket(path: string): Promise<TcpSocket> {
    const socket = connect(this.port, HOST);
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    return socket;
  }
}

export class TestSocket {
  readonly ws: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<string>;

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data) => this.messages.push(JSON.parse(String(data)) as Message));
    ws.on("error", () => {});
    this.closed = once(ws, "close").then(([code, reason]) => `${code} ${String(reason)}`);
  }

  say(message: unknown): void {
    this.ws.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a message, and waits for the next one. */
  async ask(message: unknown): Promise<Message> {
    const count = this.messages.length;
    this.say(message);
    await this.until(count + 1);
    return this.messages[count] ?? {};
  }

  async until(count: number): Promise<void> {
    await until(`${count} messages`, () => this.messages.length >= count);
  }
}
