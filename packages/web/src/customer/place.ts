/**
 * The current page, from the URL fragment. Links in emails have their secret in the fragment too; it is removed at
 * once.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { readHash, writeHash } from "../pages/browser.ts";

/** The pages of a signed-in customer, in the order of the navigation. */
export const PAGES = [
  "overview",
  "portfolio",
  "deposit",
  "withdraw",
  "addresses",
  "history",
  "sub-accounts",
  "dust",
  "fees",
  "keys",
  "security",
  "statements",
  "proof",
] as const;
/** Pages that need no session. */
export const OUTSIDE_PAGES = ["sign-up", "invitation", "lost", "recovery", "cancel-recovery", "lock-account"] as const;

export type PageName = (typeof PAGES)[number];
export type OutsideName = (typeof OUTSIDE_PAGES)[number];

export interface Place {
  readonly page: PageName | OutsideName;
  readonly params: Readonly<Record<string, string>>;
}

const ALL: readonly Place["page"][] = [...PAGES, ...OUTSIDE_PAGES];

/** Former page names, in links of emails that were sent before the page was renamed. */
const OLD_NAMES: Readonly<Record<string, Place["page"]>> = { freeze: "lock-account" };

/** Parses a fragment such as `#/withdraw?coin=BTC`. Unknown pages are the overview. */
export function placeOf(hash: string): Place {
  const { path, params } = readHash(hash);
  const page = ALL.find((name) => name === path) ?? (Object.hasOwn(OLD_NAMES, path) ? OLD_NAMES[path] : undefined);
  return { page: page ?? "overview", params };
}

export function hashOf(page: Place["page"], params: Place["params"] = {}): string {
  return writeHash({ path: page, params });
}

export const isOutside = (page: Place["page"]): page is OutsideName => OUTSIDE_PAGES.some((name) => name === page);

/** Follows the URL. Secrets are removed from it, because the browser's history stores URLs. */
export function watchPlace(): ReadonlySignal<Place> {
  const place = signal(placeOf(""));
  const read = (): void => {
    place.value = placeOf(location.hash);
    if ("secret" in place.value.params) history.replaceState(null, "", hashOf(place.value.page));
  };
  window.addEventListener("hashchange", read);
  read();
  return place;
}

export function goTo(page: Place["page"], params: Place["params"] = {}): void {
  location.hash = hashOf(page, params);
}
