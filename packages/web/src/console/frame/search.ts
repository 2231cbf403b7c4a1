/** The results of the search box, which are requested while the operator types. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Hit, SearchResult } from "@pricetime/server/answers";
import { consoleWithdrawals } from "../../words/words.ts";
import { UNRESOLVED } from "../admin-client.ts";
import { type Context, TYPING_PAUSE_MS } from "../context.ts";
import type { Wanted } from "../place.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";

export interface Found {
  /** The results; null while the search is running. */
  readonly hits: readonly Hit[] | null;
  readonly isCut: boolean;
  readonly denied: Denied | null;
}

const KINDS_IN_TIME_LINE: Readonly<Record<string, string>> = {
  ...{ order: "order", orderList: "order", trade: "trade", deposit: "money", withdrawal: "money" },
};

/** The page that a result links to. */
export function placeOfHit({ kind, id, accountId, symbol, status = "" }: Hit): Wanted {
  if (kind === "symbol") return { page: "markets", subject: id };
  if (kind === "asset") return { page: "assets", subject: id };
  if (kind === "action") return { page: "journal", params: { from: id.replace(/^#/, "") } };
  // Unattributed deposits have no page of their own, so the list is shown: pending or all deposits.
  if (kind === "unattributedDeposit")
    return { page: "deposits", params: status === UNRESOLVED ? {} : { status: "all" } };
  if (kind === "withdrawal" && status in consoleWithdrawals.statuses) return { page: "withdrawals", subject: id };
  if (accountId !== null && accountId > 0) {
    const shown = KINDS_IN_TIME_LINE[kind];
    return { page: "accounts", subject: String(accountId), ...(shown !== undefined && { params: { kind: shown } }) };
  }
  return symbol === undefined ? { page: "audit-log" } : { page: "markets", subject: symbol };
}

const MOST_HITS = 20;
const SEARCHING: Found = { hits: null, isCut: false, denied: null };

export function useFound({ admin }: Context, text: string): Found {
  const found = useSignal(SEARCHING);
  useEffect(() => search(admin, text, found), [admin, text, found]);
  return found.value;
}

/** Starts a search. The returned function cancels it. */
function search(admin: Context["admin"], text: string, found: Signal<Found>): () => void {
  found.value = SEARCHING;
  let isWanted = text !== "";
  const ask = async (): Promise<void> => {
    try {
      const query = { text, limit: MOST_HITS };
      const { hits, isCut } = await admin.ask<SearchResult>("GET", "/v1/search", {
        query,
      });
      if (isWanted) found.value = { hits, isCut, denied: null };
    } catch (error) {
      if (isWanted) found.value = { ...SEARCHING, denied: deniedOf(error) };
    }
  };
  const timer = setTimeout(() => {
    if (isWanted) void ask(); // The promise never rejects.
  }, TYPING_PAUSE_MS);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}
