/** Authentication and rights on the admin port: tokens, operators' sessions, and the author of an action. */
import {
  type EngineView,
  hasRight,
  MAX_CLIENT_LENGTH,
  NODES_OWN_NAMES,
  operatorNameOf,
  type OperatorRole,
  type Right,
  RIGHTS,
  type SessionRecord,
} from "@pricetime/engine";
import { badRequest, Rejection } from "../http/answer.ts";
import { tokenOf, worthOf } from "../sign-in/tokens.ts";
import { MAX_USED_SESSIONS, OPERATOR_IDLE_MS } from "../sign-in/limits.ts";
import type { IncomingMessage } from "node:http";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import { hostName, isLoopbackName } from "../../platform/transport/http.ts";

/**
 * The right that a route requires. nothing: no token; view: any signed-in operator; token: the admin token; otherwise
 * one of the engine's rights, for routes that change something.
 */
export type Need = "nothing" | "view" | Right | "token";

/** A signed-in operator. */
export interface SignedIn {
  readonly kind: "operator";
  /** The operator's name without the prefix `operator:` used in the journal. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly sessionId: string;
}

interface Sender {
  /** The remote address of the connection. */
  readonly ip: string;
  /** The User-Agent header; empty if absent. */
  readonly client: string;
  /** Whether the connection uses TLS or does not leave this machine. */
  readonly isSecure: boolean;
  /** The origin of the admin port from the client's point of view, for links. */
  readonly origin: string;
}

/**
 * "token": a client with the admin token; "node": another node of the cluster; "stranger": a client without a valid
 * token.
 */
export type Caller = Sender & (SignedIn | { readonly kind: "token" | "node" | "stranger" });

/** A caller inside this process, with the rights of the admin token. */
export const TOKEN_HOLDER: Caller = { kind: "token", ip: "", client: "", isSecure: true, origin: "" };

/** Whether the caller has the right. Does not cover the routes for nodes (`isForNodes`). */
export function isAllowed(caller: Caller, need: Need): boolean {
  if (need === "nothing" || caller.kind === "token") return true;
  if (caller.kind !== "operator" || need === "token") return false;
  return need === "view" || hasRight(caller.role, need);
}

/** The rights of a role, as in `x-needs` of the OpenAPI document. */
export const rightsOf = (role: OperatorRole): readonly Need[] => [
  "view",
  ...RIGHTS.filter((right) => hasRight(role, right)),
];

/** The rights of the admin token. */
export const ALL_RIGHTS: readonly Need[] = ["view", ...RIGHTS, "token"];

interface Rates {
  readonly makerBps?: number;
  readonly takerBps?: number;
}

/** Throws `Rejection` if the caller sets a new account's fee rates without the right `venue`. */
export function mayGiveRates(caller: Caller, { makerBps, takerBps }: Rates): void {
  if ((makerBps === undefined && takerBps === undefined) || isAllowed(caller, "venue")) return;
  throw new Rejection(
    403,
    "NOT_PERMITTED",
    "Setting fee rates requires the right `venue`. Omit makerBps and takerBps for the default rates.",
  );
}

// Finds sessions by the token of a request. Idle sessions expire.

interface IdleSession {
  readonly kind: "idle";
  readonly name: string;
  readonly sessionId: string;
}

export class OperatorSessions {
  /**
   * Time of last use of each session on this node, longest idle first. The journal stores only when a session started.
   */
  readonly #usedMs = new Map<string, number>();
  readonly #startedMs: number;

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** The session with this token. Undefined if the token is invalid or expired, or the operator is disabled. */
  find(view: EngineView, token: string, nowMs: number): SignedIn | IdleSession | undefined {
    const shown = tokenOf(token);
    const session = shown && view.access.session(shown.sessionId, nowMs);
    if (shown === undefined || session === undefined) return undefined;
    const operator = view.access.operator(operatorNameOf(session.holder) ?? "");
    if (operator?.isEnabled !== true || !isGood(session, shown.secret, nowMs)) return undefined;
    const { sessionId } = session;
    if (nowMs - this.#lastUseMs(session) >= OPERATOR_IDLE_MS) return { kind: "idle", name: operator.name, sessionId };
    this.#use(sessionId, nowMs);
    return { kind: "operator", name: operator.name, role: operator.role, sessionId };
  }

  #lastUseMs({ sessionId, openedMs }: SessionRecord): number {
    return this.#usedMs.get(sessionId) ?? Math.max(openedMs, this.#startedMs);
  }

  #use(sessionId: string, nowMs: number): void {
    this.#usedMs.delete(sessionId);
    this.#usedMs.set(sessionId, nowMs);
    const [oldest] = this.#usedMs.keys();
    if (this.#usedMs.size > MAX_USED_SESSIONS && oldest !== undefined) this.#usedMs.delete(oldest);
  }
}

/** Whether the token is valid. Operators' tokens are not renewed, because they are valid for only 12 hours. */
function isGood(session: SessionRecord, secret: string, nowMs: number): boolean {
  const worth = worthOf(session, secret, nowMs);
  return worth === "good" || worth === "due";
}

export interface Tokens {
  readonly token: string;
  /** The token of other nodes; absent on a single node. */
  readonly nodeToken?: string | undefined;
}

interface Known {
  readonly view: EngineView;
  readonly sessions: OperatorSessions;
  readonly nowMs: () => number;
  /** Whether the admin port uses TLS itself. */
  readonly isTls: boolean;
  /** Called to end an idle session. */
  readonly endIdle: (name: string, sessionId: string) => void;
}

/** `ip`: the remote address of the connection. */
export function callerOf(request: IncomingMessage, ip: string, { token, nodeToken }: Tokens, known: Known): Caller {
  const sender = senderOf(request, ip, known.isTls);
  const shown = shownToken(request);
  if (shown === undefined) return { ...sender, kind: "stranger" };
  if (sameSecret(shown, token)) return { ...sender, kind: "token" };
  if (nodeToken !== undefined && sameSecret(shown, nodeToken)) return { ...sender, kind: "node" };
  const found = known.sessions.find(known.view, shown, known.nowMs());
  if (found?.kind === "operator") return { ...sender, ...found };
  if (found !== undefined) known.endIdle(found.name, found.sessionId);
  return { ...sender, kind: "stranger" };
}

function shownToken({ headers }: IncomingMessage): string | undefined {
  const [scheme, given = ""] = (headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && given !== "" ? given : undefined;
}

/**
 * The sender of a request. Its connection is secure if the request's host is this machine, or if the port or a proxy
 * (X-Forwarded-Proto) uses TLS.
 */
function senderOf({ headers }: IncomingMessage, ip: string, isOwnTls: boolean): Sender {
  const host = headers.host === undefined ? undefined : hostName(headers.host);
  const isHere = host === undefined || isLoopbackName(host);
  const isTls = isOwnTls || headers["x-forwarded-proto"] === "https";
  const client = (headers["user-agent"] ?? "").slice(0, MAX_CLIENT_LENGTH);
  return { ip, client, isSecure: isHere || isTls, origin: `${isTls ? "https" : "http"}://${headers.host ?? ""}` };
}

/** Freely chosen author names must not look like signed-in users. */
const HOLDER = /(operator|account):/i;

/** The author to record in the journal. Throws `Rejection` 400. */
export function actorOf({ headers }: IncomingMessage, caller: Caller): string {
  const name = headers["x-pricetime-user"];
  if (caller.kind === "operator") {
    if (name === undefined) return `operator:${caller.name}`;
    throw badRequest("X-Pricetime-User is allowed only with the admin token");
  }
  if (caller.kind === "stranger") return "stranger";
  if (name === undefined) return "admin";
  if (typeof name !== "string" || !/^[\x21-\x7e]{1,64}$/.test(name)) {
    throw badRequest("X-Pricetime-User must be 1 to 64 visible ASCII characters");
  }
  if (NODES_OWN_NAMES.includes(name)) {
    throw badRequest(`X-Pricetime-User: ${name} is reserved for actions of the node`);
  }
  if (HOLDER.test(name))
    throw badRequest("X-Pricetime-User must not contain operator: or account:, which are reserved for signed-in users");
  return name;
}
