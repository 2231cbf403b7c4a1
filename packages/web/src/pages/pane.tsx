/** Panes, the sections of a page: labeled values, or a table that can be searched and saved as a file. */
import { pagesSay } from "../words/words.ts";
import type { Denied } from "./request.ts";
import type { ComponentChildren } from "preact";
import { type Clock, showAmount, showMoment, timeText } from "./format.ts";
import { type Column, DataTable, rowsToSave } from "../panels/data-table.tsx";
import { type Signal, useSignal } from "@preact/signals";
import { saveCsv } from "../panels/save-table.ts";

// An error: the node's message, its code, and a warning if the outcome of the request is unknown.

export function DeniedText({ denied }: { denied: Denied }) {
  return (
    <p class="refusal" role="alert">
      {denied.message} {denied.code !== "" && <code>{denied.code}</code>}
      {denied.code === "NOT_PERMITTED" && ` ${pagesSay.notPermitted}`}
      {denied.isUnknown && ` ${pagesSay.outcomeUnknown}`}
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

export interface Columns<Row> {
  /** The cell and the file contain the same text. */
  plain(label: string, text: (row: Row) => string): Column<Row>;
  /** An amount with all the digits that the node sent. */
  amount(label: string, text: (row: Row) => string): Column<Row>;
  moment(label: string, timeMs: (row: Row) => number): Column<Row>;
}

/** A column whose cell and file contain the same text. */
export function plain<Row>(label: string, text: (row: Row) => string, isNumber = false): Column<Row> {
  return { label, isNumber, text, show: text };
}

/** Creates the columns of one type of row. */
export function columnsOf<Row>(clock: Clock): Columns<Row> {
  return {
    plain: (label, text) => plain(label, text),
    amount: (label, text) => ({ label, isNumber: true, text, show: (row) => showAmount(text(row)) }),
    moment: (label, timeMs) => ({
      label,
      show: (row) => showMoment(clock, timeMs(row)),
      text: (row) => timeText(timeMs(row)),
    }),
  };
}

/** Parses `2026-11-22 09:30:58`, which the interface defines as UTC. */
export const momentOf = (text: string): number => (text === "" ? 0 : Date.parse(`${text.replace(" ", "T")}Z`));

// A pane with a table that can be searched and saved as shown, or complete where the node offers the file.

export interface ListProps<Row> {
  readonly title: string;
  /** The file name without extension; absent if the list cannot be saved. */
  readonly name?: string;
  /** Null until they are loaded. */
  readonly rows: readonly Row[] | null;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly denied: Denied | null;
  readonly empty: string;
  readonly tools?: ComponentChildren;
  readonly class?: string;
  /** Shown below the rows. */
  readonly more?: ComponentChildren;
}

interface TableListProps<Row> extends ListProps<Row> {
  /** Saves the complete list from the node; absent if the node has no such file. */
  readonly onSaveWhole?: (() => void) | undefined;
}

export function List<Row>(props: TableListProps<Row>) {
  const { title, name, rows, columns, keyOf, denied, empty, tools, more, onSaveWhole } = props;
  const wanted = useSignal("");
  const needle = wanted.value.trim().toLowerCase();
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
          {name !== undefined && (
            <>
              <Find title={title} wanted={wanted} />
              <button
                type="button"
                class="quiet"
                aria-label={pagesSay.saveShown(title)}
                onClick={() => saveCsv(name, rowsToSave(columns, found))}
              >
                {pagesSay.csv}
              </button>
            </>
          )}
          {onSaveWhole !== undefined && (
            <button type="button" class="quiet" aria-label={pagesSay.saveWhole(title)} onClick={onSaveWhole}>
              {pagesSay.csvWhole}
            </button>
          )}
        </>
      }
    >
      {rows === null ? (
        <p class="nothing">{denied === null ? pagesSay.loading : ""}</p>
      ) : (
        <DataTable label={title} columns={columns} rows={found} keyOf={keyOf}>
          {found.length === 0 && <p class="nothing">{needle === "" ? empty : pagesSay.noneFound}</p>}
          {more}
        </DataTable>
      )}
    </Pane>
  );
}

function Find({ title, wanted }: { title: string; wanted: Signal<string> }) {
  return (
    <input
      type="search"
      class="find"
      aria-label={pagesSay.findIn(title)}
      placeholder={pagesSay.find}
      value={wanted.value}
      onInput={({ currentTarget: { value } }) => {
        wanted.value = value;
      }}
    />
  );
}

function textOf<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map((column) => column.text?.(row) ?? "")
    .join("\n")
    .toLowerCase();
}

// The button below a list that is fetched page by page. With `next` null there are no older rows.

export function MoreRows({ next, more }: { next: unknown; more: () => void }) {
  if (next === null) return null;
  return (
    <p class="more">
      <button type="button" class="button" onClick={more}>
        {pagesSay.older}
      </button>
    </p>
  );
}
