/**
 * Lets requests and new WebSocket connections into a lab one by one. While the clock advances from one time to
 * another, requests wait, and enter between two moments. While it stands, each enters when everything that the one
 * before it started is over, such as what a network does after a block.
 */
import type { ApiError } from "@pricetime/protocol";
import type {
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  MethodSink,
  Replier,
  RequestSink,
} from "../api/edge/request.ts";
import type { LabClock } from "./clock/lab-clock.ts";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import { endWith } from "../api/edge/http/own-answers.ts";
import { socketIp } from "../api/edge/client-address.ts";
import { answerText } from "../api/edge/http/headers.ts";
import type { FaultBook } from "./faults/fault-book.ts";

/** Where the clock is held: these do not wait for it. */
const CLOCK_PATH = "/v1/lab/clock";

type Clock = Pick<LabClock, "isManual" | "isMoving" | "onBetweenMoments" | "settled">;

export class Door {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #isLettingIn = false;
  #answers = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    clock.onBetweenMoments(() => this.#letIn());
  }

  /** Calls `enter` at once, or when its turn has come, or between two moments. */
  pass(enter: () => void): void {
    if (!this.#clock.isManual && !this.#clock.isMoving) {
      enter();
      return;
    }
    this.#waiting.push(enter);
    this.#letInOneByOne();
  }

  /** The number of answers that clients were sent. */
  get answers(): number {
    return this.#answers;
  }

  /** The replier, whose answer is counted when it leaves: it may have waited for the clock. */
  counted(replier: Replier): Replier {
    const count = (): void => void (this.#answers += 1);
    const reply = (response: GatewayResponse): void => {
      count();
      replier.reply(response);
    };
    if (replier.spoil === undefined) return { reply };
    return {
      reply,
      spoil: (response, how) => {
        count();
        replier.spoil?.(response, how);
      },
    };
  }

  /** Lets in requests to the admin port. */
  admit(path: string): Promise<void> {
    if (path.startsWith(CLOCK_PATH)) return Promise.resolve();
    return new Promise((resolve) => this.pass(resolve));
  }

  /** Returns whether anybody came in. */
  #letIn(): boolean {
    if (this.#waiting.length === 0) return false;
    if (this.#clock.isMoving) for (const enter of this.#waiting.splice(0)) enter();
    else this.#letInOneByOne();
    return true;
  }

  #letInOneByOne(): void {
    if (this.#isLettingIn || this.#clock.isMoving) return;
    this.#isLettingIn = true;
    // Never rejects.
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
 * Requests of clients, which pass the door. Callers inside the process do not come this way. Behind it may be another
 * gateway when a request comes in than when it came: the lab went back in between.
 */
export class DoorSink implements RequestSink, MethodSink {
  readonly #door: Door;
  #sink: RequestSink & MethodSink;

  constructor(door: Door, sink: RequestSink & MethodSink) {
    this.#door = door;
    this.#sink = sink;
  }

  leadTo(sink: RequestSink & MethodSink): void {
    this.#sink = sink;
  }

  process(request: GatewayRequest, replier: Replier): void {
    this.#door.pass(() => this.#sink.process(request, this.#door.counted(replier)));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    this.#door.pass(() => this.#sink.processMethod(request, this.#door.counted(replier)));
  }

  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void {
    this.#sink.turnAway(ip, path, error, replier);
  }

  charge(ip: string): GatewayResponse | null {
    return this.#sink.charge(ip);
  }

  ban(ip: string): GatewayResponse | null {
    return this.#sink.ban(ip);
  }
}

// New WebSocket connections take the same way, and none opens while the lab restores a checkpoint. So the limits
// that they count for, and the first messages that they get, belong to one moment.

export class DoorUpgrades implements UpgradeTaker {
  readonly #door: Door;
  readonly #strikesAt: FaultBook["strikesAt"];
  #taker: UpgradeTaker | undefined;

  constructor(door: Door, strikesAt: FaultBook["strikesAt"]) {
    this.#door = door;
    this.#strikesAt = strikesAt;
  }

  /** Leads waiting connections to a new gateway, because the lab went back while they waited. */
  leadTo(taker: UpgradeTaker): void {
    this.#taker = taker;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: () => void): void {
    const { remoteAddress = "" } = request.socket;
    const early = [head];
    // A client that speaks before it is answered waits behind its first words.
    const hear = (bytes: Buffer): void => {
      early.push(bytes);
      socket.pause();
    };
    const lost = (): void => void socket.destroy();
    socket.on("data", hear).on("error", lost);
    this.#door.pass(() => {
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
