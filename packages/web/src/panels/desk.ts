/** What every panel is given. */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Account } from "../account/port.ts";
import type { Lab } from "../lab/port.ts";
import type { Feed } from "../market/port.ts";
import type { Preferences } from "../preferences.ts";
import type { Ask } from "./ask.tsx";
import type { Ticket } from "./ticket.ts";

/** The part of the page that a phone shows, and that a digit key goes to. */
export type Place = "chart" | "book" | "trade" | "orders";
export const PLACES: readonly Place[] = ["chart", "book", "trade", "orders"];

/** The window that lies over the page. */
export type Overlay = "none" | "markets" | "settings" | "keyboard" | "sign-in" | "lab";

export interface Desk {
  readonly feed: Feed;
  readonly account: Account;
  readonly lab: Lab;
  readonly preferences: Preferences;
  readonly ticket: Ticket;
  readonly ask: Ask;
  readonly overlay: Signal<Overlay>;
  readonly place: Signal<Place>;
  /** The time of the machine's clock, once a second. */
  readonly nowMs: ReadonlySignal<number>;
  /** A text to be spoken by a screen reader. */
  readonly spoken: Signal<string>;
}
