/** A pane with a table, found in by typing and saved as a file as it is shown. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Pane } from "../../pages/pane.tsx";
import type { Denied } from "../../pages/denied.ts";
import { type Column, DataTable, rowsToSave } from "../../panels/data-table.tsx";
import { saveCsv } from "../../panels/save-csv.ts";
import { customerSays as words } from "../../words/words.ts";

interface Props<Row> {
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
  /** Under the rows. */
  readonly more?: ComponentChildren;
}

export function List<Row>({ title, name, rows, columns, keyOf, denied, empty, tools, more }: Props<Row>) {
  const wanted = useSignal("");
  const needle = wanted.value.trim().toLowerCase();
  const found = (rows ?? []).filter((row) => needle === "" || textOf(row, columns).includes(needle));
  return (
    <Pane
      title={title}
      class="list"
      note={rows === null ? "" : String(found.length)}
      denied={denied}
      tools={
        <>
          {tools}
          {name !== undefined && (
            <>
              <input
                type="search"
                class="find"
                aria-label={words.findIn(title)}
                placeholder={words.find}
                value={wanted.value}
                onInput={({ currentTarget: { value } }) => {
                  wanted.value = value;
                }}
              />
              <button
                type="button"
                class="quiet"
                aria-label={words.saveShown(title)}
                onClick={() => saveCsv(name, rowsToSave(columns, found))}
              >
                {words.csv}
              </button>
            </>
          )}
        </>
      }
    >
      {rows === null ? (
        <p class="nothing">{denied === null ? words.loading : ""}</p>
      ) : (
        <DataTable label={title} columns={columns} rows={found} keyOf={keyOf}>
          {found.length === 0 && <p class="nothing">{needle === "" ? empty : words.noneFound}</p>}
          {more}
        </DataTable>
      )}
    </Pane>
  );
}

function textOf<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map((column) => column.text?.(row) ?? "")
    .join("\n")
    .toLowerCase();
}
