/** The current page, read from the hash of the URL, so that each object has a link and no link contains a token. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { readHash, writeHash } from "../pages/browser.ts";
import { PAGES, type PageName } from "./routes.ts";

export interface Place {
  readonly page: PageName;
  /** The object shown on the page; "" for the list. */
  readonly subject: string;
  readonly params: Readonly<Record<string, string>>;
}

export type Wanted = Pick<Place, "page"> & Partial<Place>;

/** Former page names, which may be in bookmarks. */
const OLD_NAMES: Readonly<Record<string, PageName>> = {
  proposals: "approvals",
  mail: "emails",
  acts: "audit-log",
  venue: "settings",
  me: "profile",
};

/** Parses a hash such as `#/accounts/100?kind=order`. Former names are translated; unknown pages are the overview. */
export function placeOf(hash: string): Place {
  const { path, params } = readHash(hash);
  const [first = "", second = ""] = path.split("/");
  const page =
    PAGES.find((name) => name === (Object.hasOwn(OLD_NAMES, first) ? OLD_NAMES[first] : first)) ?? "overview";
  return { page, subject: decoded(second), params };
}

export function hashOf({ page, subject = "", params = {} }: Wanted): string {
  return writeHash({ path: subject === "" ? page : `${page}/${encodeURIComponent(subject)}`, params });
}

/**
 * The link in an invitation email: `#/invitation?id=…&secret=…`. Browsers do not send the hash, so the secret is sent
 * only to the node's API.
 */
export interface Invitation {
  readonly id: string;
  readonly secret: string;
}

export function invitationOf(hash: string): Invitation | null {
  const query = /^#\/?invitation\?(.*)$/.exec(hash)?.[1];
  if (query === undefined) return null;
  const params = new URLSearchParams(query);
  return { id: params.get("id") ?? "", secret: params.get("secret") ?? "" };
}

export const watchPlace = (): ReadonlySignal<Place> => watchHash(placeOf);
export const watchInvitation = (): ReadonlySignal<Invitation | null> => watchHash(invitationOf);

function watchHash<Value>(read: (hash: string) => Value): ReadonlySignal<Value> {
  const value = signal(read(location.hash));
  window.addEventListener("hashchange", () => {
    value.value = read(location.hash);
  });
  return value;
}

export function goTo(wanted: Wanted): void {
  location.hash = hashOf(wanted);
}

/** Sets parameters of the current page without adding an entry to the browser's history, for example while typing. */
export function setParams({ page, subject, params }: Place, changed: Place["params"]): void {
  history.replaceState(history.state, "", hashOf({ page, subject, params: { ...params, ...changed } }));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
