/** Requests to the node, the values they return and the error of one that failed. A request is never sent twice. */
import type { SignInWork } from "@pricetime/protocol";
import { pagesSay } from "../words/words.ts";
import type { World } from "../wire/world.ts";

// The error of a request that returned no value.

export const UNAUTHORIZED = 401;
/** The node did nothing of it. After any other 5XX nobody knows. */
export const NOT_ACCEPTED = 503;

/** Whether nobody knows if a request was carried out that was answered so. */
const leavesUnknown = (method: string, status: number): boolean =>
  method !== "GET" && status >= 500 && status !== NOT_ACCEPTED;

interface Known {
  /** The node's word for programs; "": it said none. */
  readonly code: string;
  /** The status of HTTP; null: there was no answer. */
  readonly status: number | null;
  /** Nobody knows whether it was carried out. */
  readonly isUnknown: boolean;
  /** It needs a second person: the act, as it may be proposed. */
  readonly act?: Json | undefined;
  /** The same request would be taken with this proof of work. */
  readonly work?: SignInWork | undefined;
}

export class Denied extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly isUnknown: boolean;
  readonly act: Json | undefined;
  readonly work: SignInWork | undefined;

  constructor(message: string, { code, status, isUnknown, act, work }: Known) {
    super(message);
    this.name = "Denied";
    this.code = code;
    this.status = status;
    this.isUnknown = isUnknown;
    this.act = act;
    this.work = work;
  }
}

/** Whatever was thrown, as something that can be shown. */
export function deniedOf(thrown: unknown): Denied {
  if (thrown instanceof Denied) return thrown;
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return new Denied(pagesSay.fault(what), { code: "", status: null, isUnknown: true });
}

/** The same as one text, as notices hold it. */
export function refusalOf(thrown: unknown): string {
  const { message, code } = deniedOf(thrown);
  return pagesSay.refused(message, code);
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Request {
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body?: string | undefined;
  /** Whether the browser sends its cookies. */
  readonly credentials: "same-origin" | "omit";
  /** After so long without an answer, the outcome counts as unknown. */
  readonly withinMs: number;
}

/** What is said of answers that are none. */
export interface Says {
  readonly unreachable: string;
  readonly noJson: (status: number) => string;
}

/** Asks the node. Rejects with `Denied`: there was no answer, or one that refuses. */
export async function request(
  world: Pick<World, "fetch" | "after">,
  address: string,
  { withinMs, body, ...rest }: Request,
  says: Says,
): Promise<Response> {
  const late = new AbortController();
  const stop = world.after(withinMs, () => late.abort());
  try {
    const response = await world
      .fetch(address, { ...rest, body: body ?? null, cache: "no-store", redirect: "error", signal: late.signal })
      .catch(() => {
        const message = late.signal.aborted ? pagesSay.late : says.unreachable;
        throw new Denied(message, { code: "", status: null, isUnknown: rest.method !== "GET" });
      });
    if (!response.ok) throw await deniedBy(response, rest.method, says);
    return response;
  } finally {
    stop();
  }
}

/** The value of an answer. Rejects with `Denied` where it is no JSON. */
export async function valueOf<Value>(response: Response, method: Method, says: Says): Promise<Value> {
  const { status } = response;
  try {
    return JSON.parse(await response.text()) as Value;
  } catch {
    throw new Denied(says.noJson(status), { code: "", status, isUnknown: method !== "GET" });
  }
}

/** Account API and admin API say `error` and `message`, the interface of programs `code` and `msg`. */
async function deniedBy(response: Response, method: Method, says: Says): Promise<Denied> {
  const { status } = response;
  const told: unknown = await response.json().catch(() => null);
  const said = (typeof told === "object" && told !== null ? told : {}) as Record<string, unknown>;
  const code = said["error"] ?? said["code"];
  const message = said["message"] ?? said["msg"];
  return new Denied(typeof message === "string" ? message : says.noJson(status), {
    code: typeof code === "string" || typeof code === "number" ? String(code) : "",
    status,
    isUnknown: leavesUnknown(method, status),
    act: said["action"] as Json | undefined,
    work: said["work"] as SignInWork | undefined,
  });
}

/** As a form or the query of an address holds it: what is undefined is not sent. */
export function queryText(query: Query): string {
  return Object.entries(query)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** The same behind an address. */
export function questionOf(query: Query): string {
  const text = queryText(query);
  return text === "" ? "" : `?${text}`;
}

/** What JSON holds. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
