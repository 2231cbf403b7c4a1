/**
 * The session of a signed-in customer, which the terminal and the account pages share: the headers of its requests, and
 * the note by which the pages of a browser learn that another one has signed in or out.
 */
import type { World } from "./world.ts";

/**
 * The headers without which the node rejects requests of a session. Pages of other sites cannot send them. The node
 * also rejects a request that names another session than the cookie's: after a sign-in as another customer in another
 * tab, a page must not act for that customer before it shows that account.
 */
export function pageHeaders(sessionId: string | null): Readonly<Record<string, string>> {
  return { "X-Pricetime-Page": "account", ...(sessionId !== null && { "X-Pricetime-Session": sessionId }) };
}

/** The HTTP status of a request without a valid session. */
export const UNAUTHORIZED = 401;

/** How often a page requests its session, which also renews the session's secret when it is old. */
export const RENEW_SESSION_MS = 600_000;

/**
 * The storage key of the ID of the session. Scripts cannot read the session cookie, and without the note, browsers would
 * log an error for each request without a session. The ID grants no access.
 */
const NAME = "pricetime.account.1";

type NoteStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class SessionNote {
  readonly #store: NoteStore | null;
  readonly #world: Pick<World, "onStored" | "onWake">;

  /** `store` is `localStorage`, or null if the browser forbids it. */
  constructor(store: NoteStore | null, world: Pick<World, "onStored" | "onWake">) {
    this.#store = store;
    this.#world = world;
  }

  /** Whether the browser can have a session: if it forbids storage, it also stores no cookie. */
  get isAllowed(): boolean {
    return this.#store !== null;
  }

  /** The ID of the session; "" if the browser has none; null if this is unknown. */
  read(): string | null {
    try {
      return this.#store?.getItem(NAME) ?? "";
    } catch {
      return null;
    }
  }

  /** Notes a session; "": none. */
  write(sessionId: string): void {
    try {
      if (sessionId === "") this.#store?.removeItem(NAME);
      else if (this.read() !== sessionId) this.#store?.setItem(NAME, sessionId);
    } catch {
      // If the storage is full or forbidden, other pages ask the node when they are seen again.
    }
  }

  /** Calls `run` when another page may have signed in or out. The returned function stops this. */
  onChange(run: () => void): () => void {
    const ends = [this.#world.onStored(NAME, run), this.#world.onWake(run)];
    return () => {
      for (const end of ends) end();
    };
  }
}
