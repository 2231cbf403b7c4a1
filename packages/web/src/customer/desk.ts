/** What all pages of customers share. */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { NoticeBoard } from "../pages/notice-board.ts";
import type { Preferences } from "../preferences.ts";
import type { Place } from "./place.ts";
import type { Outcome } from "./proof/check-own-part.ts";
import type { Profile, Session } from "./wire/account.ts";
import type { Wire } from "./wire/wire.ts";

export interface Desk extends NoticeBoard {
  readonly wire: Wire;
  /** Null: nobody is signed in; undefined: it is being asked. */
  readonly session: Signal<Session | null | undefined>;
  /** Null: it has not come yet. */
  readonly profile: Signal<Profile | null>;
  /** Why somebody who was signed in is so no longer; "": nothing to tell. */
  readonly dismissed: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  /** Counts what was done and what the account's stream told: pages ask again when it grows. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** What came of checking the account's part of the venue's proof; null: it is being checked. */
  readonly proof: Signal<Outcome | null>;
  /** Checks it again. Never rejects. */
  checkProof(): Promise<void>;
  /** Asks who is signed in; after a sign-in. Never rejects. */
  enter(): Promise<void>;
  /** Signs out. Never rejects. */
  leave(): Promise<void>;
}
