/** The error of a request to the admin API that brought no value. */
import type { SignInWork } from "@pricetime/protocol";
import { pagesSay } from "../words/words.ts";
import type { Json } from "./json.ts";

export const UNAUTHORIZED = 401;
/** The node did nothing of it. After any other 5XX nobody knows. */
export const NOT_ACCEPTED = 503;

/** Whether nobody knows if a request was carried out that was answered so. */
export const leavesUnknown = (method: string, status: number): boolean =>
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
