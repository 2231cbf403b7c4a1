/** Requests to a lab, under the node's `/lab/…`, with the token that the node sent to this page (decision 47). */
import { WIRE } from "../words/words.ts";
import { refusalOf, Refused } from "../wire/rest.ts";
import type { World } from "../wire/world.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Seen } from "./port.ts";

type Method = "GET" | "POST" | "DELETE";

/** Maximum time to wait for a response. Advancing a busy market by a day takes more than a minute. */
const ANSWER_WITHIN_MS = 600_000;
const NOT_FOUND = 404;
const TOKEN_HEADER = "X-Pricetime-Lab";

export interface LabRequestParts {
  /** The URL of the node, without a trailing slash. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
}

/** An error response of a lab, with its error code. */
export class LabRefused extends Refused {
  /** The lab's error code; "" if the response did not come from a lab. */
  readonly word: string;

  constructor(message: string, status: number, word: string) {
    super(message, { code: null, isUnknown: status >= 500, status });
    this.word = word;
  }

  /** Whether the node is not a lab, or no longer accepts the token. */
  get isNoLab(): boolean {
    return this.status === NOT_FOUND && this.word === "";
  }

  /** Whether this lab does not have the requested part. */
  get isAbsent(): boolean {
    return this.word === "UNKNOWN_PATH";
  }
}

/** Sends a request to the lab. Rejects with `LabRefused`, or with `Refused` if there is no response. */
export async function askLab<Value>(
  { base, world }: LabRequestParts,
  token: string,
  [method, path, body]: readonly [method: Method, path: string, body?: object],
): Promise<Value> {
  const late = new AbortController();
  const stop = world.after(ANSWER_WITHIN_MS, () => late.abort());
  try {
    const response = await world.fetch(`${base}/lab/${path}`, {
      method,
      headers: { [TOKEN_HEADER]: token, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      signal: late.signal,
    });
    return await readLabAnswer<Value>(response);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(late.signal.aborted ? WIRE.late : WIRE.unreachable, { code: null, isUnknown: true, data: error });
  } finally {
    stop();
  }
}

async function readLabAnswer<Value>(response: Response): Promise<Value> {
  const { status, ok } = response;
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LabRefused(WIRE.noJson(status), status, "");
  }
  if (ok) return value as Value;
  const { error, message } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  throw new LabRefused(
    typeof message === "string" ? message : WIRE.noJson(status),
    status,
    typeof error === "string" ? error : "",
  );
}

// A part of the lab that is read repeatedly, such as its faults, agents or replays.

const UNSEEN = { state: "unknown", problem: null } as const;

export class LabPart<Value> {
  readonly #path: string;
  readonly #ask: (path: string) => Promise<Value>;
  readonly #seen = signal<Seen<Value>>(UNSEEN);
  readonly seen: ReadonlySignal<Seen<Value>> = this.#seen;
  /**
   * The number of resets. A response to a request from before a reset is dropped, because it may be from another lab.
   */
  #round = 0;

  constructor(path: string, ask: (path: string) => Promise<Value>) {
    this.#path = path;
    this.#ask = ask;
  }

  /**
   * Reads the part. If the lab does not have it, the part is not requested again until `mayBeThere`. The promise never
   * rejects.
   */
  async look(): Promise<void> {
    if (this.#seen.peek().state === "absent") return;
    const round = this.#round;
    const seen = await this.#ask(this.#path).then(
      (value): Seen<Value> => ({ state: "known", value, problem: null }),
      (error: unknown): Seen<Value> => {
        if (error instanceof LabRefused && error.isAbsent) return { state: "absent", problem: null };
        return { ...this.#seen.peek(), problem: refusalOf(error).message };
      },
    );
    if (round === this.#round) this.#seen.value = seen;
  }

  /** Called when the lab may have changed, so that a missing part is requested again. */
  mayBeThere(): void {
    if (this.#seen.peek().state === "absent") this.forget();
  }

  forget(): void {
    this.#round++;
    this.#seen.value = UNSEEN;
  }
}
