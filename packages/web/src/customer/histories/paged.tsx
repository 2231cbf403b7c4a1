/** A long list of a customer, a page at a time. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Denied } from "../../pages/denied.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { fetchPage, type KeptRows, NO_ROWS, type Page } from "../../pages/paged.ts";
import type { Desk } from "../desk.ts";
import type { Wire } from "../wire/wire.ts";

/** Asks for a page: the first, or the one that begins at `next`. Must not change from one call to the next. */
export type AskPage<Row, Next> = (wire: Wire, next: Next | null) => Promise<Page<Row, Next>>;

export interface Paged<Row> {
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** The button under the rows, where there are older ones. */
  readonly more: preact.JSX.Element;
}

/** Begun anew after each act, and whenever the account's stream tells something while no older page was wished for. */
export function usePaged<Row, Next>({ wire, done }: Desk, ask: AskPage<Row, Next>): Paged<Row> {
  const kept = useSignal<KeptRows<Row, Next>>(NO_ROWS);
  const isFirst = useSignal(true);
  const told = done.value;
  useEffect(() => {
    if (isFirst.peek()) void fetchPage((from) => ask(wire, from), "", kept, null);
  }, [wire, ask, kept, isFirst, told]);
  const { rows, denied, next } = kept.value;
  const older = (): void => {
    isFirst.value = false;
    void fetchPage((from) => ask(wire, from), "", kept, next);
  };
  return { rows, denied, more: <MoreRows next={next} more={older} /> };
}
