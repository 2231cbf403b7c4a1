/**
 * The sockets of the account pages. They send the events of the account to which the ticket belongs, in the form of a
 * listen key's stream, and close when the session ends.
 */
import type { Event } from "@pricetime/engine";
import type { UserEvents } from "../../edge/session.ts";
import { CLOSE, connectionOf, type FrameSink, type Peer } from "../../edge/sockets/socket.ts";
import type { TicketTaker } from "../port.ts";

export const ACCOUNT_STREAM_PATH = "/account/stream";

export interface AccountSocketsOptions {
  readonly tickets: TicketTaker;
  readonly users: UserEvents;
  readonly nowMs: () => number;
}

export class AccountSockets {
  #options: AccountSocketsOptions;
  readonly #open = new Set<AccountSocket>();

  constructor(options: AccountSocketsOptions) {
    this.#options = options;
  }

  /** Called when a client has opened a socket. `query` is the text after the `?`. */
  accept(peer: Peer, query: string): FrameSink {
    const { tickets, users, nowMs } = this.#options;
    const holder = tickets.take(new URLSearchParams(query).get("ticket") ?? "", nowMs());
    const socket = new AccountSocket(peer, holder?.sessionId ?? "", () => this.#open.delete(socket));
    if (holder === undefined) {
      peer.close(CLOSE.policy, "The ticket is not good, or not any more.");
      return socket;
    }
    const { accountId, untilMs } = holder;
    const send = (event: string): void => {
      if (nowMs() < untilMs) peer.send(event);
      else socket.end();
    };
    socket.unsubscribe = users.subscribe(accountId, send, connectionOf(peer));
    this.#open.add(socket);
    return socket;
  }

  /** Closes the sockets of sessions that have ended. */
  applied(events: readonly Event[]): void {
    if (this.#open.size === 0) return;
    for (const event of events) {
      if (event.type !== "sessionClosed") continue;
      for (const socket of this.#open) if (socket.sessionId === event.sessionId) socket.end();
    }
  }

  /** Called when a lab has restored a checkpoint: connected clients must request another ticket. */
  goOn(options: AccountSocketsOptions): void {
    this.#options = options;
    for (const socket of this.#open) socket.end();
  }
}

class AccountSocket implements FrameSink {
  readonly sessionId: string;
  unsubscribe: () => void = () => {};
  readonly #peer: Peer;
  readonly #forget: () => void;

  constructor(peer: Peer, sessionId: string, forget: () => void) {
    this.#peer = peer;
    this.sessionId = sessionId;
    this.#forget = forget;
  }

  end(): void {
    this.closed();
    this.#peer.close(CLOSE.policy, "The session is over.");
  }

  /** Rejects a message, because clients must not send any on these sockets. */
  receive(): void {
    this.#peer.close(CLOSE.unsupported, "nothing is read here");
  }

  receiveBinary(): void {
    this.receive();
  }

  closed(): void {
    this.unsubscribe();
    this.#forget();
  }
}
