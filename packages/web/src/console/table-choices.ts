/** What this browser remembers of the console's tables: hidden columns by table, and filters by page. */
import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Column } from "../panels/data-table.tsx";
import type { Preferences } from "../preferences.ts";
import type { Place } from "./place.ts";
import type { PageName } from "./routes.ts";

type Lists = Readonly<Record<string, readonly string[]>>;
type Filters = Readonly<Record<string, Place["params"]>>;

export interface TableChoices {
  /** The labels of hidden columns, by table. Columns that a later version adds are therefore shown. */
  readonly hidden: Signal<Lists>;
  /** The filters that the operator last set on a page, by page. */
  readonly filters: Signal<Filters>;
}

/** Where the operator is, and what is remembered. */
interface Filtered {
  readonly place: ReadonlySignal<Place>;
  readonly tables: TableChoices;
}

const MOST_TEXT_CHARACTERS = 256;

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= MOST_TEXT_CHARACTERS;

function isRecord<Value>(isOne: (value: unknown) => value is Value) {
  return (value: unknown): value is Readonly<Record<string, Value>> =>
    typeof value === "object" && value !== null && Object.values(value).every(isOne);
}

export function openTableChoices({ remember }: Pick<Preferences, "remember">): TableChoices {
  const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
  return {
    hidden: remember("consoleHiddenColumns", {}, isRecord(isTexts)),
    filters: remember("consoleFilters", {}, isRecord(isRecord(isText))),
  };
}

// Filters. They are parameters of the page's address, so that links contain them.

/** Parameters that name a position in a list or in the journal, and are no filters. */
const POSITIONS: readonly string[] = ["after", "before", "from"];

/** The filters in a page's address; an object's page has none. */
function filtersIn({ subject, params }: Place): Place["params"] {
  if (subject !== "") return {};
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !POSITIONS.includes(name) && value !== ""),
  );
}

/**
 * Remembers the filters that the operator sets on a page. Filters that come with a link, such as one from an account to
 * its audit log, are not remembered.
 */
export function rememberFilters({ place, tables }: Filtered): void {
  let last: Place | null = null;
  effect(() => {
    const now = place.value;
    const isSamePage = last !== null && last.page === now.page && last.subject === "" && now.subject === "";
    last = now;
    if (isSamePage) tables.filters.value = { ...tables.filters.peek(), [now.page]: filtersIn(now) };
  });
}

/** The remembered filters of a page, for its link in the navigation. On the page itself, the link clears them. */
export function filtersFor({ place, tables }: Filtered, page: PageName): Place["params"] {
  return place.value.page === page && place.value.subject === "" ? {} : (tables.filters.value[page] ?? {});
}

// Columns.

/** The name under which a table's columns are remembered: the same for all objects with such a table. */
export const tableName = (name: string): string => name.replaceAll(/-?\d+/g, "");

export function shownColumns<Row>(columns: readonly Column<Row>[], hidden: readonly string[]): readonly Column<Row>[] {
  return columns.filter(({ label }) => !hidden.includes(label));
}
