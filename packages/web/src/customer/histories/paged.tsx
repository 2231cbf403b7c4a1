/** A long list, a page at a time from the newest on. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import { customerSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import type { Wire } from "../wire/wire.ts";

export interface Page<Row, Next> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null: there is none. */
  readonly next: Next | null;
}

interface Kept<Row, Next> {
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  readonly next: Next | null;
}

/** Asks for a page: the first, or the one that begins at `next`. Must not change from one call to the next. */
export type AskPage<Row, Next> = (wire: Wire, next: Next | null) => Promise<Page<Row, Next>>;

export interface Paged<Row> {
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** The button under the rows, where there are older ones. */
  readonly more: preact.JSX.Element | null;
}

/** Begun anew after each act, and whenever the account's stream tells something while no older page was wished for. */
export function usePaged<Row, Next>(desk: Desk, ask: AskPage<Row, Next>): Paged<Row> {
  const kept = useSignal<Kept<Row, Next>>({ rows: null, denied: null, next: null });
  const isFirst = useSignal(true);
  const done = desk.done.value;
  useEffect(() => {
    if (isFirst.peek()) void fetchPage(desk.wire, ask, kept, null);
  }, [desk, ask, kept, isFirst, done]);
  const { rows, denied, next } = kept.value;
  const older = (): void => {
    isFirst.value = false;
    void fetchPage(desk.wire, ask, kept, next);
  };
  const more =
    next === null ? null : (
      <p class="more">
        <button type="button" class="button" onClick={older}>
          {words.older}
        </button>
      </p>
    );
  return { rows, denied, more };
}

/** Never rejects. */
async function fetchPage<Row, Next>(
  wire: Wire,
  ask: AskPage<Row, Next>,
  kept: Signal<Kept<Row, Next>>,
  from: Next | null,
): Promise<void> {
  try {
    const { rows, next } = await ask(wire, from);
    if (from !== null && kept.peek().next !== from) return;
    kept.value = { rows: from === null ? rows : [...(kept.peek().rows ?? []), ...rows], denied: null, next };
  } catch (error) {
    kept.value = { ...kept.peek(), denied: deniedOf(error) };
  }
}
