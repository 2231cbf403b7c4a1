/** Sessions of customers, by token, and tickets for WebSockets. */
import type { AccessView, SessionRecord } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Dice, Saves } from "../../platform/world/port.ts";
import { hashOfSecret, newSecret, tokenOf, tokenText, worthOf } from "./tokens.ts";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";
import { MAX_TICKETS, TICKET_LIFE_MS } from "./limits.ts";

export interface SessionDoorParts {
  readonly access: AccessView;
  readonly sequencer: Sequencer;
  readonly dice: Dice;
}

export interface Shown {
  readonly session: SessionRecord;
  readonly secret: string;
  /** Whether the secret should be renewed. */
  readonly isDue: boolean;
}

export class SessionStore {
  readonly #parts: SessionDoorParts;

  constructor(parts: SessionDoorParts) {
    this.#parts = parts;
  }

  /**
   * Undefined if the token is invalid or its session has ended. A token that was replaced long ago ends its session,
   * because it may be stolen.
   */
  find(token: string | undefined): Shown | undefined {
    const { access, sequencer } = this.#parts;
    const read = tokenOf(token ?? "");
    const nowMs = sequencer.nowMs();
    const session = read === undefined ? undefined : access.session(read.sessionId, nowMs);
    if (read === undefined || session === undefined) return undefined;
    const worth = worthOf(session, read.secret, nowMs);
    if (worth === "replayed") this.close(session);
    if (worth === "replayed" || worth === "wrong") return undefined;
    return { session, secret: read.secret, isDue: worth === "due" };
  }

  /**
   * Returns the token with a new secret; undefined if another request renewed it first. Rejects with the errors of
   * `Sequencer.run`.
   */
  async renew({ session, secret }: Shown): Promise<string | undefined> {
    const { sessionId } = session;
    const fresh = newSecret(this.#parts.dice);
    const hashes = { secretHash: hashOfSecret(secret), newSecretHash: hashOfSecret(fresh) };
    const { events } = await this.#parts.sequencer.run({ type: "renewSession", sessionId, ...hashes });
    return events[0]?.type === "rejected" ? undefined : tokenText({ sessionId, secret: fresh });
  }

  /** Ends a session without waiting. If this fails, the session is ended when it is next found. */
  close({ sessionId, holder }: SessionRecord): void {
    this.#parts.sequencer.submit({ type: "closeSession", sessionId, by: holder }, () => {});
  }
}

// Tickets for WebSockets. A page cannot set headers of a WebSocket, and if a cookie were enough, pages of other sites
// could open one. A ticket can be used once and is valid for a short time.

export interface TicketHolder {
  readonly accountId: number;
  readonly sessionId: string;
  /** When the session ends. */
  readonly untilMs: number;
}

const SAVED = z.array(
  z.strictObject({
    hash: z.string(),
    lastMs: savedCount,
    holder: z.strictObject({ accountId: savedCount, sessionId: z.string(), untilMs: savedCount }),
  }),
);

export class Tickets {
  readonly #dice: Dice;
  /** Ticket holders by the hash of the ticket, oldest first. */
  readonly #tickets = new Map<string, { readonly holder: TicketHolder; readonly lastMs: number }>();

  readonly #isOpen: (sessionId: string, nowMs: number) => boolean;

  /** `isOpen`: whether a session has not ended. */
  constructor(world: Dice & Saves, isOpen: (sessionId: string, nowMs: number) => boolean) {
    this.#dice = world;
    this.#isOpen = isOpen;
    const save = () =>
      [...this.#tickets].map(([hash, { holder, lastMs }]) => ({ hash, lastMs, holder: { ...holder } }));
    const restored = world.saved.restore("signIn/tickets", SAVED, save) ?? [];
    for (const { hash, ...ticket } of restored) this.#tickets.set(hash, ticket);
  }

  /** Creates a ticket: 43 characters of base64url. */
  give({ accountId, sessionId, untilMs }: TicketHolder, nowMs: number): string {
    const ticket = newSecret(this.#dice);
    for (const [hash, { lastMs }] of this.#tickets) if (nowMs > lastMs) this.#tickets.delete(hash);
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size >= MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest);
    const holder = { accountId, sessionId, untilMs };
    this.#tickets.set(hashOfSecret(ticket), { holder, lastMs: nowMs + TICKET_LIFE_MS });
    return ticket;
  }

  /** Uses up a ticket. Undefined if it is unknown, used or expired, or if its session has ended. */
  take(ticket: string, nowMs: number): TicketHolder | undefined {
    const hash = hashOfSecret(ticket);
    const known = this.#tickets.get(hash);
    this.#tickets.delete(hash);
    if (known === undefined || nowMs > known.lastMs) return undefined;
    return this.#isOpen(known.holder.sessionId, nowMs) ? known.holder : undefined;
  }
}
