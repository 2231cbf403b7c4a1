/** Panes, which are the sections of a page: labeled values, or a table that can be searched and saved as a file. */
import { Button } from "../panels/controls.tsx";
import { pagesWords } from "../words/words.ts";
import type { Denied } from "./request.ts";
import type { ComponentChildren } from "preact";
import { type Clock, showAmount, showMoment, timeText } from "./format.ts";
import { type Column, DataTable, rowsToSave } from "../panels/data-table.tsx";
import { useSignal } from "@preact/signals";
import { BLANK } from "../exact/shown.ts";
import { saveCsv } from "../panels/save-table.ts";

// An error: the node's message, its code, and a warning if the outcome of the request is unknown.

export function DeniedText({ denied }: { denied: Denied }) {
  return (
    <p class="refusal" role="alert">
      {denied.message} {denied.code !== "" && <code>{denied.code}</code>}
      {denied.code === "NOT_PERMITTED" && ` ${pagesWords.notPermitted}`}
      {denied.isUnknown && ` ${pagesWords.outcomeUnknown}`}
    </p>
  );
}

interface PaneProps {
  readonly title: string;
  readonly class?: string;
  readonly note?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly denied?: Denied | null;
  readonly children: ComponentChildren;
}

export function Pane({ title, note, tools, denied = null, children, class: name = "" }: PaneProps) {
  return (
    <section class={`pane ${name}`} aria-label={title}>
      <header class="pane-head">
        <h2>{title}</h2>
        {note !== undefined && <span class="muted">{note}</span>}
        <div class="rest">{tools}</div>
      </header>
      {denied !== null && (
        <div class="pane-denied">
          <DeniedText denied={denied} />
        </div>
      )}
      {children}
    </section>
  );
}

/** Values with their labels. */
export function Facts({ rows }: { rows: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts wide">
      {Object.entries(rows).map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * A long untrusted text, such as an address. CSS shortens it if there is not enough space, but it is copied completely.
 */
function Long({ text }: { text: string }) {
  return (
    <code class="address" title={text}>
      {text}
    </code>
  );
}

// Columns. In the saved file, cells have the same text as on the page, except times, which are in ISO 8601.

export function plain<Row>(label: string, text: (row: Row) => string, isNumber = false): Column<Row> {
  return { label, isNumber, text, show: text };
}

/** A column of amounts. The saved file has all digits that the node sent. */
export function amount<Row>(label: string, text: (row: Row) => string): Column<Row> {
  return { label, isNumber: true, text, show: (row) => showAmount(text(row)) };
}

export function moment<Row>(clock: Clock, label: string, timeMs: (row: Row) => number): Column<Row> {
  return { label, show: (row) => showMoment(clock, timeMs(row)), text: (row) => timeText(timeMs(row)) };
}

export function long<Row>(label: string, text: (row: Row) => string): Column<Row> {
  return { label, text, show: (row) => (text(row) === "" ? BLANK : <Long text={text(row)} />) };
}

/** The columns for one type of row. */
export const columnsOf = <Row,>(clock: Clock) => ({
  plain: plain<Row>,
  amount: amount<Row>,
  long: long<Row>,
  moment: (label: string, timeMs: (row: Row) => number) => moment(clock, label, timeMs),
});

/** Parses a time such as `2026-11-22 09:30:58`, which is in UTC; 0 for "". */
export const momentOf = (text: string): number => (text === "" ? 0 : Date.parse(`${text.replace(" ", "T")}Z`));

// A pane with a table that can be searched and saved, as shown or, if the node offers it, complete.

export interface ListProps<Row> {
  readonly title: string;
  /** The file name without extension; absent if the list cannot be saved. */
  readonly name?: string;
  /** The rows; null until they are loaded. */
  readonly rows: readonly Row[] | null;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly denied: Denied | null;
  readonly empty: string;
  readonly tools?: ComponentChildren;
  readonly class?: string;
  /** Content below the rows. */
  readonly more?: ComponentChildren;
  /** The text that rows must contain, if the page stores it; otherwise the list does, until it is left. */
  readonly find?: Find;
}

interface Find {
  readonly text: string;
  readonly onText: (text: string) => void;
}

interface TableListProps<Row> extends ListProps<Row> {
  /** Saves the complete list from the node; absent if the node does not offer it. */
  readonly onSaveWhole?: (() => void) | undefined;
}

export function List<Row>(props: TableListProps<Row>) {
  const { title, name, rows, columns, keyOf, denied, empty, tools, more, onSaveWhole } = props;
  const typed = useSignal("");
  const find = props.find ?? { text: typed.value, onText: (text: string) => (typed.value = text) };
  const needle = find.text.trim().toLowerCase();
  // An empty list has nothing to filter or to save.
  const isIdle = rows?.length === 0 && needle === "";
  const found = (rows ?? []).filter((row) => needle === "" || textOf(row, columns).includes(needle));
  return (
    <Pane
      title={title}
      class={`list ${props.class ?? ""}`}
      note={rows === null ? "" : String(found.length)}
      denied={denied}
      tools={
        <>
          {tools}
          {name !== undefined && !isIdle && (
            <>
              <FindField title={title} find={find} />
              <Button
                class="quiet"
                aria-label={pagesWords.saveShown(title)}
                onClick={() => saveCsv(name, rowsToSave(columns, found))}
              >
                {pagesWords.csv}
              </Button>
            </>
          )}
          {onSaveWhole !== undefined && !isIdle && (
            <Button class="quiet" aria-label={pagesWords.saveWhole(title)} onClick={onSaveWhole}>
              {pagesWords.csvWhole}
            </Button>
          )}
        </>
      }
    >
      {rows === null ? (
        <p class="nothing">{denied === null ? pagesWords.loading : ""}</p>
      ) : (
        <DataTable label={title} columns={columns} rows={found} keyOf={keyOf}>
          {found.length === 0 && denied === null && (
            <p class="nothing">{needle === "" ? empty : pagesWords.noneFound}</p>
          )}
          {more}
        </DataTable>
      )}
    </Pane>
  );
}

function FindField({ title, find }: { title: string; find: Find }) {
  return (
    <input
      type="search"
      class="find"
      aria-label={pagesWords.findIn(title)}
      placeholder={pagesWords.find}
      value={find.text}
      onInput={({ currentTarget: { value } }) => find.onText(value)}
    />
  );
}

function textOf<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map((column) => column.text?.(row) ?? "")
    .join("\n")
    .toLowerCase();
}

// The button below a list that is fetched page by page. If `next` is null, there are no older rows.

export function MoreRows({ next, more }: { next: unknown; more: () => void }) {
  if (next === null) return null;
  return (
    <p class="more">
      <Button onClick={more}>{pagesWords.older}</Button>
    </p>
  );
}
