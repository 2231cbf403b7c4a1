/** A lab inside the test, with a manual clock, and clients that see every byte of its answers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
import { decodeCommands, type Entry } from "@pricetime/engine";
import { encodeSigned, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, type DemoFile, operate, tryToOperate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { loadConfig } from "../../../src/platform/config/config.ts";
import { type Fault, faultSchema } from "../../../src/lab/faults/fault.ts";
import { startNode } from "../../../src/main.ts";
import type { Node } from "../../../src/program/start/program.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { openReader } from "../../../src/journal/storage/open-journal.ts";

const HOST = "127.0.0.1";

/** A fault as it is listed. */
export interface Listed {
  readonly id: number;
  readonly fault: string;
  readonly armed: boolean;
  readonly met: number;
  readonly struck: number;
  readonly strikes: readonly Readonly<Record<string, string | number>>[];
}

export type Lane = "direct" | "node";

/** How a request is sent, besides its parameters. */
export interface Sending {
  readonly key?: DemoAccount;
  /** Default: direct. `node:http` reads requests with a header that asks for more than an answer. */
  readonly lane?: Lane;
  readonly headers?: string;
  /** On the connection of another request. */
  readonly on?: Call;
}

export class LabNode {
  /** The data folder. */
  readonly folder: string;
  readonly demo: DemoFile;
  readonly alice: DemoAccount;
  readonly bob: DemoAccount;
  /** The kinds of faults that a test has listed with a strike. */
  readonly seenToStrike = new Set<string>();
  nowMs = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.demo = JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")) as DemoFile;
    const [alice, bob] = this.demo.accounts;
    assert.ok(alice !== undefined && bob !== undefined);
    [this.alice, this.bob] = [alice, bob];
  }

  /** Stops with the tests of the file. */
  static async start(flags: object = { lab: true, clock: "manual" }): Promise<LabNode> {
    return (await LabNode.startToStop(flags)).lab;
  }

  /** Like `start`; it may be stopped before. */
  static async startToStop(
    flags: object = { lab: true, clock: "manual" },
  ): Promise<{ readonly node: Pick<Node, "stop">; readonly lab: LabNode }> {
    const folder = temporaryFolder();
    const data = join(folder, "data");
    const shared = { port: 0, adminPort: 0, data, bots: "off" as const, limits: "off" as const };
    const environment = { PRICETIME_LOG_LEVEL: "error" };
    const started = await startNode(loadConfig({ flags: { ...shared, ...flags }, environment }));
    let stopped: Promise<void> | undefined;
    const node = { stop: () => (stopped ??= started.stop()) };
    after(async () => {
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const lab = new LabNode(data);
    if ("lab" in flags) lab.nowMs = (await lab.get<{ nowMs: number }>("clock")).nowMs;
    return { node, lab };
  }

  get port(): number {
    return Number(new URL(this.demo.rest).port);
  }

  async accountId(email: string): Promise<number> {
    return (await operate<{ accountId: number }>(this.demo, "GET", `/v1/accounts/${email}`)).accountId;
  }

  get<T>(path: string): Promise<T> {
    return operate<T>(this.demo, "GET", `/v1/lab/${path}`);
  }

  async fault(fault: object): Promise<number> {
    return (await operate<{ id: number }>(this.demo, "POST", "/v1/lab/faults", fault)).id;
  }

  /** The status, code and message of a rejection. */
  async refusal(fault: unknown): Promise<string> {
    const { status, text } = await tryToOperate(this.demo, "POST", "/v1/lab/faults", fault);
    const { error, message } = JSON.parse(text) as { error: string; message: string };
    return `${status} ${error} ${message}`;
  }

  async listed(id: number): Promise<Listed> {
    const found = (await this.get<Listed[]>("faults")).find((each) => each.id === id);
    assert.ok(found !== undefined, `fault ${id} is listed`);
    if (found.struck > 0) this.seenToStrike.add(found.fault);
    return found;
  }

  async untilStruck(id: number, times = 1): Promise<Listed> {
    await until(`fault ${id} strikes`, async () => (await this.listed(id)).struck >= times);
    return this.listed(id);
  }

  async clear(): Promise<void> {
    await operate(this.demo, "DELETE", "/v1/lab/faults");
  }

  async advance(ms: number): Promise<void> {
    ({ nowMs: this.nowMs } = await operate(this.demo, "POST", "/v1/lab/clock/advance", { ms }));
  }

  /** The number of the journal's last entry. */
  async seq(): Promise<number> {
    return (await operate<{ seq: number }>(this.demo, "POST", "/v1/lab/clock/advance", { ms: 0 })).seq;
  }

  /** The journal's entries after entry `seq`, oldest first, read from its file, which contains every commit at once. */
  entriesSince(seq: number): Entry[] {
    const journal = openReader(dataPaths(this.folder).journal);
    try {
      const entries = [...journal.read(seq + 1)].flatMap(({ firstSeq, count, timeMs, bytes }) =>
        decodeCommands(bytes, count).map((command, at) => ({ seq: firstSeq + at, timeMs, command })),
      );
      return entries.filter((entry) => entry.seq > seq);
    } finally {
      journal.close();
    }
  }

  /**
   * The types of the commands, sorted, with the client's id of orders. Without the read positions of networks, which
   * depend on the time.
   */
  commandsSince(seq: number): string[] {
    const commands = this.entriesSince(seq).map(({ command }) => command);
    return commands
      .filter(({ type }) => type !== "advanceNetwork")
      .map((command) => (command.type === "placeOrder" ? `placeOrder ${command.clientOrderId}` : command.type))
      .toSorted();
  }

  /** Sends a request on a new connection, which stays open. */
  async send(
    method: string,
    path: string,
    query: string,
    { key, lane, headers = "", on }: Sending = {},
  ): Promise<Call> {
    const call = on === undefined ? await Call.open(this.port) : on;
    call.received = Buffer.alloc(0);
    const named = key === undefined ? "" : `X-MBX-APIKEY: ${key.apiKey}\r\n`;
    const extra = lane === "node" ? "TE: trailers\r\n" : "";
    const target = query === "" ? path : `${path}?${query}`;
    call.socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${named}${extra}${headers}\r\n`);
    return call;
  }

  signed(method: string, path: string, parameters: Parameters, sending: Sending = {}): Promise<Call> {
    const { key = this.alice } = sending;
    const query = encodeSigned({ ...parameters, timestamp: this.nowMs }, key.secretKey);
    return this.send(method, path, query, { ...sending, key });
  }

  /** An order that rests: the demo's price is far above. */
  order(clientOrderId: string, sending: Sending = {}, parameters: Parameters = {}): Promise<Call> {
    return this.signed("POST", "/api/v3/order", { ...restingOrder(clientOrderId), ...parameters }, sending);
  }

  /** Whether the exchange has such an order. */
  async hasOrder(clientOrderId: string, key = this.alice): Promise<boolean> {
    const query = { symbol: "BTCUSDT", origClientOrderId: clientOrderId };
    const { status } = await answered(this.signed("GET", "/api/v3/order", query, { key }));
    return status === 200;
  }

  async dial(path: string): Promise<Ear> {
    const ear = new Ear(new WebSocket(this.demo.ws.replace(/\/ws$/, "") + path));
    await once(ear.ws, "open");
    return ear;
  }
}

/** The kinds of faults that meet the condition, by name. */
export function kindsThat(isSo: (fault: Fault) => boolean): string[] {
  const kinds = faultSchema.options.map(({ shape }) => shape.fault.value);
  return kinds.filter((fault) => isSo({ fault } as Fault)).toSorted();
}

export function restingOrder(clientOrderId: string): Parameters {
  return {
    ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC" },
    ...{ quantity: "0.001", price: "20000", newClientOrderId: clientOrderId },
  };
}

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/** A connection over HTTP. */
export class Call {
  readonly socket: Socket;
  received: Buffer = Buffer.alloc(0);
  /** How it ended: the server's FIN or RST; undefined: it is open. */
  end: "FIN" | "RST" | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => (this.received = Buffer.concat([this.received, chunk])));
    socket.on("end", () => (this.end ??= "FIN"));
    socket.on("error", ({ message }) => {
      if (message.includes("ECONNRESET")) this.end ??= "RST";
    });
  }

  static async open(port: number): Promise<Call> {
    const socket = connect(port, HOST);
    await once(socket, "connect");
    return new Call(socket);
  }

  /** The received part of an answer; undefined: not even its head. */
  get partial(): Answer | undefined {
    const at = this.received.indexOf("\r\n\r\n");
    if (at === -1) return undefined;
    const head = this.received.subarray(0, at).toString("latin1");
    return { status: Number(head.slice(9, 12)), head, body: this.received.subarray(at + 4) };
  }

  get isWhole(): boolean {
    const answer = this.partial;
    return answer !== undefined && answer.body.length === Number(/content-length: (\d+)/i.exec(answer.head)?.[1]);
  }

  async answer(): Promise<Answer> {
    await until("a whole answer", () => this.isWhole || this.end !== undefined);
    assert.ok(this.isWhole && this.partial !== undefined, `the connection ended: ${this.end}`);
    return this.partial;
  }

  async ended(): Promise<"FIN" | "RST"> {
    await until("the end of the connection", () => this.end !== undefined);
    return this.end as "FIN" | "RST";
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The answer to a request whose connection is then closed. */
export async function answered(sent: Promise<Call>): Promise<Answer> {
  const call = await sent;
  return call.answer().finally(() => call.close());
}

/** A WebSocket that records its messages. */
export class Ear {
  readonly ws: WebSocket;
  readonly texts: string[] = [];
  /** Close code, once it is closed. */
  closed: number | undefined;
  error = "";

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("message", (data) => this.texts.push(String(data)));
    ws.on("error", ({ message }) => (this.error = message));
    // `ws` does not report a reset of an open connection.
    ws.once("upgrade", ({ socket }) => socket.on("error", ({ message }) => (this.error = message)));
    ws.on("close", (code) => (this.closed = code));
  }

  // The tests look into messages of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  get messages(): any[] {
    return this.texts.map((text) => JSON.parse(text));
  }

  async until(count: number): Promise<void> {
    await until(`${count} messages`, () => this.texts.length >= count);
  }

  async untilClosed(): Promise<number> {
    await until("the end of the socket", () => this.closed !== undefined);
    return this.closed ?? 0;
  }

  close(): void {
    this.ws.terminate();
  }
}
