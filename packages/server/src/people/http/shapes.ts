/** Shorthands for the schemas of answers, and schemas that both APIs use. Amounts and prices are decimal strings. */
import type { ApiKey, SessionRecord } from "@pricetime/engine";
import { z } from "zod";

export const text = z.string();
export const flag = z.boolean();
/** A time in milliseconds, an ID or a count. */
export const count = z.number();

type Fields<Name extends string, Kind> = { readonly [N in Name]: Kind };

const fields = <Name extends string, Kind>(names: readonly Name[], kind: Kind): Fields<Name, Kind> =>
  Object.fromEntries(names.map((name) => [name, kind])) as Fields<Name, Kind>;

export const texts = <Name extends string>(...names: Name[]): Fields<Name, typeof text> => fields(names, text);
export const counts = <Name extends string>(...names: Name[]): Fields<Name, typeof count> => fields(names, count);
export const flags = <Name extends string>(...names: Name[]): Fields<Name, typeof flag> => fields(names, flag);

// Schemas that both APIs use.

/** `publicKey`: absent for keys that sign with a secret. */
export const keyRow = z.object({
  ...{ apiKey: text, accountId: count, permissions: z.array(text), ipAllowList: z.array(text) },
  ...{ label: text, createdMs: count, publicKey: text.exactOptional() },
});
export type KeyRow = z.output<typeof keyRow>;

/** The key without its secret. */
export function keyBody({ apiKey, accountId, permissions, ipAllowList, label, createdMs, publicKey }: ApiKey): object {
  const body = { apiKey, accountId, permissions, ipAllowList, label, createdMs };
  return publicKey === undefined ? body : { ...body, publicKey };
}

export const sessionRow = z.object({
  ...{ sessionId: text, ...counts("openedMs", "renewedMs", "untilMs"), ...texts("ip", "client") },
});

/** The session without its secret hashes. */
export function sessionBody({ sessionId, openedMs, renewedMs, untilMs, ip, client }: SessionRecord): object {
  return { sessionId, openedMs, renewedMs, untilMs, ip, client };
}

/** Withdrawal limits over 24 and 72 hours, with used and remaining amounts; null: no limit. */
export const limitWindows = {
  ...{ limit24h: text.nullable(), withdrawn24h: text, left24h: text.nullable() },
  ...{ limit72h: text.nullable(), withdrawn72h: text, left72h: text.nullable() },
};
/** The limits of one account. `isOwn`: whether they are set for this account specifically. */
export const accountLimitRow = z.object({ asset: text, isOwn: flag, ...limitWindows });
export type AccountLimitRow = z.output<typeof accountLimitRow>;

/**
 * A two-factor secret that is not journaled until its first code is confirmed. `pending` contains the secret,
 * encrypted.
 */
export const pendingTotp = z.object(texts("secret", "uri", "pending"));
export type PendingTotp = z.output<typeof pendingTotp>;
