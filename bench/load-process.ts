/**
 * The load: keep-alive connections, each with one request under way, over raw sockets so that the
 * client costs little. Sends orders signed beforehand; says what happened as one line of JSON.
 *
 * argv: port, demo.json of the exchange, connections, requests, warm-up requests.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { sign } from "../test/client.ts";
import type { DemoAccount, DemoFile } from "../test/exchange.ts";
import { answerEnd } from "../test/raw-http.ts";
import { quantile } from "./measure.ts";

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const [port, demoFile = "", connections, requests, warmUp] = process.argv.slice(2);
const { accounts } = JSON.parse(readFileSync(demoFile, "utf8")) as DemoFile;

/** Buys and sells at one price by turns: every second order trades, and the book stays small. */
function orderRequest(account: DemoAccount, number: number, timestamp: number): Buffer {
  const side = number % 2 === 0 ? "BUY" : "SELL";
  const payload =
    `symbol=BTCUSDT&side=${side}&type=LIMIT&timeInForce=GTC&quantity=0.010000&price=50000.00` +
    `&newOrderRespType=RESULT&recvWindow=60000&timestamp=${timestamp}`;
  const body = `${payload}&signature=${sign(account.secretKey, payload)}`;
  return Buffer.from(
    `POST /api/v3/order HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-MBX-APIKEY: ${account.apiKey}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

class Load {
  readonly #requests: readonly Buffer[];
  readonly #timed: number;
  readonly latenciesMs: number[] = [];
  readonly statuses: Record<string, number> = {};
  startedMs = 0;
  endedMs = 0;
  #next = 0;
  #answered = 0;

  /** The first requests, all but `timed`, are the warm-up. */
  constructor(requests: readonly Buffer[], timed: number) {
    this.#requests = requests;
    this.#timed = timed;
  }

  run(sockets: number): Promise<void> {
    return new Promise((done, failed) => {
      for (let i = 0; i < sockets; i++) {
        const socket = connect(Number(port), "127.0.0.1", () => this.#send(socket));
        socket.setNoDelay(true);
        socket.on("error", failed);
        this.#listen(socket, done, failed);
      }
    });
  }

  #listen(socket: Socket, done: () => void, failed: (error: Error) => void): void {
    let pending = "";
    let sentMs = performance.now();
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const end = answerEnd(pending);
      if (end === 0) return;
      if (end !== pending.length) return failed(new Error("more than one answer to one request"));
      this.#record(pending.slice(9, 12), performance.now() - sentMs);
      pending = "";
      sentMs = performance.now();
      if (this.#answered === this.#requests.length) done();
      else if (!this.#send(socket)) socket.end();
    });
  }

  #send(socket: Socket): boolean {
    const request = this.#requests[this.#next++];
    if (request !== undefined) socket.write(request);
    return request !== undefined;
  }

  #record(status: string, latencyMs: number): void {
    this.#answered++;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const warmUpLeft = this.#requests.length - this.#timed - this.#answered;
    if (warmUpLeft === 0) this.startedMs = performance.now();
    if (warmUpLeft < 0) this.latenciesMs.push(latencyMs);
    this.endedMs = performance.now();
  }
}

const timed = Number(requests);
const now = Date.now();
const prepared = Array.from({ length: Number(warmUp) + timed }, (_, i) => {
  const account = accounts[i % accounts.length];
  if (account === undefined) throw new Error("no accounts");
  return orderRequest(account, i, now);
});
const load = new Load(prepared, timed);
await load.run(Number(connections));
const result: LoadResult = {
  perSecond: (timed / (load.endedMs - load.startedMs)) * 1000,
  p50Ms: quantile(load.latenciesMs, 0.5),
  p99Ms: quantile(load.latenciesMs, 0.99),
  statuses: load.statuses,
};
console.log(JSON.stringify(result));
process.exit(0);
