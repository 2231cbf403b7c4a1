/** The client of the admin API: requests, the session of this browser tab and the signed-in operator. */
import type { Query, World } from "../wire/world.ts";
import { consoleWords } from "../words/words.ts";
import { type Denied, deniedOf, type Method, questionOf, request, valueOf } from "../pages/request.ts";
import { UNAUTHORIZED } from "../wire/session.ts";
import { type Signal, signal } from "@preact/signals";
import type { DoneWork } from "../pages/sign-in-work.ts";

/**
 * The route sent with cookies: browsers apply the response's `Clear-Site-Data` only to such requests. The node ignores
 * the cookies, which may come from other ports of the host.
 */
const SIGN_OUT = "/v1/sign-out";

export interface Sent {
  readonly query?: Query;
  /** The body, sent as JSON; undefined if there is none. */
  readonly body?: unknown;
}

export interface Admin {
  ask<Value>(method: Method, path: string, sent?: Sent): Promise<Value>;
  /** Fetches a file, or JSON to be saved unchanged. */
  askFile(path: string, sent?: Pick<Sent, "query">): Promise<Blob>;
}

/** Maximum time to wait for a response. Requests that replay the journal take minutes. */
const ANSWER_WITHIN_MS = 300_000;

interface Parts {
  /** The URL of the node without a trailing slash; "" for the page's own origin. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  readonly session: () => Session | null;
  /** Called when the node rejects the token. */
  readonly onUnauthenticated: () => void;
}

export class NodeAdmin implements Admin {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async ask<Value>(method: Method, path: string, sent: Sent = {}): Promise<Value> {
    return valueOf<Value>(await this.#send(method, path, sent), method, consoleWords);
  }

  async askFile(path: string, sent: Pick<Sent, "query"> = {}): Promise<Blob> {
    const response = await this.#send("GET", path, sent);
    return response.blob();
  }

  async #send(method: Method, path: string, { query = {}, body }: Sent): Promise<Response> {
    const { base, world, session, onUnauthenticated } = this.#parts;
    const headers = { ...signedBy(session()), ...(body !== undefined && { "Content-Type": "application/json" }) };
    const credentials = path === SIGN_OUT ? "same-origin" : "omit";
    const requestOptions = { method, headers, credentials, withinMs: ANSWER_WITHIN_MS } as const;
    const sent = { ...requestOptions, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return request(world, base + path + questionOf(query), sent, consoleWords).catch((error: unknown) => {
      if (isUnauthenticated(deniedOf(error))) onUnauthenticated();
      throw error;
    });
  }
}

/**
 * Whether the node rejected the token. If a signed-in operator enters a wrong password or 2FA code, the status is the
 * same but the error code differs.
 */
const isUnauthenticated = ({ status, code }: Denied): boolean => status === UNAUTHORIZED && code === "UNAUTHORIZED";

function signedBy(who: Session | null): Readonly<Record<string, string>> {
  if (who === null) return {};
  const signed = { Authorization: `Bearer ${who.token}` };
  return who.isNamed ? signed : { ...signed, "X-Pricetime-User": who.operator };
}

// The session of an operator: a token and a name. They are stored only in this tab and are never part of a URL.

export interface Session {
  /** The admin token, or the token of an operator's session. */
  readonly token: string;
  /** The operator's name in the journal: 1 to 64 visible characters. */
  readonly operator: string;
  /** Whether the token identifies the operator. If not, each request contains the name. */
  readonly isNamed: boolean;
}

/** `sessionStorage` or a substitute. Each method may throw, for example if the browser forbids storage. */
export type SessionStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "pricetime.console.session";
const VISIBLE = /^[\x21-\x7e]+$/;
const MOST_OPERATOR_CHARACTERS = 64;
const MOST_TOKEN_CHARACTERS = 512;

export function isOperator(text: string): boolean {
  return text.length <= MOST_OPERATOR_CHARACTERS && VISIBLE.test(text);
}

/** Whether the text can be a token: an HTTP header value of visible characters, limited in length. */
export function isToken(text: string): boolean {
  return text.length <= MOST_TOKEN_CHARACTERS && VISIBLE.test(text);
}

/** The stored session; null if nobody is signed in. Assigning a value to the signal stores it and never throws. */
export function storedSession(store: SessionStore | null): Signal<Session | null> {
  const session = signal(read(store));
  session.subscribe((now) => {
    try {
      if (now === null) store?.removeItem(NAME);
      else store?.setItem(NAME, JSON.stringify(now));
    } catch {
      // If the storage is full or forbidden, the session lasts until the page is left.
    }
  });
  return session;
}

function read(store: SessionStore | null): Session | null {
  try {
    const stored: unknown = JSON.parse(store?.getItem(NAME) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { token, operator, isNamed } = stored as Partial<Record<keyof Session, unknown>>;
    if (typeof token !== "string" || typeof operator !== "string") return null;
    return isToken(token) && isOperator(operator) ? { token, operator, isNamed: isNamed === true } : null;
  } catch {
    return null;
  }
}

/** The values with which an operator signs in. The code is required if the operator uses two-factor authentication. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code?: string;
  readonly work?: DoneWork;
}

/** The status of an unattributed deposit that has not been resolved. */
export const UNRESOLVED = "seen";
