/** An account's stream of events: its listen key made, kept alive, and made anew (Interface 3.7, 4.4). */
import type { Rest } from "../wire/rest.ts";
import { untilDone } from "../wire/retry.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";

export interface UserStreamParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly apiKey: string;
  /** From this call on no event of the account is missed; after a gap it is called again. */
  readonly ready: () => void;
  readonly lost: () => void;
  readonly heard: (event: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A key lives for an hour after it was last kept alive. */
const KEEP_ALIVE_EVERY_MS = 20 * 60_000;

export class UserStream {
  readonly #parts: UserStreamParts;
  #listenKey: string | null = null;
  #unsubscribe = (): void => {};
  #cancelAsking = (): void => {};
  #cancelKeeping = (): void => {};
  /** The key was asked for on this connection: it is good. */
  #isFresh = false;

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    this.#ask();
  }

  /** The key is left open: the account's other programs may be listening to it. */
  close(): void {
    this.#cancelAsking();
    this.#cancelKeeping();
    this.#unsubscribe();
  }

  /** The node answers with the open key and gives it another hour, or makes a new key. */
  #ask(): void {
    const { rest, world, apiKey, failed } = this.#parts;
    this.#cancelAsking();
    this.#cancelAsking = untilDone(
      world,
      async (isWanted) => {
        const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", apiKey);
        if (isWanted()) this.#use(listenKey);
      },
      failed,
    );
  }

  #use(listenKey: string): void {
    this.#keepAlive();
    this.#isFresh = true;
    if (listenKey === this.#listenKey) return this.#parts.ready();
    this.#unsubscribe();
    this.#listenKey = listenKey;
    this.#unsubscribe = this.#parts.streams.subscribe(listenKey, {
      // A subscription to an unknown key is silent, so after each break the key is checked.
      opened: () => (this.#isFresh ? this.#parts.ready() : this.#ask()),
      lost: () => this.#lost(),
      message: (event) => this.#hear(event),
    });
  }

  #lost(): void {
    this.#isFresh = false;
    this.#cancelAsking();
    this.#parts.lost();
  }

  #hear(event: unknown): void {
    const { e, listenKey } = event as { readonly e?: string; readonly listenKey?: string };
    if (e !== "listenKeyExpired") return this.#parts.heard(event);
    if (listenKey !== this.#listenKey) return;
    this.#unsubscribe();
    this.#listenKey = null;
    this.#lost();
    this.#ask();
  }

  #keepAlive(): void {
    const { world } = this.#parts;
    this.#cancelKeeping();
    // POST is as good as PUT, and gives a new key where the old one is over.
    this.#cancelKeeping = world.after(KEEP_ALIVE_EVERY_MS, () => this.#keep());
  }

  #keep(): void {
    const { rest, apiKey, world } = this.#parts;
    this.#cancelKeeping = untilDone(world, async (isWanted) => {
      const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", apiKey);
      if (!isWanted()) return;
      if (listenKey === this.#listenKey) this.#keepAlive();
      else this.#use(listenKey);
    });
  }
}
