/**
 * Names of release 0.2.0 that the admin API still accepts, and sends in addition to the new names. Remove them in
 * release 0.4.0. The OpenAPI document contains only the new names.
 */
import type { Answer } from "../http/answer.ts";

export interface DeprecatedRoute {
  readonly method: "GET" | "POST";
  readonly pattern: string;
  /** The pattern of the current route, with the same parameters. */
  readonly now: string;
  /** The error codes of the old route, keyed by the new code. */
  readonly errors?: Readonly<Record<string, string>>;
}

export const DEPRECATED_ROUTES: readonly DeprecatedRoute[] = [
  { method: "GET", pattern: "/v1/acts", now: "/v1/audit-log" },
  { method: "GET", pattern: "/v1/open-deposits", now: "/v1/pending-deposits" },
  { method: "GET", pattern: "/v1/symbols/:symbol/past", now: "/v1/symbols/:symbol/backfilled-candles" },
  {
    ...{ method: "POST", pattern: "/v1/symbols/:symbol/past", now: "/v1/symbols/:symbol/backfilled-candles" },
    errors: { CANDLES_OVERLAP: "PAST_OVERLAPS", CANDLES_NOT_CLOSED: "PAST_NOT_OVER", STOP_ORDERS_WAIT: "ORDERS_WAIT" },
  },
  { method: "GET", pattern: "/v1/mails", now: "/v1/emails" },
  { method: "GET", pattern: "/v1/mails/:email", now: "/v1/emails/:email", errors: { UNKNOWN_EMAIL: "UNKNOWN_MAIL" } },
  { method: "GET", pattern: "/v1/venue", now: "/v1/house-accounts" },
  { method: "POST", pattern: "/v1/withdrawals/:withdrawal/done", now: "/v1/withdrawals/:withdrawal/complete" },
];

/** Fields of requests and answers: old names, keyed by the new name. */
export const DEPRECATED_FIELDS = {
  emailId: "mailId",
  error: "trouble",
  confirmsByEmail: "confirmsByMail",
} as const;
type RenamedField = keyof typeof DEPRECATED_FIELDS;

/** Sent with every response to a deprecated path. */
export const DEPRECATION_HEADERS = ["Deprecation", "true"] as const;

/** Returns the body with its renamed fields under both names. */
export function withOldNames<Name extends RenamedField>(
  body: Readonly<Record<Name, unknown>>,
  ...names: Name[]
): object {
  return { ...body, ...Object.fromEntries(names.map((name) => [DEPRECATED_FIELDS[name], body[name]])) };
}

/** Replaces old field names in a request body. A field that was sent under both names is not changed. */
export function withNewNames(sent: unknown, ...names: readonly RenamedField[]): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const now: Readonly<Record<string, string>> = Object.fromEntries(
    names.map((name) => [DEPRECATED_FIELDS[name], name]),
  );
  const renamed = Object.entries(sent).map(([field, value]) => {
    const name = now[field];
    return [name === undefined || Object.hasOwn(sent, name) ? field : name, value] as const;
  });
  return Object.fromEntries(renamed);
}

/** Replaces the error code of an answer by the old route's code. */
export function inOldWords({ errors }: DeprecatedRoute, answer: Answer): Answer {
  const body = answer.body as Readonly<{ error?: unknown }> | null;
  const old = typeof body?.error === "string" ? errors?.[body.error] : undefined;
  return old === undefined ? answer : { ...answer, body: { ...body, error: old } };
}
