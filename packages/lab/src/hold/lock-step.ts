/**
 * The lock step of a bot and its lab. Sends `done` when nothing is under way in the bot and the lab has nothing more
 * to send at this moment. Then waits until the clock has moved, runs what is due, and begins again.
 */
import { Agent, type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";
import type { Moment } from "../types.ts";
import type { Activity } from "./activity.ts";
import { type LabTime, MACHINE, nextTurn, pause } from "./timers.ts";
import { writeSync } from "node:fs";

// The connection from the bot to its lab's clock, which does not count in the bot's idleness.

export interface LabAddress {
  readonly url: string;
  readonly token: string;
}

export class LabLine {
  readonly #address: LabAddress;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Called with each socket of this line. */
  onSocket: (socket: Socket) => void = () => {};
  #under: ClientRequest | undefined;
  #isRef = true;

  constructor(address: LabAddress) {
    this.#address = address;
  }

  /** The parsed answer. Rejects with an Error that names the lab and what it said. */
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
          const said = Buffer.concat(chunks).toString("utf8");
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(said || "null") as Answer);
          else fail(said);
        });
      });
      this.#under = sent;
      sent.once("socket", (socket) => {
        this.onSocket(socket);
        this.#apply();
      });
      sent.once("error", (error: NodeJS.ErrnoException) => {
        // Closed while it was idle: the lab has not read it.
        if (sent.reusedSocket && error.code === "ECONNRESET")
          this.ask<Answer>(method, path, body).then(resolve, reject);
        else fail(error.message);
      });
      sent.end(text);
    });
  }

  /** Whether the process waits for the answer. */
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

/** After so many idle turns of the event loop, nothing of the work is left. */
const CALM_TURNS = 2;
/** Turns after which a busy bot is looked at less often. */
const BUSY_TURNS = 200;
const BUSY_PAUSE_MS = 1;
/** So many times in a row the lab must have had nothing to say: it needs two turns to read a new connection. */
const SILENT_ANSWERS = 2;

export interface LockStepOptions {
  readonly line: LabLine;
  readonly time: LabTime;
  readonly activity: Activity;
  readonly client: string;
  /** Time of the lab's clock that each moment's thinking costs. */
  readonly tookMs: number | undefined;
}

export class LockStep {
  readonly #options: LockStepOptions;
  #isOver = false;

  constructor(options: LockStepOptions) {
    this.#options = options;
  }

  /** Runs until `stop`; rejects when the lab does not answer. */
  async run(): Promise<void> {
    const { time } = this.#options;
    while (!this.#isOver) {
      await this.#idle();
      if (this.#isOver) return;
      const { nowMs } = await this.#done();
      time.set(nowMs);
      // The moment's messages are read after its timers: always, so that it is the same each time.
      await this.#runDue();
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Resolves when the bot has nothing to do, and nothing of what it asked for is on its way. */
  async #idle(): Promise<void> {
    const { activity, line } = this.#options;
    await this.#calm();
    let sinceSent = SILENT_ANSWERS;
    for (let silent = 0; silent < SILENT_ANSWERS && !this.#isOver; ) {
      const { carried, sends } = activity;
      // The lab must have read what one connection has brought before the next one brings anything.
      if (sinceSent >= SILENT_ANSWERS && sends.next()) sinceSent = 0;
      sinceSent++;
      this.#keepAlive();
      // This is no step: the answer comes when everything is over that the lab has read before.
      await line.ask("POST", "/v1/lab/clock/advance", { ms: 0 });
      await activity.read(() => this.#calm());
      await this.#calm();
      silent = activity.carried === carried && !sends.isWaiting ? silent + 1 : 0;
    }
  }

  /** Resolves after some turns of the event loop in which nothing happened. */
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

  /** Resolves at the bot's next moment. */
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

  /** Each in a turn of its own, so that what it promised is kept before the next. */
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

  /** A bot that waits for nothing but the lab's clock ends when it has no timer and no connection. */
  #keepAlive(): void {
    const { activity, line, time } = this.#options;
    line.keepAlive(time.due.isWaitedFor || activity.isConnected);
  }
}

// Reports that a signal to end has reached the bot. Its sender lets the clock go on only then, so that runs repeat.

const SIGNAL = "SIGTERM";

/** A bot that listens for no signal is ended by it, as without us. */
export function tellSignals(file: number): void {
  const tell = (): void => {
    try {
      writeSync(file, `${SIGNAL}\n`);
    } catch {
      // The receiver is gone.
    }
  };
  const isThere = (): boolean => process.listeners(SIGNAL).includes(tell);
  process.on("newListener", (event, listener) => {
    if (event === SIGNAL && listener !== tell && !isThere()) process.on(SIGNAL, tell);
  });
  process.on("removeListener", (event) => {
    if (event === SIGNAL && process.listenerCount(SIGNAL) === 1 && isThere()) process.off(SIGNAL, tell);
  });
}
