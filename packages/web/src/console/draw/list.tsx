/** A pane with a table: found in by typing, saved as a file as it is shown or whole from the node. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Column, DataTable, rowsToSave } from "../../panels/data-table.tsx";
import { saveCsv } from "../../panels/save-csv.ts";
import { consoleSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import type { Sent } from "../wire/admin.ts";
import { Pane } from "../../pages/pane.tsx";
import { saveBlob } from "../../pages/save-blob.ts";

interface Props<Row> {
  readonly desk: Desk;
  readonly title: string;
  /** As files are called, without their ending. */
  readonly name: string;
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
  /** Where the node has the whole list as CSV. */
  readonly whole?: { readonly path: string; readonly query?: Sent["query"] };
}

export function List<Row>(props: Props<Row>) {
  const { desk, title, name, rows, columns, keyOf, denied, empty, tools, more, whole } = props;
  const wanted = useSignal("");
  const needle = wanted.value.trim().toLowerCase();
  const found = (rows ?? []).filter((row) => needle === "" || textOf(row, columns).includes(needle));
  const saveWhole = async ({ path, query = {} }: NonNullable<Props<Row>["whole"]>): Promise<void> => {
    try {
      saveBlob(`${name}.csv`, await desk.admin.askFile(path, { query: { ...query, format: "csv" } }));
    } catch (error) {
      const { message, code } = deniedOf(error);
      desk.say("bad", words.refused(message, code));
    }
  };
  return (
    <Pane
      title={title}
      class={`list ${props.class ?? ""}`}
      note={rows === null ? "" : String(found.length)}
      denied={denied}
      tools={
        <>
          {tools}
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
          {whole !== undefined && (
            <button
              type="button"
              class="quiet"
              aria-label={words.saveWhole(title)}
              onClick={() => void saveWhole(whole)}
            >
              {words.csvWhole}
            </button>
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

/** A column whose cell shows what the file holds. */
export function plain<Row>(label: string, text: (row: Row) => string, isNumber = false): Column<Row> {
  return { label, isNumber, text, show: text };
}
