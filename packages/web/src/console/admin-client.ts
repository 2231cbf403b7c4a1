/** The client of the admin API: requests, the session of this browser tab and the signed-in operator. */
import type { Query, World } from "../wire/world.ts";
import { consoleWords } from "../words/words.ts";
import { type Denied, deniedOf, type Method, questionOf, request, UNAUTHORIZED, valueOf } from "../pages/request.ts";
import { type Signal, signal } from "@preact/signals";
import type { DoneWork } from "../pages/sign-in-work.ts";

/**
 * A browser applies the response's `Clear-Site-Data` only if the request may carry cookies. Cookies of other ports of
 * the host are sent as well, and the node ignores them.
 */
const SIGN_OUT = "/v1/sign-out";

export interface Sent {
  readonly query?: Query;
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown;
}

export interface Admin {
  ask<Value>(method: Method, path: string, sent?: Sent): Promise<Value>;
  /** Fetches a file, or JSON that is to be saved unchanged. */
  askFile(path: string, sent?: Pick<Sent, "query">): Promise<Blob>;
}

/** The longest wait for a response: a replay of the journal takes minutes. */
const ANSWER_WITHIN_MS = 300_000;

interface Parts {
  /** Without a trailing slash; "" is the page's own origin. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  readonly session: () => Session | null;
  /** Called when the node does not accept the token, or no longer. */
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

/** A wrong code or password of a signed-in operator is rejected with the same status but another code. */
const isUnauthenticated = ({ status, code }: Denied): boolean => status === UNAUTHORIZED && code === "UNAUTHORIZED";

function signedBy(who: Session | null): Readonly<Record<string, string>> {
  if (who === null) return {};
  const signed = { Authorization: `Bearer ${who.token}` };
  return who.isNamed ? signed : { ...signed, "X-Pricetime-User": who.operator };
}

// The session of an operator: a token and a name. Only this tab stores them, and no URL contains them.

export interface Session {
  /** The admin token, or the token of an operator's session. */
  readonly token: string;
  /** The name that the journal records: 1 to 64 visible characters. */
  readonly operator: string;
  /** The node identifies the operator by the token. Otherwise each request contains the name. */
  readonly isNamed: boolean;
}

/** `sessionStorage` or a substitute. Any method may throw, for example where the browser forbids storage. */
export type SessionStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "pricetime.console.session";
const VISIBLE = /^[\x21-\x7e]+$/;
const MOST_OPERATOR_CHARACTERS = 64;
const MOST_TOKEN_CHARACTERS = 512;

export function isOperator(text: string): boolean {
  return text.length <= MOST_OPERATOR_CHARACTERS && VISIBLE.test(text);
}

/** A header may contain no other characters. */
export function isToken(text: string): boolean {
  return text.length <= MOST_TOKEN_CHARACTERS && VISIBLE.test(text);
}

/** The stored session; null if nobody is signed in. Assigning the signal stores the value and never throws. */
export function storedSession(store: SessionStore | null): Signal<Session | null> {
  const session = signal(read(store));
  session.subscribe((now) => {
    try {
      if (now === null) store?.removeItem(NAME);
      else store?.setItem(NAME, JSON.stringify(now));
    } catch {
      // Storage is full or forbidden, so the session lasts until the page is left.
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

/** The values that an operator signs in with. The code is required if the operator has two-factor authentication. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code?: string;
  readonly work?: DoneWork;
}

/** The status of an unattributed deposit that is not resolved. */
export const UNRESOLVED = "seen";
