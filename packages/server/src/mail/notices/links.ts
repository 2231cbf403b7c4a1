/**
 * Links of letters about signing in. What opens them stands behind `#`, which browsers send to no server, so no log has
 * it.
 */
import { DAY_MS, type NoticeRecord } from "@pricetime/engine";

/**
 * The link that freezes an account is good for this long after what its letter tells of: a thief is noticed within weeks,
 * and a mailbox of years is read by more people than its owner.
 */
export const FREEZE_LINK_LIFE_MS = 30 * DAY_MS;

/** Derives secrets of links from the master key; the journal has their hashes. */
export interface LetterLinks {
  secretOf(purpose: "invitation" | "recovery" | "cancelRecovery" | "freeze", id: string): string;
  hashOf(secret: string): string;
}

export interface LinkParts {
  readonly links: LetterLinks;
  /** Returns where customers reach the exchange, without a slash at the end; asked for each letter. */
  readonly publicUrl: () => string;
  /** The same for operators and their console. */
  readonly consoleUrl: () => string;
}

const ACCOUNT_PAGES = "/account/";
const CONSOLE_PAGES = "/";

export class LinkMaker {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get venue(): string {
    return this.#parts.publicUrl();
  }

  /** The page where somebody signs in. */
  home(isCustomer: boolean): string {
    const { publicUrl, consoleUrl } = this.#parts;
    return isCustomer ? publicUrl() + ACCOUNT_PAGES : consoleUrl() + CONSOLE_PAGES;
  }

  /** Undefined: the exchange knows another secret, or none. */
  invitation(id: string, hash: string | undefined, isCustomer: boolean): string | undefined {
    const secret = this.#good("invitation", id, hash);
    return secret && this.#page("invitation", { id, secret }, isCustomer);
  }

  recovery(id: string, hash: string | undefined, isCustomer: boolean): string | undefined {
    const secret = this.#good("recovery", id, hash);
    return secret && this.#page("recovery", { id, secret }, isCustomer);
  }

  cancelRecovery(id: string, isCustomer: boolean): string {
    const secret = this.#parts.links.secretOf("cancelRecovery", id);
    return this.#page("cancel-recovery", { id, secret }, isCustomer);
  }

  /** The end of the link stands in it, and in what its secret is made of: nobody keeps old letters. */
  freeze(account: string, { noticeId, createdMs }: Pick<NoticeRecord, "noticeId" | "createdMs">): string {
    const until = String(createdMs + FREEZE_LINK_LIFE_MS);
    const secret = this.#parts.links.secretOf("freeze", `${account}:${noticeId}:${until}`);
    return this.#page("freeze", { account, notice: String(noticeId), until, secret }, true);
  }

  #good(purpose: "invitation" | "recovery", id: string, hash: string | undefined): string | undefined {
    const secret = this.#parts.links.secretOf(purpose, id);
    return this.#parts.links.hashOf(secret) === hash ? secret : undefined;
  }

  #page(name: string, query: Readonly<Record<string, string>>, isCustomer: boolean): string {
    return `${this.home(isCustomer)}#/${name}?${new URLSearchParams(query).toString()}`;
  }
}
