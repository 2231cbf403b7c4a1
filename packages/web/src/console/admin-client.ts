/** The client of the admin API: requests, the session of this browser tab and the signed-in operator. */
import type { World } from "../wire/world.ts";
import { consoleSays } from "../words/words.ts";
import {
  type Denied,
  deniedOf,
  type Method,
  type Query,
  questionOf,
  request,
  UNAUTHORIZED,
  valueOf,
} from "../pages/request.ts";
import { type Signal, signal } from "@preact/signals";
import type { DoneWork } from "../pages/sign-in-work.ts";

/**
 * A browser heeds its `Clear-Site-Data` only where the request may carry cookies. Cookies of other ports of the host go
 * along, and the node reads none here.
 */
const SIGN_OUT = "/v1/sign-out";

export interface Sent {
  readonly query?: Query;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

export interface Admin {
  ask<Value>(method: Method, path: string, sent?: Sent): Promise<Value>;
  /** What is no JSON, or JSON that is to be saved as it came. */
  askFile(path: string, sent?: Pick<Sent, "query">): Promise<Blob>;
}

/** The longest wait for an answer: a replay of the journal takes its time. */
const ANSWER_WITHIN_MS = 300_000;

interface Parts {
  /** Without a slash at its end; "" is where the page came from. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  readonly session: () => Session | null;
  /** The node does not know the token (any more). */
  readonly onStranger: () => void;
}

export class NodeAdmin implements Admin {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async ask<Value>(method: Method, path: string, sent: Sent = {}): Promise<Value> {
    return valueOf<Value>(await this.#send(method, path, sent), method, consoleSays);
  }

  async askFile(path: string, sent: Pick<Sent, "query"> = {}): Promise<Blob> {
    const response = await this.#send("GET", path, sent);
    return response.blob();
  }

  async #send(method: Method, path: string, { query = {}, body }: Sent): Promise<Response> {
    const { base, world, session, onStranger } = this.#parts;
    const headers = { ...signedBy(session()), ...(body !== undefined && { "Content-Type": "application/json" }) };
    const credentials = path === SIGN_OUT ? "same-origin" : "omit";
    const asked = { method, headers, credentials, withinMs: ANSWER_WITHIN_MS } as const;
    const sent = { ...asked, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return request(world, base + path + questionOf(query), sent, consoleSays).catch((error: unknown) => {
      if (isStranger(deniedOf(error))) onStranger();
      throw error;
    });
  }
}

/** A wrong code or password is refused with the same status, of somebody whom the node knows. */
const isStranger = ({ status, code }: Denied): boolean => status === UNAUTHORIZED && code === "UNAUTHORIZED";

function signedBy(who: Session | null): Readonly<Record<string, string>> {
  if (who === null) return {};
  const signed = { Authorization: `Bearer ${who.token}` };
  return who.isNamed ? signed : { ...signed, "X-Pricetime-User": who.operator };
}

// The session of an operator: a token and a name. Only this tab stores them, and no address contains them.

export interface Session {
  /** The admin token, or that of an operator's session. */
  readonly token: string;
  /** As the journal will show it: 1 to 64 visible characters. */
  readonly operator: string;
  /** The node knows who it is by the token; else the name is told with each request. */
  readonly isNamed: boolean;
}

/** Where it is kept: sessionStorage, or anything like it. Any of it may throw, as where a browser forbids it. */
export type Keep = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const NAME = "pricetime.console.session";
const VISIBLE = /^[\x21-\x7e]+$/;
const MOST_OPERATOR_CHARACTERS = 64;
const MOST_TOKEN_CHARACTERS = 512;

export function isOperator(text: string): boolean {
  return text.length <= MOST_OPERATOR_CHARACTERS && VISIBLE.test(text);
}

/** A header can hold nothing else. */
export function isToken(text: string): boolean {
  return text.length <= MOST_TOKEN_CHARACTERS && VISIBLE.test(text);
}

/** Null: nobody is signed in. What is set is kept; never throws. */
export function keptSession(keep: Keep | null): Signal<Session | null> {
  const session = signal(read(keep));
  session.subscribe((now) => {
    try {
      if (now === null) keep?.removeItem(NAME);
      else keep?.setItem(NAME, JSON.stringify(now));
    } catch {
      // Full or forbidden: it holds until the page is left.
    }
  });
  return session;
}

function read(keep: Keep | null): Session | null {
  try {
    const kept: unknown = JSON.parse(keep?.getItem(NAME) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { token, operator, isNamed } = kept as Partial<Record<keyof Session, unknown>>;
    if (typeof token !== "string" || typeof operator !== "string") return null;
    return isToken(token) && isOperator(operator) ? { token, operator, isNamed: isNamed === true } : null;
  } catch {
    return null;
  }
}

export interface Me {
  readonly name: string;
  /** Null: the admin token has none, and may do all. */
  readonly role: string | null;
  readonly rights: readonly string[];
  readonly isToken: boolean;
  readonly hasTotp: boolean;
}

/** What an operator signs in with. The code is asked for where the operator has two-factor. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly code?: string;
  readonly work?: DoneWork;
}

export interface SignedIn {
  readonly token: string;
  readonly name: string;
  /** Sent with this browser's next sign-in: others who guess do not slow that down. It opens nothing. */
  readonly mark: string;
}

/** The status of an unattributed deposit that is not resolved. */
export const UNRESOLVED = "seen";
