/** Requests to the admin API. Each ends with a value or is rejected with `Denied`; none is ever sent twice by itself. */
import type { World } from "../../wire/world.ts";
import { consoleSays } from "../../words/words.ts";
import { type Denied, deniedOf, UNAUTHORIZED } from "../../pages/denied.ts";
import { type Method, type Query, questionOf, request, valueOf } from "../../pages/request.ts";
import type { Session } from "./session.ts";

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
