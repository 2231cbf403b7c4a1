/**
 * Admits requests and new WebSocket connections to a lab one at a time. While the clock advances, requests wait and are
 * admitted between two instants. While the clock stands still, each request is admitted when all work that the previous
 * one started has finished, such as a network's processing of a block.
 */
import type { Entrance, GatewayRequest, MethodRequest, Replier } from "../api/edge/request.ts";
import { onReply, RequestStage } from "./request-stage.ts";
import type { LabClock } from "./clock/lab-clock.ts";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import { endWith } from "../api/edge/http/own-answers.ts";
import { socketIp } from "../api/edge/client-address.ts";
import { answerText } from "../api/edge/http/headers.ts";
import type { FaultBook } from "./faults/fault-book.ts";

/** Requests that control the clock are admitted without waiting for it. */
const CLOCK_PATH = "/v1/lab/clock";

type Clock = Pick<LabClock, "isManual" | "isMoving" | "onBetweenMoments" | "settled">;

export class AdmissionQueue {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #isLettingIn = false;
  #answers = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    clock.onBetweenMoments(() => this.#letIn());
  }

  /** Calls `enter` when it is its turn: immediately, after earlier requests, or between two instants. */
  pass(enter: () => void): void {
    if (!this.#clock.isManual && !this.#clock.isMoving) {
      enter();
      return;
    }
    this.#waiting.push(enter);
    this.#letInOneByOne();
  }

  /** The number of answers sent to clients. */
  get answers(): number {
    return this.#answers;
  }

  /** Wraps a replier so that its answer is counted when it is sent, which may be after waiting for the clock. */
  counted(replier: Replier): Replier {
    return onReply(replier, (response, send) => {
      this.#answers += 1;
      send(response);
    });
  }

  /** Resolves when a request to the admin port is admitted. */
  admit(path: string): Promise<void> {
    if (path.startsWith(CLOCK_PATH)) return Promise.resolve();
    return new Promise((resolve) => this.pass(resolve));
  }

  /** Admits waiting requests. Returns whether there were any. */
  #letIn(): boolean {
    if (this.#waiting.length === 0) return false;
    if (this.#clock.isMoving) for (const enter of this.#waiting.splice(0)) enter();
    else this.#letInOneByOne();
    return true;
  }

  #letInOneByOne(): void {
    if (this.#isLettingIn || this.#clock.isMoving) return;
    this.#isLettingIn = true;
    // The promise never rejects.
    void this.#oneByOne();
  }

  async #oneByOne(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#clock.isMoving) {
      await this.#clock.settled();
      if (!this.#clock.isMoving) this.#waiting.shift()?.();
    }
    this.#isLettingIn = false;
  }
}

/**
 * Queues requests of external clients; callers inside the process do not use this queue. The gateway may be replaced
 * while a request waits, when the lab restores a checkpoint.
 */
export class QueuedRequests extends RequestStage {
  readonly #queue: AdmissionQueue;

  constructor(queue: AdmissionQueue, inner: Entrance) {
    super(inner);
    this.#queue = queue;
  }

  process(request: GatewayRequest, replier: Replier): void {
    this.#queue.pass(() => this.inner.process(request, this.#queue.counted(replier)));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    this.#queue.pass(() => this.inner.processMethod(request, this.#queue.counted(replier)));
  }
}

// New WebSocket connections wait in the same queue, and none is opened while the lab restores a checkpoint. The limits
// that apply to them and their first messages therefore belong to one instant.

export class QueuedUpgrades implements UpgradeTaker {
  readonly #queue: AdmissionQueue;
  readonly #strikesAt: FaultBook["strikesAt"];
  #taker: UpgradeTaker | undefined;

  constructor(queue: AdmissionQueue, strikesAt: FaultBook["strikesAt"]) {
    this.#queue = queue;
    this.#strikesAt = strikesAt;
  }

  /** Redirects waiting connections to a new gateway after a restore. */
  leadTo(taker: UpgradeTaker): void {
    this.#taker = taker;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: () => void): void {
    const { remoteAddress = "" } = request.socket;
    const early = [head];
    // Stops reading from a client that sends data before its handshake is answered.
    const hear = (bytes: Buffer): void => {
      early.push(bytes);
      socket.pause();
    };
    const lost = (): void => void socket.destroy();
    socket.on("data", hear).on("error", lost);
    this.#queue.pass(() => {
      socket.off("data", hear).off("error", lost);
      if (socket.destroyed) return;
      const [path = ""] = (request.url ?? "").split("?");
      const fault = this.#strikesAt({ ip: socketIp(remoteAddress), path });
      if (fault?.fault === "handshake") {
        const { status } = fault;
        socket.on("error", lost);
        endWith(socket, answerText({ status, headers: [], body: "" }));
        return;
      }
      this.#taker?.upgrade(request, socket, Buffer.concat(early), accepted);
      socket.resume();
    });
  }
}
