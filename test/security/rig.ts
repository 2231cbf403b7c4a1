/** What attackers' tests share: a node, an operator's calls, raw bytes. */
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { startExchange, tryToOperate, type Exchange, type StartOptions } from "@pricetime/testkit/venue";

const PLAIN = ["--bots", "off"];

/** Its own folder and, when given, a configuration; killed in the end. */
export async function start(t: TestContext, yaml = "", options: StartOptions = {}): Promise<Exchange> {
  const args = [...PLAIN, ...(options.args ?? [])];
  if (yaml !== "") {
    const path = join(scratchFolder(t), "pricetime.yaml");
    writeFileSync(path, yaml);
    args.push("--config", path);
  }
  const exchange = await startExchange({ ...options, args });
  t.after(() => exchange.kill());
  return exchange;
}

export function clientOf(t: TestContext, exchange: Exchange, account = exchange.accounts[0]): Client {
  const client = new Client(exchange.rest, account);
  t.after(() => client.close());
  return client;
}

export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export async function admin(exchange: Exchange, method: string, path: string, body?: unknown): Promise<AdminAnswer> {
  const { status, text } = await tryToOperate(exchange, method, path, body);
  return { status, text, json: text.startsWith("{") ? JSON.parse(text) : {} };
}

/** Sends bytes (latin1) and gives all that comes back until the other side closes, or is silent for `silenceMs`. */
export function exchangeBytes(rest: string, chunks: readonly string[], silenceMs = 1_500): Promise<string> {
  return new Promise((done) => {
    const { hostname, port } = new URL(rest);
    const socket: Socket = connect(Number(port), hostname);
    let received = "";
    const finish = (): void => {
      socket.destroy();
      done(received);
    };
    socket.setEncoding("latin1").setTimeout(silenceMs, finish).setNoDelay(true);
    socket.on("data", (text: string) => (received += text));
    socket.on("error", finish).on("close", finish);
    socket.on("connect", () => {
      for (const chunk of chunks) socket.write(chunk, "latin1");
    });
  });
}

/** The statuses of the answers in what came back. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
}
