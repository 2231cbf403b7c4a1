/** Requests to the admin API. Each ends with a value or is rejected with `Denied`; none is ever sent twice by itself. */
import type { World } from "../../wire/world.ts";
import { consoleSays } from "../../words/words.ts";
import { Denied, leavesUnknown, UNAUTHORIZED } from "../../pages/denied.ts";
import type { Json, Method } from "./document.ts";
import type { Session } from "./session.ts";

/**
 * A browser heeds its `Clear-Site-Data` only where the request may carry cookies. Cookies of other ports of the host go
 * along, and the node reads none here.
 */
const SIGN_OUT = "/v1/sign-out";

export interface Sent {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

export interface Admin {
  ask<Value>(method: Method, path: string, sent?: Sent): Promise<Value>;
  /** What is no JSON, or JSON that is to be saved as it came. */
  askFile(path: string, sent?: Pick<Sent, "query">): Promise<Blob>;
}

/** A replay of the journal takes its time. After so long without an answer, the outcome counts as unknown. */
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
    const response = await this.#send(method, path, sent);
    const { status } = response;
    try {
      return JSON.parse(await response.text()) as Value;
    } catch {
      throw new Denied(consoleSays.noJson(status), { code: "", status, isUnknown: method !== "GET" });
    }
  }

  async askFile(path: string, sent: Pick<Sent, "query"> = {}): Promise<Blob> {
    const response = await this.#send("GET", path, sent);
    return response.blob();
  }

  async #send(method: Method, path: string, { query = {}, body }: Sent): Promise<Response> {
    const { base, world, session, onStranger } = this.#parts;
    const who = session();
    const late = new AbortController();
    const stop = world.after(ANSWER_WITHIN_MS, () => late.abort());
    try {
      const response = await world
        .fetch(base + path + queryText(query), {
          method,
          headers: {
            ...signedBy(who),
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          },
          body: body === undefined ? null : JSON.stringify(body),
          cache: "no-store",
          credentials: path === SIGN_OUT ? "same-origin" : "omit",
          redirect: "error",
          signal: late.signal,
        })
        .catch(() => {
          const message = late.signal.aborted ? consoleSays.late : consoleSays.unreachable;
          throw new Denied(message, { code: "", status: null, isUnknown: method !== "GET" });
        });
      if (response.ok) return response;
      const denied = await deniedBy(response, method);
      if (isStranger(denied)) onStranger();
      throw denied;
    } finally {
      stop();
    }
  }
}

/** A wrong code or password is refused with the same status, of somebody whom the node knows. */
const isStranger = ({ status, code }: Denied): boolean => status === UNAUTHORIZED && code === "UNAUTHORIZED";

function signedBy(who: Session | null): Readonly<Record<string, string>> {
  if (who === null) return {};
  const signed = { Authorization: `Bearer ${who.token}` };
  return who.isNamed ? signed : { ...signed, "X-Pricetime-User": who.operator };
}

async function deniedBy(response: Response, method: Method): Promise<Denied> {
  const { status } = response;
  const told: unknown = await response.json().catch(() => null);
  const { error, message, act } = (typeof told === "object" && told !== null ? told : {}) as Record<string, unknown>;
  return new Denied(typeof message === "string" ? message : consoleSays.noJson(status), {
    code: typeof error === "string" ? error : "",
    status,
    isUnknown: leavesUnknown(method, status),
    act: act as Json | undefined,
  });
}

function queryText(query: NonNullable<Sent["query"]>): string {
  const text = Object.entries(query)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return text === "" ? "" : `?${text}`;
}
