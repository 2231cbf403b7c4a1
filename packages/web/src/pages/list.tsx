/** A pane with a table: found in by typing, saved as a file as it is shown, or whole where the node has it so. */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Column, DataTable, rowsToSave } from "../panels/data-table.tsx";
import { saveCsv } from "../panels/save-table.ts";
import { pagesSay } from "../words/words.ts";
import type { Denied } from "./denied.ts";
import { Pane } from "./pane.tsx";

export interface ListProps<Row> {
  readonly title: string;
  /** As files are called, without their ending; absent: there is no file of it. */
  readonly name?: string;
  /** Null: they have not come yet. */
  readonly rows: readonly Row[] | null;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly denied: Denied | null;
  readonly empty: string;
  readonly tools?: ComponentChildren;
  readonly class?: string;
  /** Under the rows. */
  readonly more?: ComponentChildren;
}

interface Props<Row> extends ListProps<Row> {
  /** Saves all of it, as the node has it; absent: it has no such file. */
  readonly onSaveWhole?: (() => void) | undefined;
}

export function List<Row>(props: Props<Row>) {
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
