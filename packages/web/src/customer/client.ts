/** The client of the account pages: requests, each of which returns a value or fails with `Denied`, and the account's event stream. */
import {
  deniedOf,
  type Method,
  type Query,
  queryText,
  questionOf,
  request,
  UNAUTHORIZED,
  valueOf,
} from "../pages/request.ts";
import type { World } from "../wire/world.ts";
import { customerSays } from "../words/words.ts";
import { waitBefore } from "../wire/pacing.ts";

export interface Sent {
  readonly query?: Query;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

/** The longest wait for an answer. */
const ANSWER_WITHIN_MS = 60_000;
/** No page of another site can send it: the node takes a session's requests with it alone. */
const GUARD = { "X-Pricetime-Page": "account" } as const;

interface WireParts {
  /** The address of the node, without a slash at its end. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  /** Somebody who may be signed in was not recognized. */
  readonly onStranger: () => void;
}

export class Wire {
  readonly #parts: WireParts;

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  get base(): string {
    return this.#parts.base;
  }

  /** Asks the account API; `path` is what stands behind `/account/v1/`. */
  async account<Value>(method: Method, path: string, { query = {}, body }: Sent = {}): Promise<Value> {
    const response = await this.#send(method, `/account/v1/${path}${questionOf(query)}`, {
      ...(body !== undefined && { type: "application/json", body: JSON.stringify(body) }),
    });
    return valueOf<Value>(response, method, customerSays);
  }

  /** The bytes of an answer, to be saved or checked as they came. */
  async file(path: string, query: Query = {}): Promise<Blob> {
    const response = await this.#send("GET", `/account/v1/${path}${questionOf(query)}`, {});
    return response.blob();
  }

  /** Asks by the interface that programs use; `path` is whole. */
  async exchange<Value>(method: Method, path: string, query: Query = {}): Promise<Value> {
    const isForm = method === "POST" || method === "PUT";
    const response = await this.#send(method, isForm ? path : path + questionOf(query), {
      ...(isForm && { type: "application/x-www-form-urlencoded", body: queryText(query) }),
    });
    return valueOf<Value>(response, method, customerSays);
  }

  async #send(method: Method, path: string, { type, body }: { type?: string; body?: string }): Promise<Response> {
    const { base, world, onStranger } = this.#parts;
    const headers = { ...GUARD, ...(type !== undefined && { "Content-Type": type }) };
    const asked = { method, headers, body, credentials: "same-origin", withinMs: ANSWER_WITHIN_MS } as const;
    return request(world, base + path, asked, customerSays).catch((error: unknown) => {
      if (deniedOf(error).status === UNAUTHORIZED) onStranger();
      throw error;
    });
  }
}

// Each event of the account's stream makes the pages request their data again.

/** The first of what is told is heeded at once; however much follows, the pages ask no more often than that. */
const PACE_MS = 3_000;

interface StreamParts {
  readonly wire: Wire;
  readonly world: World;
  readonly onMoved: () => void;
}

/** Follows it until what is returned is called. A stream that cannot be had, or ends, is asked for again later. */
export function followUser({ wire, world, onMoved }: StreamParts): () => void {
  let socket: WebSocket | null = null;
  let isWanted = true;
  let failures = 0;
  let stopWaiting = (): void => {};
  let isPausing = false;
  let isTold = false;
  const later = (): void => {
    if (isWanted) stopWaiting = world.after(waitBefore(failures++, world), () => void open());
  };
  const moved = (): void => {
    isTold = true;
    if (isPausing || !isWanted) return;
    isTold = false;
    isPausing = true;
    onMoved();
    world.after(PACE_MS, () => {
      isPausing = false;
      if (isTold) moved();
    });
  };
  // Never rejects.
  const open = async (): Promise<void> => {
    try {
      const { ticket } = await wire.account<{ ticket: string }>("POST", "ticket");
      if (!isWanted) return;
      socket = world.openSocket(
        `${wire.base.replace("http", "ws")}/account/stream?ticket=${encodeURIComponent(ticket)}`,
      );
      socket.addEventListener("open", () => {
        // What happened between two streams was told to nobody.
        if (failures > 0) moved();
        failures = 0;
      });
      socket.addEventListener("message", moved);
      socket.addEventListener("close", later);
    } catch {
      later();
    }
  };
  void open();
  return () => {
    isWanted = false;
    stopWaiting();
    socket?.close();
  };
}
