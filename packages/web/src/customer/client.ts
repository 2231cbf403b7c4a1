/**
 * The client of the account pages: requests, which return a value or reject with `Denied`, and the account's event
 * stream.
 */
import { type Query, queryText, type World } from "../wire/world.ts";
import { deniedOf, type Method, questionOf, request, valueOf } from "../pages/request.ts";
import { customerWords } from "../words/words.ts";
import { AccountStream, sessionPath } from "../wire/account-stream.ts";
import { pageHeaders, UNAUTHORIZED } from "../wire/session.ts";

export interface Sent {
  readonly query?: Query;
  /** The body, sent as JSON; undefined if there is none. */
  readonly body?: unknown;
}

/** Maximum time to wait for a response. */
const ANSWER_WITHIN_MS = 60_000;
interface WireParts {
  /** The URL of the node, without a trailing slash. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  /** The ID of the session that the pages show; null if none is known. */
  readonly sessionId: () => string | null;
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
    const { base, world, sessionId, onUnauthenticated } = this.#parts;
    // Requesting the session finds out which one the cookie has.
    const named = path === "/account/v1/session" ? null : sessionId();
    const headers = { ...pageHeaders(named), ...(type !== undefined && { "Content-Type": type }) };
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
  /** Called with the text of each event. */
  readonly onEvent: (text: string) => void;
  readonly onMoved: () => void;
}

/** Follows the stream until the returned function is called. */
export function followUser({ wire, world, onEvent, onMoved }: StreamParts): () => void {
  let isPausing = false;
  let hasEvents = false;
  let hasOpened = false;
  let isWanted = true;
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
  const stream = new AccountStream({
    ...{ base: wire.base, world, lost: () => {}, failed: () => {} },
    path: sessionPath(async () => (await wire.account<{ readonly ticket: string }>("POST", "ticket")).ticket),
    opened() {
      // Events between two streams are lost, so all data is fetched again.
      if (hasOpened) moved();
      hasOpened = true;
    },
    onEvent(text) {
      onEvent(text);
      moved();
    },
  });
  return () => {
    isWanted = false;
    stream.close();
  };
}
