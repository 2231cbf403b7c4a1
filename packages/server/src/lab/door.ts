/**
 * The door of a lab: while its clock is on the way from one time to another, requests wait, and come in between two
 * moments. While it stands, they come in one by one, each when all that the one before has set off is over, such as
 * what a network does about a block that was mined. So what they do does not depend on how quick the machine is.
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
