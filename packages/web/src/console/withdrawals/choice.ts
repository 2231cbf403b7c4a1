/** Which withdrawals the queue shows: by where they stand, and of one asset, network or account. */
import { AWAITS } from "./withdrawal.ts";

/** The most that the node is asked for again and again; who has more narrows the choice. */
export const MAX_ROWS = 500;

export const EVERY_STATUS = "all";
export const STATUSES = [AWAITS, "emailSent", "processing", EVERY_STATUS] as const;
export const FIELDS = ["asset", "network", "account"] as const;
export type Asked = Readonly<Record<string, string>>;

export const statusOf = (asked: Asked): (typeof STATUSES)[number] =>
  STATUSES.find((one) => one === asked["status"]) ?? AWAITS;
export const narrowed = (asked: Asked): Asked =>
  Object.fromEntries(FIELDS.map((name) => [name, asked[name] ?? ""]).filter(([, value]) => value !== ""));

/** What the node is asked, by the page's address. Nothing chosen: what waits for approval. */
export function queryOf(asked: Asked): Asked {
  const status = statusOf(asked);
  return { ...(status !== EVERY_STATUS && { status }), ...narrowed(asked) };
}
