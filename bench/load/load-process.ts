/**
 * The load: keep-alive connections over raw sockets with presigned requests, as cheap as possible, because it shares
 * the cores with the measured program. Runs for many rounds, so that it is warm.
 */
import { Connection } from "./connection.ts";
import { newDelays, quantilesOf, recordDelay } from "@pricetime/testkit/delays";
import type { LoadOrder, LoadReport, LoadResult } from "./messages.ts";
import { Pacer } from "./pacer.ts";
import { makeRequests } from "./requests.ts";

class Load {
  readonly #order: LoadOrder;
  readonly #perSecond: number;
  readonly #warmUp: number;
  readonly #requests: readonly Buffer[];
  readonly #expected: Buffer;
  readonly #status: number;
  readonly #delays = newDelays();
  readonly #failures: Record<string, number> = {};
  readonly #connections: Connection[] = [];
  readonly #idle: Connection[] = [];
  #sent = 0;
  #answered = 0;
  #asExpected = 0;
  #bytes = 0;
  #oddAnswer = "";
  #startedMs = 0;
  #measuredMs = 0;
  #endedMs = 0;
  #done: () => void = () => {};
  #failed: (error: Error) => void = () => {};

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#perSecond = order.perSecond ?? 0;
    this.#warmUp = order.warmUp ?? 0;
    this.#requests = makeRequests(order.requests, order.accounts, order.marker ?? "b");
    this.#expected = Buffer.from(order.expected);
    this.#status = order.status ?? 200;
  }

  async run(): Promise<LoadResult> {
    await this.#open();
    const ended = new Promise<void>((done, failed) => {
      this.#done = done;
      this.#failed = failed;
    });
    const before = process.cpuUsage();
    this.#startedMs = performance.now();
    this.#measuredMs = this.#startedMs;
    const pacer = this.#perSecond > 0 ? new Pacer(() => this.#sendDue()) : undefined;
    if (pacer === undefined) while (this.#idle.length > 0 && this.#sendNext());
    await ended;
    await pacer?.stop();
    const { user, system } = process.cpuUsage(before);
    for (const connection of this.#connections) connection.close();
    return this.#result(user + system);
  }

  #open(): Promise<void> {
    return new Promise((done, failed) => {
      this.#failed = failed;
      const lost = (error: Error): void => this.#failed(error);
      for (let n = 0; n < this.#order.connections; n++) {
        const connection: Connection = new Connection(
          this.#order.port,
          (which, status, body, bodyBytes) => this.#answer(which, status, body, bodyBytes),
          () => {
            if (this.#idle.push(connection) === this.#order.connections) done();
          },
          lost,
        );
        this.#connections.push(connection);
      }
    });
  }

  /** Sends on an idle connection; false when all is sent. */
  #sendNext(): boolean {
    const { count } = this.#order.requests;
    if (this.#sent === count) return false;
    const connection = this.#idle.pop() as Connection;
    connection.startedMs = this.#perSecond > 0 ? this.#dueMs(this.#sent) : performance.now();
    const request = this.#requests[this.#sent++ % this.#requests.length] as Buffer;
    if (this.#order.apart === true) connection.sendApart(request);
    else connection.send(request);
    return true;
  }

  #dueMs(number: number): number {
    return this.#startedMs + (number * 1000) / this.#perSecond;
  }

  #sendDue(): void {
    const nowMs = performance.now();
    while (this.#idle.length > 0 && this.#dueMs(this.#sent) <= nowMs && this.#sendNext());
  }

  #answer(connection: Connection, status: number, body: Buffer, bodyBytes: number): void {
    const nowMs = performance.now();
    this.#answered++;
    this.#bytes += bodyBytes;
    if (this.#answered > this.#warmUp) recordDelay(this.#delays, nowMs - connection.startedMs);
    else this.#measuredMs = nowMs;
    const isRight = status === this.#status;
    if (!isRight) this.#failures[status] = (this.#failures[status] ?? 0) + 1;
    if (isRight && body.includes(this.#expected)) this.#asExpected++;
    else if (this.#oddAnswer === "") this.#oddAnswer = `${status} ${body.toString("latin1", 0, 400)}`;
    this.#idle.push(connection);
    if (this.#answered === this.#order.requests.count) {
      this.#endedMs = nowMs;
      this.#done();
    } else if (this.#perSecond > 0) this.#sendDue();
    else this.#sendNext();
  }

  #result(cpuUs: number): LoadResult {
    const measured = this.#answered - this.#warmUp;
    return {
      answered: this.#answered,
      perSecond: (measured / (this.#endedMs - this.#measuredMs)) * 1000,
      delayMs: quantilesOf(this.#delays),
      failures: this.#failures,
      oddAnswer: this.#oddAnswer,
      asExpected: this.#asExpected,
      bytesAnAnswer: this.#bytes / this.#answered,
      cpuAnAnswerUs: cpuUs / this.#answered,
    };
  }
}

process.on("message", (order: LoadOrder) => {
  const report = (result: LoadReport["result"]): void => void process.send?.({ type: "ended", result });
  new Load(order).run().then(report, (error: unknown) => report(String(error)));
});
process.once("disconnect", () => process.exit());
