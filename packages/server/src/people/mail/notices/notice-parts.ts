/** Common parts of emails about account security. */
import type { EngineView, NoticeRecord } from "@pricetime/engine";
import type { LinkMaker } from "./links.ts";

export interface NoticeDesk {
  readonly access: EngineView["access"];
  readonly to: LinkMaker;
  readonly nowMs: number;
}

export interface NoticeText {
  /** Fixed text only: user input never reaches a header. */
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Writes the email of one kind of notice. Undefined: its link has expired, so no email is sent. */
export type NoticeWriter = (notice: NoticeRecord, desk: NoticeDesk) => NoticeText | undefined;

/** Returns a fact of a notice by name; "" when it is absent. */
export function factOf({ facts }: NoticeRecord, name: string): string {
  return Object.hasOwn(facts, name) ? (facts[name] ?? "") : "";
}

const CUSTOMER = "account:";

/** Returns the account that the email is about; undefined for an operator, or before there is an account. */
export function customerOf(notice: NoticeRecord): string | undefined {
  const holder = factOf(notice, "holder");
  return holder.startsWith(CUSTOMER) ? holder.slice(CUSTOMER.length) : undefined;
}

/** The latest time that `Date` represents. */
const LAST_MS = 8.64e15;

/** Formats a time to the minute, as `2026-11-26 12:40 UTC`. */
export function timeText(ms: number): string {
  if (!(Math.abs(ms) <= LAST_MS)) return "(unknown time)";
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Formats facts as aligned lines, as `  IP address:  "203.0.113.9"`. Longer values stay on one line. */
export function linesOf(facts: readonly (readonly [label: string, value: string])[]): readonly string[] {
  const width = Math.max(...facts.map(([label]) => label.length)) + 3;
  return facts.map(([label, value]) => `  ${`${label}:`.padEnd(width)}${value}`);
}
