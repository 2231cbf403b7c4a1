/** Places and cancels orders: connections with one running request each, and a record of every response. */
import { RawConnection } from "@pricetime/testkit/raw-http";
import { KINDS } from "./command-id.ts";
import { Flow, type Planned } from "./flow.ts";
import type { TraderOrder, TraderReport, TraderStart } from "./messages.ts";
import { AnswerWriter } from "./records.ts";

const READ_PAUSE_MS = 50;
const POLL_MS = 1;

const report = (what: TraderReport): void => void process.send?.(what);

class Trader {
  readonly #flow: Flow;
  readonly #answers: AnswerWriter;
  readonly #connections: RawConnection[] = [];
  readonly #readers: RawConnection[] = [];
  /** Connections without a running request. */
  readonly #free: RawConnection[] = [];
  readonly #counts = new Map<string, number>();
  readonly #problems: string[] = [];
  #mode: "closedLoop" | "openLoop" | "stopping" = "stopping";
  /** The interval between due requests. */
  #everyMs = 1;
  #nextDueMs = 0;
  #delaysMs: number[] = [];
  #readDelaysMs: number[] = [];
  #answered = 0;
  #windowMs = performance.now();
  #underWay = 0;

  constructor({ accounts, seed, answersFile }: TraderStart) {
    this.#flow = new Flow(accounts, seed);
    this.#answers = new AnswerWriter(answersFile);
  }

  async open({ port, connections, readers }: TraderStart): Promise<void> {
    const lost = (why: string): void => void this.#problems.push(`a connection with orders was lost: ${why}`);
    for (let i = 0; i < connections; i++) this.#connections.push(await RawConnection.open(port, lost));
    for (let i = 0; i < readers; i++) this.#readers.push(await RawConnection.open(port, lost));
    this.#free.push(...this.#connections);
    for (const reader of this.#readers) this.#queryHistory(reader);
  }

  closedLoop(): void {
    this.#mode = "closedLoop";
    while (this.#free.length > 0) this.#send(performance.now());
  }

  openLoop(rate: number, forgets: boolean): void {
    this.#everyMs = 1000 / rate;
    if (forgets || this.#mode !== "openLoop") this.#nextDueMs = performance.now();
    if (this.#mode === "openLoop") return;
    this.#mode = "openLoop";
    this.#poll();
  }

  #poll(): void {
    if (this.#mode !== "openLoop") return;
    this.#sendDue();
    setTimeout(() => this.#poll(), POLL_MS);
  }

  #sendDue(): void {
    const nowMs = performance.now();
    while (this.#nextDueMs <= nowMs && this.#free.length > 0) {
      this.#send(this.#nextDueMs);
      this.#nextDueMs += this.#everyMs;
    }
  }

  #send(dueMs: number): void {
    const connection = this.#free.pop() as RawConnection;
    const planned = this.#flow.next();
    this.#underWay++;
    connection.send(planned.request, (status, body) => {
      this.#underWay--;
      this.#free.push(connection);
      this.#record(planned, status, body, performance.now() - dueMs);
      if (this.#mode === "closedLoop") this.#send(performance.now());
      else if (this.#mode === "openLoop") this.#sendDue();
    });
  }

  #record(planned: Planned, status: number, body: string, delayMs: number): void {
    this.#answered++;
    const what = status === 200 ? "200" : `${status} ${/"code":(-\d+)/.exec(body)?.[1] ?? ""}`;
    this.#count(`${planned.kind} ${what}`);
    if (planned.kind === "read") return;
    this.#delaysMs.push(delayMs);
    this.#answers.write(planned.id, KINDS.indexOf(planned.kind), status, body);
    this.#flow.answered(planned, status, body);
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Sends one history query after another, with a pause. */
  #queryHistory(reader: RawConnection): void {
    setTimeout(() => {
      if (this.#mode === "stopping") return this.#queryHistory(reader);
      const sentMs = performance.now();
      reader.send(this.#flow.historyQuery(), (status) => {
        this.#readDelaysMs.push(performance.now() - sentMs);
        this.#count(`past ${status}`);
        this.#queryHistory(reader);
      });
    }, READ_PAUSE_MS).unref();
  }

  window(): void {
    const nowMs = performance.now();
    const backlog = this.#mode === "openLoop" ? Math.max(0, (nowMs - this.#nextDueMs) / this.#everyMs) : 0;
    report({
      type: "window",
      seconds: (nowMs - this.#windowMs) / 1000,
      answered: this.#answered,
      delaysMs: Float64Array.from(this.#delaysMs),
      readDelaysMs: Float64Array.from(this.#readDelaysMs),
      backlog: Math.round(backlog),
    });
    this.#delaysMs = [];
    this.#readDelaysMs = [];
    this.#answered = 0;
    this.#windowMs = nowMs;
  }

  /** Waits for every response while the connections are open; then for one more on each of them. */
  stop(): void {
    this.#mode = "stopping";
    const all = [...this.#connections, ...this.#readers];
    const isOver = (): boolean => all.every((connection) => !connection.isBusy || !connection.isOpen);
    if (!isOver()) return void setTimeout(() => this.stop(), 20);
    this.#answers.close();
    const counts = Object.fromEntries([...this.#counts].sort());
    report({ type: "stopped", sent: this.#flow.sent, unanswered: this.#underWay, counts });
    void this.#check(all);
  }

  async #check(all: readonly RawConnection[]): Promise<void> {
    for (const connection of all) {
      if (!connection.isOpen) continue;
      const status = await new Promise<number>((done) =>
        connection.send("GET /api/v3/time HTTP/1.1\r\nHost: soak\r\n\r\n", done),
      );
      if (status !== 200) this.#problems.push(`a connection with orders was answered ${status} in the end`);
    }
    report({ type: "checked", problems: this.#problems });
  }
}

let trader: Trader | undefined;

process.on("message", (order: TraderOrder) => {
  switch (order.type) {
    case "start":
      trader = new Trader(order);
      void trader.open(order).then(() => report({ type: "started" }));
      return;
    case "closedLoop":
      return trader?.closedLoop();
    case "openLoop":
      return trader?.openLoop(order.rate, order.forgets);
    case "window":
      return trader?.window();
    case "stop":
      return trader?.stop();
  }
});
process.once("disconnect", () => process.exit());
