/** The operator behind a request of the admin port: the token and the name that it shows, the session, and the rights. */
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
import { Rejection } from "../http/answer.ts";
import { tokenOf, worthOf } from "../sign-in/tokens.ts";
import { MAX_USED_SESSIONS, OPERATOR_IDLE_MS } from "../sign-in/limits.ts";
import type { IncomingMessage } from "node:http";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import { hostName, isLoopbackName } from "../../platform/transport/http.ts";

/**
 * What a route needs. nothing: no token at all; view: any operator who signed in; a right of the engine's, for what
 * changes something; token: the admin token, whatever the role.
 */
export type Need = "nothing" | "view" | Right | "token";

/** An operator who has signed in. */
export interface SignedIn {
  readonly kind: "operator";
  /** As in the journal, without `operator:` before it. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly sessionId: string;
}

interface Sender {
  /** The address that the connection comes from. */
  readonly ip: string;
  /** What the client calls itself; "": nothing. */
  readonly client: string;
  /** Whether nobody else reads what is sent: it stays on this machine, or goes over TLS. */
  readonly isSecure: boolean;
  /** The address under which it asked, for links to these pages. */
  readonly origin: string;
}

/** "token": whoever has the admin token; "node": another node of the cluster. */
export type Asker = Sender & (SignedIn | { readonly kind: "token" | "node" | "stranger" });

/** Somebody in this process who may do all that the admin token may. */
export const TOKEN_HOLDER: Asker = { kind: "token", ip: "", client: "", isSecure: true, origin: "" };

/** Whether somebody who asks may have what needs this. Nodes have routes of their own (`isForNodes`). */
export function mayAsk(asker: Asker, need: Need): boolean {
  if (need === "nothing" || asker.kind === "token") return true;
  if (asker.kind !== "operator" || need === "token") return false;
  return need === "view" || hasRight(asker.role, need);
}

/** Everything that the role allows, as words of `x-needs`. */
export const rightsOf = (role: OperatorRole): readonly Need[] => [
  "view",
  ...RIGHTS.filter((right) => hasRight(role, right)),
];

/** What the admin token may do. */
export const ALL_RIGHTS: readonly Need[] = ["view", ...RIGHTS, "token"];

// Checks the right to set an account's own fee rates, which opening an account does not include.

interface Rates {
  readonly makerBps?: number;
  readonly takerBps?: number;
}

/** Throws `Rejection` when the operator must not set fee rates. New accounts have the default rates. */
export function mayGiveRates(asker: Asker, { makerBps, takerBps }: Rates): void {
  if ((makerBps === undefined && takerBps === undefined) || mayAsk(asker, "venue")) return;
  throw new Rejection(
    403,
    "NOT_PERMITTED",
    "Setting fee rates requires the right `venue`. Omit makerBps and takerBps for the default rates.",
  );
}

// Sessions are found by the token that a request shows, and end when they have not been used for a while.

interface IdleSession {
  readonly kind: "idle";
  readonly name: string;
  readonly sessionId: string;
}

export class OperatorSessions {
  /** When each session was last used here, the one idle longest first. The journal knows only when they began. */
  readonly #usedMs = new Map<string, number>();
  readonly #startedMs: number;

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** Whose session the token is of; undefined: of nobody who may act now. */
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

/** An operator's token is never renewed: it lives for hours, in one tab. */
function isGood(session: SessionRecord, secret: string, nowMs: number): boolean {
  const worth = worthOf(session, secret, nowMs);
  return worth === "good" || worth === "due";
}

// The sender of a request, by the token and the name that it shows.

export interface Tokens {
  readonly token: string;
  /** Absent: no node may ask. */
  readonly nodeToken?: string | undefined;
}

interface Known {
  readonly view: EngineView;
  readonly sessions: OperatorSessions;
  readonly nowMs: () => number;
  /** The admin port speaks TLS itself. */
  readonly isTls: boolean;
  /** Ends a session that nobody has used for long. */
  readonly endIdle: (name: string, sessionId: string) => void;
}

/** `ip`: the address that the connection comes from. */
export function askerOf(request: IncomingMessage, ip: string, { token, nodeToken }: Tokens, known: Known): Asker {
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
 * A browser on this machine sends what only this machine reads; from elsewhere it is TLS, the port's own or that of a
 * proxy, which must say so.
 */
function senderOf({ headers }: IncomingMessage, ip: string, isOwnTls: boolean): Sender {
  const host = headers.host === undefined ? undefined : hostName(headers.host);
  const isHere = host === undefined || isLoopbackName(host);
  const isTls = isOwnTls || headers["x-forwarded-proto"] === "https";
  const client = (headers["user-agent"] ?? "").slice(0, MAX_CLIENT_LENGTH);
  return { ip, client, isSecure: isHere || isTls, origin: `${isTls ? "https" : "http"}://${headers.host ?? ""}` };
}

/** Names of holders in a name that anybody may choose would be taken for theirs. */
const HOLDER = /(operator|account):/i;

/** The actor's name, as the journal will show it. Throws `Rejection` 400. */
export function actorOf({ headers }: IncomingMessage, asker: Asker): string {
  const name = headers["x-pricetime-user"];
  if (asker.kind === "operator") {
    if (name === undefined) return `operator:${asker.name}`;
    throw new Rejection(400, "BAD_REQUEST", "X-Pricetime-User is allowed only with the admin token");
  }
  if (asker.kind === "stranger") return "stranger";
  if (name === undefined) return "admin";
  if (typeof name !== "string" || !/^[\x21-\x7e]{1,64}$/.test(name)) {
    throw new Rejection(400, "BAD_REQUEST", "X-Pricetime-User must be 1 to 64 visible ASCII characters");
  }
  if (NODES_OWN_NAMES.includes(name)) {
    throw new Rejection(400, "BAD_REQUEST", `X-Pricetime-User: ${name} is reserved for actions of the node`);
  }
  if (HOLDER.test(name)) {
    throw new Rejection(
      400,
      "BAD_REQUEST",
      "X-Pricetime-User must not contain operator: or account:, which are reserved for signed-in users",
    );
  }
  return name;
}
