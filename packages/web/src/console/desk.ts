/** What all pages of the console share. */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Place } from "./place.ts";
import type { NoticeBoard } from "../pages/notice-board.ts";
import type { Preferences } from "../preferences.ts";
import type { Admin } from "./wire/admin.ts";
import type { Operation } from "./wire/document.ts";
import type { Session } from "./wire/session.ts";

/** A form that is open over the page. */
export interface Wish {
  /** The key of the route in `ROUTES`. */
  readonly key: string;
  /** Values of the path's parameters that the page knows. */
  readonly given: Readonly<Record<string, string>>;
  /** The body as things stand: what is sent is shown as a change of it, and the form begins from it. */
  readonly now?: unknown;
  /** The body from which the form begins, where that is another. */
  readonly start?: unknown;
}

export interface Desk extends NoticeBoard {
  readonly admin: Admin;
  readonly session: Signal<Session | null>;
  /** Why somebody who was signed in is so no longer; "": nothing to tell. */
  readonly dismissed: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  /** The node's operations by key; empty until they are fetched. */
  readonly operations: Signal<ReadonlyMap<string, Operation>>;
  readonly wish: Signal<Wish | null>;
  /** Counts what was done: pages fetch again when it grows. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** Rejects with `Denied` when the node does not take them. */
  signIn(wanted: Session): Promise<void>;
}
