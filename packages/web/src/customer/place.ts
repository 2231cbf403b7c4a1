/** Which page is looked at: it stands behind the `#` of the address. Secrets of letters come there too, and are taken out at once. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { readHash, writeHash } from "../pages/hash.ts";

/** Pages of somebody who is signed in, in the order of their list. */
export const PAGES = [
  "overview",
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
/** Pages of letters, and of those who have yet to sign in. */
export const OUTSIDE_PAGES = ["sign-up", "invitation", "lost", "recovery", "cancel-recovery", "freeze"] as const;

export type PageName = (typeof PAGES)[number];
export type OutsideName = (typeof OUTSIDE_PAGES)[number];

export interface Place {
  readonly page: PageName | OutsideName;
  readonly asked: Readonly<Record<string, string>>;
}

const ALL: readonly Place["page"][] = [...PAGES, ...OUTSIDE_PAGES];

/** `#/withdraw?coin=BTC`. What cannot be read is the overview. */
export function placeOf(hash: string): Place {
  const { path, asked } = readHash(hash);
  return { page: ALL.find((name) => name === path) ?? "overview", asked };
}

export function hashOf(page: Place["page"], asked: Place["asked"] = {}): string {
  return writeHash({ path: page, asked });
}

export const isOutside = (page: Place["page"]): page is OutsideName => OUTSIDE_PAGES.some((name) => name === page);

/** Follows the address. A secret goes from there into the page alone: the browser's history keeps addresses. */
export function watchPlace(): ReadonlySignal<Place> {
  const place = signal(placeOf(""));
  const read = (): void => {
    place.value = placeOf(location.hash);
    if ("secret" in place.value.asked) history.replaceState(null, "", hashOf(place.value.page));
  };
  window.addEventListener("hashchange", read);
  read();
  return place;
}

export function goTo(page: Place["page"], asked: Place["asked"] = {}): void {
  location.hash = hashOf(page, asked);
}
