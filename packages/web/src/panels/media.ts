/** How much room the page has: panes side by side, two columns, or one place at a time. */
import { type ReadonlySignal, signal } from "@preact/signals";

export type Room = "wide" | "middle" | "narrow";

/** As in style/header.css. */
const WIDE = "(min-width: 1200px)";
const MIDDLE = "(min-width: 768px)";

/** Follows the window's width as long as the page is there. */
export function watchRoom(): ReadonlySignal<Room> {
  const wide = matchMedia(WIDE);
  const middle = matchMedia(MIDDLE);
  const now = (): Room => (wide.matches ? "wide" : middle.matches ? "middle" : "narrow");
  const room = signal(now());
  const look = (): void => {
    room.value = now();
  };
  wide.addEventListener("change", look);
  middle.addEventListener("change", look);
  return room;
}
