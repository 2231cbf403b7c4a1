/** Requests of the customers' pages. Each ends with a value or is rejected with `Denied`; none is ever sent twice by itself. */
import { deniedOf, UNAUTHORIZED } from "../../pages/denied.ts";
import { type Method, type Query, queryText, questionOf, request, valueOf } from "../../pages/request.ts";
import type { World } from "../../wire/world.ts";
import { customerSays } from "../../words/words.ts";

export interface Sent {
  readonly query?: Query;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

/** The longest wait for an answer. */
const ANSWER_WITHIN_MS = 60_000;
/** No page of another site can send it: the node takes a session's requests with it alone. */
const GUARD = { "X-Pricetime-Page": "account" } as const;

interface Parts {
  /** The address of the node, without a slash at its end. */
  readonly base: string;
  readonly world: Pick<World, "fetch" | "after">;
  /** Somebody who may be signed in was not recognized. */
  readonly onStranger: () => void;
}

export class Wire {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get base(): string {
    return this.#parts.base;
  }

  /** Asks the account API; `path` is what stands behind `/account/v1/`. */
  async account<Value>(method: Method, path: string, { query = {}, body }: Sent = {}): Promise<Value> {
    const response = await this.#send(method, `/account/v1/${path}${questionOf(query)}`, {
      ...(body !== undefined && { type: "application/json", body: JSON.stringify(body) }),
    });
    return valueOf<Value>(response, method, customerSays);
  }

  /** The bytes of an answer, to be saved or checked as they came. */
  async file(path: string, query: Query = {}): Promise<Blob> {
    const response = await this.#send("GET", `/account/v1/${path}${questionOf(query)}`, {});
    return response.blob();
  }

  /** Asks by the interface that programs use; `path` is whole. */
  async exchange<Value>(method: Method, path: string, query: Query = {}): Promise<Value> {
    const isForm = method === "POST" || method === "PUT";
    const response = await this.#send(method, isForm ? path : path + questionOf(query), {
      ...(isForm && { type: "application/x-www-form-urlencoded", body: queryText(query) }),
    });
    return valueOf<Value>(response, method, customerSays);
  }

  async #send(method: Method, path: string, { type, body }: { type?: string; body?: string }): Promise<Response> {
    const { base, world, onStranger } = this.#parts;
    const headers = { ...GUARD, ...(type !== undefined && { "Content-Type": type }) };
    const asked = { method, headers, body, credentials: "same-origin", withinMs: ANSWER_WITHIN_MS } as const;
    return request(world, base + path, asked, customerSays).catch((error: unknown) => {
      if (deniedOf(error).status === UNAUTHORIZED) onStranger();
      throw error;
    });
  }
}
