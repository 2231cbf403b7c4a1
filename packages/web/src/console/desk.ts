/** What all pages of the console share. */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Invitation, Place } from "./place.ts";
import type { NoticeBoard } from "../pages/notice-board.ts";
import type { Preferences } from "../preferences.ts";
import type { Admin } from "./wire/admin.ts";
import type { Json, Operation, ProposedAct } from "./wire/document.ts";
import type { Credentials, Me } from "./wire/me.ts";
import type { Session } from "./wire/session.ts";

/** A form that is open over the page. */
export interface Wish {
  /** The key of the route in `ROUTES`. */
  readonly key: string;
  /** The label of the button that opened the form, where it is not the route's. */
  readonly title?: string;
  /** Values of the path's parameters that the page knows. */
  readonly given: Readonly<Record<string, string>>;
  /** The body as things stand: what is sent is shown as a change of it, and the form begins from it. */
  readonly now?: unknown;
  /** The body from which the form begins, where that is another. */
  readonly start?: unknown;
  /** Fields of the body that the page knows: they are shown and not asked for. */
  readonly fixed?: Readonly<Record<string, Json>>;
  /** What a parameter of the path may be, where the page knows that. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** What the page knows of the object that the action concerns, by the names that its readers know. */
  readonly known?: Readonly<Record<string, string>>;
  /** The act that would be approved: it is shown at the second look. */
  readonly act?: ProposedAct;
}

export interface Familiar {
  readonly name: string;
  /** As in `SignedIn`; "": there is none yet. */
  readonly mark: string;
}

export interface Desk extends NoticeBoard {
  readonly admin: Admin;
  readonly session: Signal<Session | null>;
  /** Null: nobody is signed in, or the node has not said yet who it is. */
  readonly me: Signal<Me | null>;
  /** Who signed in here by name before, or was invited to; "": nobody. */
  readonly familiar: Signal<Familiar>;
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
  /** The link of an invitation that is followed; null: none is. */
  readonly invitation: ReadonlySignal<Invitation | null>;
  /** Signs in by the admin token. Rejects with `Denied` when the node does not take it, as does `signInByName`. */
  signIn(wanted: Session): Promise<void>;
  signInByName(wanted: Credentials): Promise<void>;
  /** Never rejects. */
  signOut(): Promise<void>;
}
