/** Who is signed in: a token and the operator's name, which this tab alone keeps and no address ever holds. */
import { type Signal, signal } from "@preact/signals";

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
