/** The user data stream of the terminal's account: by listen key for an API key, and the session's own for a session. */
import { AccountStream } from "../wire/account-stream.ts";
import { untilDone } from "../wire/pacing.ts";
import type { Access, Rest } from "../wire/rest.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";

export interface UserStreamParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  /** Called when the stream is open: no event is missed from then on. Called again after each gap. */
  readonly ready: () => void;
  readonly lost: () => void;
  readonly onEvent: (event: unknown) => void;
  readonly failed: (error: unknown) => void;
}

export interface UserStream {
  close(): void;
}

export function openUserStream(parts: UserStreamParts, access: Access): UserStream {
  return access.kind === "key" ? new ListenKeyStream(parts, access.apiKey) : new SessionStream(parts, access.sessionId);
}

// The stream of an API key: creates the listen key, keeps it alive, and creates another after it has expired (Interface 3.7, 4.4).

/** The interval of keep-alives. A listen key expires an hour after the last one. */
const KEEP_ALIVE_EVERY_MS = 20 * 60_000;

class ListenKeyStream implements UserStream {
  readonly #parts: UserStreamParts;
  readonly #apiKey: string;
  #listenKey: string | null = null;
  #unsubscribe = (): void => {};
  #cancelAsking = (): void => {};
  #cancelKeeping = (): void => {};
  /** Whether the listen key was requested on the current connection and is therefore valid. */
  #isFresh = false;

  constructor(parts: UserStreamParts, apiKey: string) {
    this.#parts = parts;
    this.#apiKey = apiKey;
    this.#ask();
  }

  /** Closes the stream. The listen key stays valid, because other programs of the account may use it. */
  close(): void {
    this.#cancelAsking();
    this.#cancelKeeping();
    this.#unsubscribe();
  }

  /** Requests the listen key. The node extends the existing key by an hour or creates a new one. */
  #ask(): void {
    const { rest, world, failed } = this.#parts;
    this.#cancelAsking();
    this.#cancelAsking = untilDone(
      world,
      async (isWanted) => {
        const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", this.#apiKey);
        if (isWanted()) this.#use(listenKey);
      },
      failed,
    );
  }

  #use(listenKey: string): void {
    this.#scheduleKeepAlive();
    this.#isFresh = true;
    if (listenKey === this.#listenKey) return this.#parts.ready();
    this.#unsubscribe();
    this.#listenKey = listenKey;
    this.#unsubscribe = this.#parts.streams.subscribe(listenKey, {
      // The node does not reject subscriptions to unknown keys, so the key is checked after each reconnect.
      opened: () => (this.#isFresh ? this.#parts.ready() : this.#ask()),
      lost: () => this.#lost(),
      message: (event) => this.#onEvent(event),
    });
  }

  #lost(): void {
    this.#isFresh = false;
    this.#cancelAsking();
    this.#parts.lost();
  }

  #onEvent(event: unknown): void {
    const { e, listenKey } = event as { readonly e?: string; readonly listenKey?: string };
    if (e !== "listenKeyExpired") return this.#parts.onEvent(event);
    if (listenKey !== this.#listenKey) return;
    this.#unsubscribe();
    this.#listenKey = null;
    this.#lost();
    this.#ask();
  }

  #scheduleKeepAlive(): void {
    const { world } = this.#parts;
    this.#cancelKeeping();
    // POST extends the key like PUT, but also creates a new key if the old one has expired.
    this.#cancelKeeping = world.after(KEEP_ALIVE_EVERY_MS, () => this.#extendKey());
  }

  #extendKey(): void {
    const { rest, world } = this.#parts;
    this.#cancelKeeping = untilDone(world, async (isWanted) => {
      const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", this.#apiKey);
      if (!isWanted()) return;
      if (listenKey === this.#listenKey) this.#scheduleKeepAlive();
      else this.#use(listenKey);
    });
  }
}

// The stream of a session: the node ends the stream with the session, wherever it is ended. The stream has a socket of its own, which
// is opened and given up with the connection of the market data: only that one is tested at intervals.

class SessionStream implements UserStream {
  readonly #stream: AccountStream;
  readonly #endWatch: () => void;

  constructor({ rest, streams, world, ready, lost, onEvent, failed }: UserStreamParts, sessionId: string) {
    const ticket = async (): Promise<string> =>
      (await rest.account<{ readonly ticket: string }>("POST", "ticket", sessionId)).ticket;
    this.#stream = new AccountStream({
      ...{ base: rest.base, world, ticket, lost, failed },
      opened: ready,
      onEvent: (text) => onEvent(JSON.parse(text)),
    });
    this.#endWatch = streams.state.subscribe(({ state }) => {
      if (state === "live") this.#stream.retryNow();
      else if (state === "down") this.#stream.drop();
    });
  }

  close(): void {
    this.#endWatch();
    this.#stream.close();
  }
}
