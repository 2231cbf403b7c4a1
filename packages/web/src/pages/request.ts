/** Requests to the node, their results and errors. Requests are never repeated automatically. */
import type { SignInWork } from "@pricetime/protocol";
import { pagesWords } from "../words/words.ts";
import { type Query, queryText, type World } from "../wire/world.ts";

// The error of a failed request.

/** The status of a request that the node did not execute. After any other 5XX, the outcome is unknown. */
export const NOT_ACCEPTED = 503;

/** Whether the outcome of the request is unknown after a response with this status. */
const leavesUnknown = (method: string, status: number): boolean =>
  method !== "GET" && status >= 500 && status !== NOT_ACCEPTED;

interface Known {
  /** The node's error code; "" if there is none. */
  readonly code: string;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Whether the outcome of the request is unknown. */
  readonly isUnknown: boolean;
  /** The action, for an approval request. Set if the action needs dual approval. */
  readonly action?: Json | undefined;
  /** The proof of work that the node requires for this request. */
  readonly work?: SignInWork | undefined;
}

export class Denied extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly isUnknown: boolean;
  readonly action: Json | undefined;
  readonly work: SignInWork | undefined;

  constructor(message: string, { code, status, isUnknown, action, work }: Known) {
    super(message);
    this.name = "Denied";
    this.code = code;
    this.status = status;
    this.isUnknown = isUnknown;
    this.action = action;
    this.work = work;
  }
}

/** Converts any thrown value to an error that can be shown. */
export function deniedOf(thrown: unknown): Denied {
  if (thrown instanceof Denied) return thrown;
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return new Denied(pagesWords.fault(what), { code: "", status: null, isUnknown: true });
}

/** Converts any thrown value to a text for notices. */
export function refusalOf(thrown: unknown): string {
  const { message, code } = deniedOf(thrown);
  return pagesWords.refused(message, code);
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Request {
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body. */
  readonly body?: string | undefined;
  /** Whether the browser sends cookies. */
  readonly credentials: "same-origin" | "omit";
  /** If there is no response within this time, the outcome counts as unknown. */
  readonly withinMs: number;
}

/** Error messages for missing or unreadable responses. */
export interface Messages {
  readonly unreachable: string;
  readonly noJson: (status: number) => string;
}

/** Sends a request to the node. Rejects with `Denied` if the node returns an error or does not respond. */
export async function request(
  world: Pick<World, "fetch" | "after">,
  address: string,
  { withinMs, body, ...rest }: Request,
  messages: Messages,
): Promise<Response> {
  const late = new AbortController();
  const stop = world.after(withinMs, () => late.abort());
  try {
    const response = await world
      .fetch(address, { ...rest, body: body ?? null, cache: "no-store", redirect: "error", signal: late.signal })
      .catch(() => {
        const message = late.signal.aborted ? pagesWords.late : messages.unreachable;
        throw new Denied(message, { code: "", status: null, isUnknown: rest.method !== "GET" });
      });
    if (!response.ok) throw await deniedBy(response, rest.method, messages);
    return response;
  } finally {
    stop();
  }
}

/** The JSON value of a response. Rejects with `Denied` if the response is not JSON. */
export async function valueOf<Value>(response: Response, method: Method, messages: Messages): Promise<Value> {
  const { status } = response;
  try {
    return JSON.parse(await response.text()) as Value;
  } catch {
    throw new Denied(messages.noJson(status), { code: "", status, isUnknown: method !== "GET" });
  }
}

/**
 * Parses an error response. The account and admin APIs send `error` and `message`, the exchange API `code` and `msg`.
 */
async function deniedBy(response: Response, method: Method, messages: Messages): Promise<Denied> {
  const { status } = response;
  const answer: unknown = await response.json().catch(() => null);
  const fields = (typeof answer === "object" && answer !== null ? answer : {}) as Record<string, unknown>;
  const code = fields["error"] ?? fields["code"];
  const message = fields["message"] ?? fields["msg"];
  const word = typeof code === "string" || typeof code === "number" ? String(code) : "";
  return new Denied(typeof message === "string" ? pagesWords.serverMessage(word, message) : messages.noJson(status), {
    code: word,
    status,
    isUnknown: leavesUnknown(method, status),
    action: fields["action"] as Json | undefined,
    work: fields["work"] as SignInWork | undefined,
  });
}

/** The encoded query with a leading `?`, to be appended to a path; "" if it is empty. */
export function questionOf(query: Query): string {
  const text = queryText(query);
  return text === "" ? "" : `?${text}`;
}

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
