/** Which page is looked at: it stands behind the `#` of the address, so that every thing has a link, and no token ever does. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { readHash, writeHash } from "../pages/hash.ts";
import { PAGES, type PageName } from "./routes.ts";

export interface Place {
  readonly page: PageName;
  /** What the page shows alone; "": its list. */
  readonly subject: string;
  readonly asked: Readonly<Record<string, string>>;
}

export type Wanted = Pick<Place, "page"> & Partial<Place>;

/** `#/accounts/100?kind=order`. What cannot be read is the overview. */
export function placeOf(hash: string): Place {
  const { path, asked } = readHash(hash);
  const [first = "", second = ""] = path.split("/");
  const page = PAGES.find((name) => name === first) ?? "overview";
  return { page, subject: decoded(second), asked };
}

export function hashOf({ page, subject = "", asked = {} }: Wanted): string {
  return writeHash({ path: subject === "" ? page : `${page}/${encodeURIComponent(subject)}`, asked });
}

/** The link of an invitation, as its letter has it: `#/invitation?id=…&secret=…`. The secret goes to the node alone. */
export interface Invitation {
  readonly id: string;
  readonly secret: string;
}

export function invitationOf(hash: string): Invitation | null {
  const query = /^#\/?invitation\?(.*)$/.exec(hash)?.[1];
  if (query === undefined) return null;
  const asked = new URLSearchParams(query);
  return { id: asked.get("id") ?? "", secret: asked.get("secret") ?? "" };
}

/** Follows the address. */
export function watchPlace(): ReadonlySignal<Place> {
  return watchHash(placeOf);
}

export function watchInvitation(): ReadonlySignal<Invitation | null> {
  return watchHash(invitationOf);
}

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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
