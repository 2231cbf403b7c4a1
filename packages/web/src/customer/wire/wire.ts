/** Requests of the customers' pages. Each ends with a value or is rejected with `Denied`; none is ever sent twice by itself. */
import { Denied, leavesUnknown, UNAUTHORIZED } from "../../pages/denied.ts";
import type { World } from "../../wire/world.ts";
import { customerSays } from "../../words/words.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Sent {
  readonly query?: Query;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

/** The longest wait. After so long without an answer, the outcome counts as unknown. */
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
    return valueOf<Value>(response, method);
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
      ...(isForm && { type: "application/x-www-form-urlencoded", body: textOf(query) }),
    });
    return valueOf<Value>(response, method);
  }

  async #send(method: Method, path: string, { type, body }: { type?: string; body?: string }): Promise<Response> {
    const { base, world, onStranger } = this.#parts;
    const late = new AbortController();
    const stop = world.after(ANSWER_WITHIN_MS, () => late.abort());
    try {
      const response = await world
        .fetch(base + path, {
          method,
          headers: { ...GUARD, ...(type !== undefined && { "Content-Type": type }) },
          body: body ?? null,
          cache: "no-store",
          credentials: "same-origin",
          redirect: "error",
          signal: late.signal,
        })
        .catch(() => {
          const message = late.signal.aborted ? customerSays.late : customerSays.unreachable;
          throw new Denied(message, { code: "", status: null, isUnknown: method !== "GET" });
        });
      if (response.ok) return response;
      if (response.status === UNAUTHORIZED) onStranger();
      throw await deniedBy(response, method);
    } finally {
      stop();
    }
  }
}

async function valueOf<Value>(response: Response, method: Method): Promise<Value> {
  try {
    const text = await response.text();
    return JSON.parse(text === "" ? "null" : text) as Value;
  } catch {
    const { status } = response;
    throw new Denied(customerSays.noJson(status), { code: "", status, isUnknown: method !== "GET" });
  }
}

/** The account API says `error` and `message`, the interface of programs `code` and `msg`. */
async function deniedBy(response: Response, method: Method): Promise<Denied> {
  const { status } = response;
  const told: unknown = await response.json().catch(() => null);
  const said = (typeof told === "object" && told !== null ? told : {}) as Record<string, unknown>;
  const code = said["error"] ?? said["code"];
  const message = said["message"] ?? said["msg"];
  return new Denied(typeof message === "string" ? message : customerSays.noJson(status), {
    code: typeof code === "string" || typeof code === "number" ? String(code) : "",
    status,
    isUnknown: leavesUnknown(method, status),
  });
}

function textOf(query: Query): string {
  return Object.entries(query)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

function questionOf(query: Query): string {
  const text = textOf(query);
  return text === "" ? "" : `?${text}`;
}
