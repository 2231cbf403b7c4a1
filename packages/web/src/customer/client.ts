/**
 * The client of the account pages: requests, which return a value or reject with `Denied`, and the account's event
 * stream.
 */
import { type Query, queryText, type World } from "../wire/world.ts";
import { deniedOf, type Method, questionOf, request, UNAUTHORIZED, valueOf } from "../pages/request.ts";
import { customerWords } from "../words/words.ts";
import { waitBefore } from "../wire/pacing.ts";

export interface Sent {
  readonly query?: Query;
  /** The body, sent as JSON; undefined if there is none. */
  readonly body?: unknown;
}

/** Maximum time to wait for a response. */
const ANSWER_WITHIN_MS = 60_000;
/** The header without which the node rejects requests of a session. Pages of other sites cannot send it. */
const GUARD = { "X-Pricetime-Page": "account" } as const;

interface WireParts {
  /** The URL of the node, without a trailing slash. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  /** Called when the node rejects the session. */
  readonly onUnauthenticated: () => void;
}

export class Wire {
  readonly #parts: WireParts;

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  get base(): string {
    return this.#parts.base;
  }

  /** Calls the account API; `path` is relative to `/account/v1/`. */
  async account<Value>(method: Method, path: string, { query = {}, body }: Sent = {}): Promise<Value> {
    const response = await this.#send(method, `/account/v1/${path}${questionOf(query)}`, {
      ...(body !== undefined && { type: "application/json", body: JSON.stringify(body) }),
    });
    return valueOf<Value>(response, method, customerWords);
  }

  /** Fetches a file of the account API, to be saved or verified unchanged. */
  async file(path: string, query: Query = {}): Promise<Blob> {
    const response = await this.#send("GET", `/account/v1/${path}${questionOf(query)}`, {});
    return response.blob();
  }

  /** Calls the exchange API; `path` is absolute. */
  async exchange<Value>(method: Method, path: string, query: Query = {}): Promise<Value> {
    const isForm = method === "POST" || method === "PUT";
    const response = await this.#send(method, isForm ? path : path + questionOf(query), {
      ...(isForm && { type: "application/x-www-form-urlencoded", body: queryText(query) }),
    });
    return valueOf<Value>(response, method, customerWords);
  }

  async #send(method: Method, path: string, { type, body }: { type?: string; body?: string }): Promise<Response> {
    const { base, world, onUnauthenticated } = this.#parts;
    const headers = { ...GUARD, ...(type !== undefined && { "Content-Type": type }) };
    const requestOptions = { method, headers, body, credentials: "same-origin", withinMs: ANSWER_WITHIN_MS } as const;
    return request(world, base + path, requestOptions, customerWords).catch((error: unknown) => {
      if (deniedOf(error).status === UNAUTHORIZED) onUnauthenticated();
      throw error;
    });
  }
}

// Follows the account's event stream, so that pages fetch their data again after events.

/** The minimum time between two updates of the pages. The first event causes an update at once. */
const PACE_MS = 3_000;

interface StreamParts {
  readonly wire: Wire;
  readonly world: World;
  readonly onMoved: () => void;
}

/** Follows the stream until the returned function is called. If the stream fails or ends, it is opened again later. */
export function followUser({ wire, world, onMoved }: StreamParts): () => void {
  let socket: WebSocket | null = null;
  let isWanted = true;
  let failures = 0;
  let stopWaiting = (): void => {};
  let isPausing = false;
  let hasEvents = false;
  const later = (): void => {
    if (isWanted) stopWaiting = world.after(waitBefore(failures++, world), () => void open());
  };
  const moved = (): void => {
    hasEvents = true;
    if (isPausing || !isWanted) return;
    hasEvents = false;
    isPausing = true;
    onMoved();
    world.after(PACE_MS, () => {
      isPausing = false;
      if (hasEvents) moved();
    });
  };
  // The promise never rejects.
  const open = async (): Promise<void> => {
    try {
      const { ticket } = await wire.account<{ ticket: string }>("POST", "ticket");
      if (!isWanted) return;
      socket = world.openSocket(
        `${wire.base.replace("http", "ws")}/account/stream?ticket=${encodeURIComponent(ticket)}`,
      );
      socket.addEventListener("open", () => {
        // Events between two streams are lost, so all data is fetched again.
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
