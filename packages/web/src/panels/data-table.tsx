/** A table of rows. Each column defines how its cells are shown and saved. */
import { Button } from "./controls.tsx";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { BLANK } from "../exact/shown.ts";
import { pagesWords } from "../words/words.ts";

export interface Column<Row> {
  readonly label: string;
  readonly isNumber?: boolean;
  /** Whether the column stays visible at the right if the table is wider than its container. */
  readonly isActions?: boolean;
  /** Whether the value is in the first line of the card that shows the row on a phone, without the column's name. */
  readonly isHead?: boolean;
  /** The content of the cell. If absent, the column is only in the file. */
  readonly show?: (row: Row) => ComponentChildren;
  /** The text of the cell in the file. If absent, the column is only on the page. */
  readonly text?: (row: Row) => string;
}

const classOf = ({ isNumber, isActions, isHead }: Pick<Column<never>, "isNumber" | "isActions" | "isHead">): string =>
  [isNumber === true && "number", isActions === true && "acts", isHead === true && "card-head"]
    .filter((name) => name !== false)
    .join(" ");

/** From this length on, a text has a tooltip, because a wide table may shorten it. */
const LONG_CHARACTERS = 60;

/** A row's cell. Cards leave out values that do not exist. */
function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.show?.(row);
  return (
    <td
      class={content === BLANK ? `${classOf(column)} card-blank` : classOf(column)}
      {...ROLES.cell}
      data-label={column.label}
      title={typeof content === "string" && content.length >= LONG_CHARACTERS ? content : undefined}
    >
      {content}
    </td>
  );
}

/** The number of rows drawn at first and with each request for more, because drawing a thousand rows is slow. */
const PAGE_ROWS = 60;

/**
 * The implicit roles of table elements, set explicitly because some browsers drop them if CSS displays rows as blocks,
 * as on phones.
 */
const ROLES = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly children?: ComponentChildren;
  readonly keyOf: (row: Row) => string | number;
}

export function DataTable<Row>({ label, columns, rows, keyOf, children }: Props<Row>) {
  const shown = useSignal(PAGE_ROWS);
  const drawn = columns.filter(({ show }) => show !== undefined);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- can be scrolled by keyboard
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="table data-table" {...ROLES.table}>
        <thead {...ROLES.rowgroup}>
          <tr {...ROLES.row}>
            {drawn.map((column) => (
              <th key={column.label} class={classOf(column)} scope="col" {...ROLES.columnheader}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rowgroup}>
          {rows.slice(0, shown.value).map((row) => (
            <tr key={keyOf(row)} {...ROLES.row}>
              {drawn.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.value ? (
        <p class="more">
          <Button
            onClick={() => {
              shown.value += PAGE_ROWS;
            }}
          >
            {pagesWords.more}
          </Button>
        </p>
      ) : (
        children
      )}
    </div>
  );
}

/** The rows to be saved, with a first row of column names. */
export function rowsToSave<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  const saved = columns.filter(({ text }) => text !== undefined);
  return [saved.map(({ label }) => label), ...rows.map((row) => saved.map((column) => column.text?.(row) ?? ""))];
}
