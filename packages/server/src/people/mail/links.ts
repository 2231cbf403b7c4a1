/**
 * Links in emails about account security. Secrets are in the URL fragment, which browsers do not send, so they are
 * never logged.
 */
import type { EmailLanguage } from "../../platform/config/branding-schema.ts";
import { DAY_MS, type NoticeRecord } from "@pricetime/engine";

/**
 * How long a link to lock an account is valid after the reported event. Thefts are noticed within weeks; a link in an
 * old mailbox would let someone else lock the account years later.
 */
export const LOCK_LINK_LIFE_MS = 30 * DAY_MS;

/** Derives the secrets of links from the master key. The journal stores only their hashes. */
export interface LetterLinks {
  secretOf(purpose: "invitation" | "recovery" | "cancelRecovery" | "freeze", id: string): string;
  hashOf(secret: string): string;
}

export interface LinkParts {
  readonly links: LetterLinks;
  /** Returns the base URL for customers, without a trailing slash. Called for each email. */
  readonly publicUrl: () => string;
  /** Returns the base URL of the operators' console. */
  readonly consoleUrl: () => string;
  /** Default: the venue has neither a name nor a support address. */
  readonly venue?: EmailVenue | undefined;
}

/** How emails name the venue. */
export interface EmailVenue {
  readonly name: string | null;
  /** An email address or a URL. */
  readonly support: string | null;
  /** The language of emails to customers who have not chosen one. */
  readonly language: EmailLanguage;
}

export const UNNAMED: EmailVenue = { name: null, support: null, language: "en" };

/** How the subject of an email names the venue. */
function venueInSubject({ venue, publicUrl }: Pick<LinkParts, "venue" | "publicUrl">): string {
  const url = publicUrl();
  return venue?.name ?? url.slice(url.indexOf("//") + 2);
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

  get subjectName(): string {
    return venueInSubject(this.#parts);
  }

  get named(): EmailVenue {
    return this.#parts.venue ?? UNNAMED;
  }

  /** Returns the link to the sign-in page. */
  home(isCustomer: boolean): string {
    const { publicUrl, consoleUrl } = this.#parts;
    return isCustomer ? publicUrl() + ACCOUNT_PAGES : consoleUrl() + CONSOLE_PAGES;
  }

  /** Undefined if the invitation has ended, or if its secret was not derived from this master key. */
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

  /**
   * The secret covers the expiry in the link, so expired links need not be stored. The name of its purpose is that of
   * earlier releases.
   */
  lock(account: string, { noticeId, createdMs }: Pick<NoticeRecord, "noticeId" | "createdMs">): string {
    const until = String(createdMs + LOCK_LINK_LIFE_MS);
    const secret = this.#parts.links.secretOf("freeze", `${account}:${noticeId}:${until}`);
    return this.#page("lock-account", { account, notice: String(noticeId), until, secret }, true);
  }

  #good(purpose: "invitation" | "recovery", id: string, hash: string | undefined): string | undefined {
    const secret = this.#parts.links.secretOf(purpose, id);
    return this.#parts.links.hashOf(secret) === hash ? secret : undefined;
  }

  #page(name: string, query: Readonly<Record<string, string>>, isCustomer: boolean): string {
    return `${this.home(isCustomer)}#/${name}?${new URLSearchParams(query).toString()}`;
  }
}
