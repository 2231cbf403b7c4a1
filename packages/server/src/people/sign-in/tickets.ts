/**
 * Tickets for sockets: a page cannot send a header with one, and a cookie alone would let other pages open it. A ticket
 * is good once, and for a short time.
 */
import { z } from "zod";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import type { Dice } from "../../platform/world/port.ts";
import { keptCount, readKept } from "../../platform/world/read-kept.ts";
import { MAX_TICKETS, TICKET_LIFE_MS } from "./limits.ts";
import { hashOfSecret, newSecret } from "./tokens.ts";

/** Who opens a socket by a ticket. */
export interface TicketHolder {
  readonly accountId: number;
  readonly sessionId: string;
  /** The session's end. */
  readonly untilMs: number;
}

const KEPT = z.array(
  z.strictObject({
    hash: z.string(),
    lastMs: keptCount,
    holder: z.strictObject({ accountId: keptCount, sessionId: z.string(), untilMs: keptCount }),
  }),
);

export class Tickets implements Keeping {
  readonly #dice: Dice;
  /** Holders by the hash of the ticket, oldest first. */
  readonly #tickets = new Map<string, { readonly holder: TicketHolder; readonly lastMs: number }>();

  readonly #isOpen: (sessionId: string, nowMs: number) => boolean;

  /** `isOpen`: whether that session is not over. Throws `KeptUnreadable`. */
  constructor(dice: Dice, isOpen: (sessionId: string, nowMs: number) => boolean, kept: KeptValue = []) {
    this.#dice = dice;
    this.#isOpen = isOpen;
    for (const { hash, ...ticket } of readKept("tickets", KEPT, kept)) this.#tickets.set(hash, ticket);
  }

  kept(): KeptValue {
    return [...this.#tickets].map(([hash, { holder, lastMs }]) => ({ hash, lastMs, holder: { ...holder } }));
  }

  /** 43 characters of base64url. */
  give({ accountId, sessionId, untilMs }: TicketHolder, nowMs: number): string {
    const ticket = newSecret(this.#dice);
    for (const [hash, { lastMs }] of this.#tickets) if (nowMs > lastMs) this.#tickets.delete(hash);
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size >= MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest);
    const holder = { accountId, sessionId, untilMs };
    this.#tickets.set(hashOfSecret(ticket), { holder, lastMs: nowMs + TICKET_LIFE_MS });
    return ticket;
  }

  /** Undefined: it is none, was used, or is too old; or the session that got it is over. */
  take(ticket: string, nowMs: number): TicketHolder | undefined {
    const hash = hashOfSecret(ticket);
    const known = this.#tickets.get(hash);
    this.#tickets.delete(hash);
    if (known === undefined || nowMs > known.lastMs) return undefined;
    return this.#isOpen(known.holder.sessionId, nowMs) ? known.holder : undefined;
  }
}
