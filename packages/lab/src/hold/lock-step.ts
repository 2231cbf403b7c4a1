/**
 * The lock step between a bot and its lab. Sends `done` when the bot is idle and the lab has nothing more to send at
 * this instant. Then waits until the clock has advanced, runs the timers that are due, and starts again.
 */
import { Agent, type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";
import type { Moment } from "../types.ts";
import type { Activity } from "./activity.ts";
import { type LabTime, MACHINE, nextTurn, pause } from "./timers.ts";
import { writeSync } from "node:fs";

// The connection from the bot to its lab's clock. It does not count as the bot's activity.

export interface LabAddress {
  readonly url: string;
  readonly token: string;
}

export class LabLine {
  readonly #address: LabAddress;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Called with each new socket of this connection. */
  onSocket: (socket: Socket) => void = () => {};
  #under: ClientRequest | undefined;
  #isRef = true;

  constructor(address: LabAddress) {
    this.#address = address;
  }

  /**
   * Sends a request. Resolves to the parsed answer. Rejects with an Error that names the lab and includes its answer.
   */
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { url, token } = this.#address;
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`pricetime/lab/hold: ${method} ${url}${path}: ${why}`));
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      };
      const sent = request(url + path, { agent: this.#agent, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
        answer.once("error", (error) => fail(error.message));
        answer.once("end", () => {
          this.#under = undefined;
          const received = Buffer.concat(chunks).toString("utf8");
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(received || "null") as Answer);
          else fail(received);
        });
      });
      this.#under = sent;
      sent.once("socket", (socket) => {
        this.onSocket(socket);
        this.#apply();
      });
      sent.once("error", (error: NodeJS.ErrnoException) => {
        // The connection was closed while it was idle, so the lab has not read the request.
        if (sent.reusedSocket && error.code === "ECONNRESET")
          this.ask<Answer>(method, path, body).then(resolve, reject);
        else fail(error.message);
      });
      sent.end(text);
    });
  }

  /** Sets whether the pending request keeps the process alive. */
  keepAlive(isRef: boolean): void {
    this.#isRef = isRef;
    this.#apply();
  }

  #apply(): void {
    const socket = this.#under?.socket;
    if (this.#isRef) socket?.ref();
    else socket?.unref();
  }
}

/** The number of consecutive idle turns of the event loop after which no work is left. */
const CALM_TURNS = 2;
/** The number of turns after which a busy bot is polled less often. */
const BUSY_TURNS = 200;
const BUSY_PAUSE_MS = 1;
/**
 * The number of consecutive answers after which the lab counts as having nothing to send. It needs two turns to read a
 * new connection.
 */
const SILENT_ANSWERS = 2;

export interface LockStepOptions {
  readonly line: LabLine;
  readonly time: LabTime;
  readonly activity: Activity;
  readonly client: string;
  /** The processing time of each step, in milliseconds of the lab's clock. */
  readonly tookMs: number | undefined;
}

export class LockStep {
  readonly #options: LockStepOptions;
  #isOver = false;

  constructor(options: LockStepOptions) {
    this.#options = options;
  }

  /** Runs the lock step until `stop`. Rejects if the lab does not answer. */
  async run(): Promise<void> {
    const { time } = this.#options;
    while (!this.#isOver) {
      await this.#idle();
      if (this.#isOver) return;
      const { nowMs } = await this.#done();
      time.set(nowMs);
      // Messages are always read after the timers of the same instant, so that runs are repeatable.
      await this.#runDue();
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Resolves when the bot is idle and no answer to it is pending. */
  async #idle(): Promise<void> {
    const { activity, line } = this.#options;
    await this.#calm();
    let sinceSent = SILENT_ANSWERS;
    for (let silent = 0; silent < SILENT_ANSWERS && !this.#isOver; ) {
      const { carried, sends } = activity;
      // The lab must have read the data of one connection before another connection sends any.
      if (sinceSent >= SILENT_ANSWERS && sends.next()) sinceSent = 0;
      sinceSent++;
      this.#keepAlive();
      // The advance by 0 ms does not move the clock. The lab answers when it has finished everything that it read
      // before.
      await line.ask("POST", "/v1/lab/clock/advance", { ms: 0 });
      await activity.read(() => this.#calm());
      await this.#calm();
      silent = activity.carried === carried && !sends.isWaiting ? silent + 1 : 0;
    }
  }

  /** Resolves after some turns of the event loop without activity. */
  async #calm(): Promise<void> {
    const { activity } = this.#options;
    let carried = activity.carried;
    for (let turns = 0, calm = 0; calm < CALM_TURNS; turns++) {
      await (turns < BUSY_TURNS ? nextTurn() : pause(BUSY_PAUSE_MS));
      const isCalm = !activity.isBusy && activity.carried === carried;
      carried = activity.carried;
      calm = isCalm ? calm + 1 : 0;
    }
  }

  /** Reports that the bot is done. Resolves at the next instant at which it runs. */
  async #done(): Promise<Moment> {
    const { client, line, time, tookMs } = this.#options;
    const untilMs = time.due.nextMs;
    this.#keepAlive();
    return line.ask<Moment>("POST", "/v1/lab/clock/done", {
      name: client,
      ...(untilMs !== undefined && { untilMs }),
      ...(tookMs !== undefined && { tookMs }),
    });
  }

  /**
   * Runs the timers that are due. Each task runs in its own turn of the event loop, so that the promises it resolves
   * are handled before the next task.
   */
  async #runDue(): Promise<void> {
    const { due } = this.#options.time;
    const { nowMs } = this.#options.time;
    for (let task = due.take(nowMs); task !== undefined; task = due.take(nowMs)) {
      const next = task;
      await new Promise<void>((resolve) => {
        MACHINE.setImmediate(() => {
          try {
            next.run();
          } finally {
            resolve();
          }
        });
      });
    }
  }

  /** Lets a bot exit that waits only for the lab's clock and has no timer and no connection. */
  #keepAlive(): void {
    const { activity, line, time } = this.#options;
    line.keepAlive(time.due.isWaitedFor || activity.isConnected);
  }
}

// Reports that a termination signal has reached the bot. The sender lets the clock continue only after the report, so
// that runs are repeatable.

const SIGNAL = "SIGTERM";

/** Reports each SIGTERM to the file descriptor. The signal still ends a bot that has no listener of its own. */
export function reportSignals(file: number): void {
  const report = (): void => {
    try {
      writeSync(file, `${SIGNAL}\n`);
    } catch {
      // The receiver has already closed its end.
    }
  };
  const isThere = (): boolean => process.listeners(SIGNAL).includes(report);
  process.on("newListener", (event, listener) => {
    if (event === SIGNAL && listener !== report && !isThere()) process.on(SIGNAL, report);
  });
  process.on("removeListener", (event) => {
    if (event === SIGNAL && process.listenerCount(SIGNAL) === 1 && isThere()) process.off(SIGNAL, report);
  });
}
