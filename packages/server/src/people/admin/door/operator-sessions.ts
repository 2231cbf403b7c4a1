/** Sessions of operators: found by the token that a request shows, and over when nobody has used one for a while. */
import { type EngineView, operatorNameOf, type SessionRecord } from "@pricetime/engine";
import { tokenOf, worthOf } from "../../sign-in/tokens.ts";
import type { SignedIn } from "../asker.ts";
import { MAX_USED_SESSIONS, OPERATOR_IDLE_MS } from "../session-limits.ts";

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
