/** What letters about signing in are written of. */
import type { EngineView, NoticeRecord } from "@pricetime/engine";
import type { LinkMaker } from "./links.ts";

export interface NoticeDesk {
  readonly access: EngineView["access"];
  readonly to: LinkMaker;
  readonly nowMs: number;
}

export interface NoticeText {
  /** Our own words: nothing that anybody else wrote is in a header. */
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Writes one kind. Undefined: its link is good no more, so there is nothing to say. */
export type NoticeWriter = (notice: NoticeRecord, desk: NoticeDesk) => NoticeText | undefined;

/** A fact of a notice; "" where it has none of that name. */
export function factOf({ facts }: NoticeRecord, name: string): string {
  return Object.hasOwn(facts, name) ? (facts[name] ?? "") : "";
}

const CUSTOMER = "account:";

/** The customer whom the letter is about; undefined: it is an operator, or nobody yet. */
export function customerOf(notice: NoticeRecord): string | undefined {
  const holder = factOf(notice, "holder");
  return holder.startsWith(CUSTOMER) ? holder.slice(CUSTOMER.length) : undefined;
}

/** The last moment that a date can say. */
const LAST_MS = 8.64e15;

/** To the minute, as `2026-11-26 12:40 UTC`. */
export function timeText(ms: number): string {
  if (!(Math.abs(ms) <= LAST_MS)) return "(at no time that a calendar has)";
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
