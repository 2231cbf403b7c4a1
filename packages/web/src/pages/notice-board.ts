/** What the reader is told outside a form: good news goes by itself. */
import { type Signal, signal } from "@preact/signals";
import type { World } from "../wire/world.ts";

export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The address of what it tells of. */
  readonly to?: string;
}

export interface NoticeBoard {
  readonly notices: Signal<readonly Notice[]>;
  readonly say: (tone: Notice["tone"], text: string, to?: string) => void;
}

const GOOD_NEWS_MS = 6_000;
const MOST_NOTICES = 5;

export function openNoticeBoard(world: Pick<World, "after">): NoticeBoard {
  const notices = signal<readonly Notice[]>([]);
  let last = 0;
  return {
    notices,
    say(tone, text, to) {
      const id = ++last;
      const drop = (): void => {
        notices.value = notices.value.filter((one) => one.id !== id);
      };
      notices.value = [...notices.value, { id, tone, text, ...(to !== undefined && { to }) }].slice(-MOST_NOTICES);
      if (tone === "good") world.after(GOOD_NEWS_MS, drop);
    },
  };
}
