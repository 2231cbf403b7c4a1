/** The events of the terminal's account: over the WebSocket API for an API key, and over the session's own socket. */
import { AccountStream, sessionPath } from "../wire/account-stream.ts";
import { type Access, Refused, type Rest, type SigningKey, WRONG_TIME } from "../wire/rest.ts";
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
  return access.kind === "key" ? new KeyStream(parts, access) : new SessionStream(parts, access.sessionId);
}

// The stream of an API key: a subscription of the WebSocket API, which both interfaces of a venue have (Interface 11.5).

const SUBSCRIBE = "userDataStream.subscribe.signature";

/** What the node sends: the answer to the subscription, or an event of it. */
interface Frame {
  readonly status?: number;
  readonly error?: { readonly code: number; readonly msg: string };
  readonly event?: { readonly e?: string };
}

class KeyStream implements UserStream {
  readonly #parts: UserStreamParts;
  readonly #stream: AccountStream;
  readonly #endWatch: () => void;

  constructor(parts: UserStreamParts, key: SigningKey) {
    const { rest, streams, world, lost, failed } = parts;
    this.#parts = parts;
    this.#stream = new AccountStream({
      ...{ base: rest.base, world, lost, failed },
      path: async () => "/ws-api/v3?returnRateLimits=false",
      opened: (send) => {
        // An error closes the socket, and the next one subscribes again.
        rest.signedMethod(SUBSCRIBE, key).then(send, (error: unknown) => this.#stream.giveUp(error));
      },
      onEvent: (text) => this.#take(JSON.parse(text) as Frame),
    });
    this.#endWatch = untilLive(streams, this.#stream);
  }

  #take({ status, error, event }: Frame): void {
    const { rest, ready, onEvent } = this.#parts;
    if (event === undefined) {
      if (error?.code === WRONG_TIME) rest.clock.forget();
      if (error === undefined) ready();
      else this.#stream.giveUp(new Refused(error.msg, { code: error.code, isUnknown: false, status: status ?? 400 }));
      return;
    }
    if (event.e === "eventStreamTerminated") {
      // Such as after the key was deleted; the next subscription then says why it is rejected.
      this.#stream.drop();
      this.#stream.retryNow();
    } else if (event.e !== "serverShutdown") {
      onEvent(event);
    }
  }

  close(): void {
    this.#endWatch();
    this.#stream.close();
  }
}

/** Opens the stream again when the market data is back. Only the connection of the market data is tested at intervals. */
function untilLive(streams: Streams, stream: AccountStream): () => void {
  return streams.state.subscribe(({ state }) => {
    if (state === "live") stream.retryNow();
    else if (state === "down") stream.drop();
  });
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
      ...{ base: rest.base, world, lost, failed },
      path: sessionPath(ticket),
      opened: ready,
      onEvent: (text) => onEvent(JSON.parse(text)),
    });
    this.#endWatch = untilLive(streams, this.#stream);
  }

  close(): void {
    this.#endWatch();
    this.#stream.close();
  }
}
