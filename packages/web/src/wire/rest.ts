/** Requests to the node. Each ends with a value, or is rejected with `Refused`; none is ever repeated automatically. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { WIRE } from "../words/words.ts";
import { Clock } from "./clock.ts";
import { readAnswer } from "./read-answer.ts";
import { Refused } from "./refused.ts";
import type { SigningKey } from "./signing.ts";
import type { World } from "./world.ts";

// The requests.

type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** After so long without an answer, the outcome of a request counts as unknown. */
const ANSWER_WITHIN_MS = 10_000;
/** A signed request that is on its way for longer is not carried out (Interface 5.6). */
export const RECV_WINDOW_MS = 5000;
const TOO_MANY_REQUESTS = -1003;
const WRONG_TIME = -1021;
/** Where the node does not say how long: the window of its limits. */
const BLOCKED_MS = 60_000;

export class Rest {
  readonly clock = new Clock();
  readonly #base: string;
  readonly #world: World;
  readonly #blockedUntilMs = signal<number | null>(null);
  #facts: Promise<unknown> | null = null;

  /** `base` has no slash at its end; "" is where the page came from. */
  constructor(base: string, world: World) {
    this.#base = base;
    this.#world = world;
  }

  /** While the node refuses all requests of this address: until when, by the machine's clock. */
  get blockedUntilMs(): ReadonlySignal<number | null> {
    return this.#blockedUntilMs;
  }

  get<Value>(path: string, parameters: Parameters = {}): Promise<Value> {
    return this.#send<Value>("GET", path, encode(parameters), null);
  }

  /** A request with the key and without a signature (Interface 4.4). */
  keyed<Value>(method: Method, path: string, apiKey: string, parameters: Parameters = {}): Promise<Value> {
    return this.#send<Value>(method, path, encode(parameters), apiKey);
  }

  /** One that was refused for its time is signed once more with the right one: the node has not looked at it. */
  async signed<Value>(method: Method, path: string, key: SigningKey, parameters: Parameters = {}): Promise<Value> {
    if (this.clock.offsetMs.value === null) await this.readClock().catch(() => {});
    try {
      return await this.#sendSigned<Value>(method, path, key, parameters);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== WRONG_TIME) throw error;
      this.clock.forget();
      await this.readClock();
      return this.#sendSigned<Value>(method, path, key, parameters);
    }
  }

  /** What the node tells only its own page. Callers share the answer of a request under way. */
  terminalFacts<Facts>(): Promise<Facts> {
    this.#facts ??= this.get("/terminal.json").finally(() => {
      this.#facts = null;
    });
    return this.#facts as Promise<Facts>;
  }

  async readClock(): Promise<void> {
    const sentMs = this.#world.nowMs();
    const { serverTime } = await this.get<{ readonly serverTime: number }>("/api/v3/time");
    this.clock.note(serverTime, sentMs, this.#world.nowMs());
  }

  async #sendSigned<Value>(method: Method, path: string, key: SigningKey, parameters: Parameters): Promise<Value> {
    const timestamp = this.#world.nowMs() + (this.clock.offsetMs.value ?? 0);
    const text = encode({ ...parameters, recvWindow: RECV_WINDOW_MS, timestamp });
    return this.#send<Value>(method, path, `${text}&signature=${await key.sign(text)}`, key.apiKey);
  }

  async #send<Value>(method: Method, path: string, text: string, apiKey: string | null): Promise<Value> {
    this.#refuseWhileBlocked();
    const isInBody = method === "POST" || method === "PUT";
    const late = new AbortController();
    const stop = this.#world.after(ANSWER_WITHIN_MS, () => late.abort());
    const address = this.#base + path + (isInBody || text === "" ? "" : `?${text}`);
    try {
      const response = await this.#world
        .fetch(address, {
          method,
          headers: {
            ...(apiKey === null ? {} : { "X-MBX-APIKEY": apiKey }),
            ...(isInBody ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
          },
          body: isInBody ? text : null,
          cache: "no-store",
          credentials: "same-origin",
          redirect: "error",
          signal: late.signal,
        })
        .catch((cause: unknown) => {
          throw new Refused(late.signal.aborted ? WIRE.late : WIRE.unreachable, {
            code: null,
            isUnknown: true,
            data: cause,
          });
        });
      return await readAnswer<Value>(response);
    } catch (error) {
      if (error instanceof Refused && error.code === TOO_MANY_REQUESTS) this.#block(error);
      throw error;
    } finally {
      stop();
    }
  }

  #refuseWhileBlocked(): void {
    const untilMs = this.#blockedUntilMs.value;
    const leftMs = (untilMs ?? 0) - this.#world.nowMs();
    if (leftMs <= 0) return;
    throw new Refused(WIRE.blocked(Math.ceil(leftMs / 1000)), {
      ...{ code: TOO_MANY_REQUESTS, isUnknown: false, retryAfterMs: leftMs },
    });
  }

  #block({ status, retryAfterMs }: Refused): void {
    if (status !== 429 && status !== 418) return;
    const waitMs = retryAfterMs ?? BLOCKED_MS;
    const untilMs = this.#world.nowMs() + waitMs;
    if (untilMs <= (this.#blockedUntilMs.value ?? 0)) return;
    this.#blockedUntilMs.value = untilMs;
    this.#world.after(waitMs, () => {
      if (this.#blockedUntilMs.value === untilMs) this.#blockedUntilMs.value = null;
    });
  }
}

function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
