/** Columns of amounts in the treasury's tables. */
import type { Column } from "../../panels/data-table.tsx";
import { showAmount } from "../../pages/shown.ts";

export const amount = <Row,>(label: string, text: (row: Row) => string): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => showAmount(text(row)),
});

/** What ought to be nothing, or no debt: `isBad` says of an amount whether it is. */
export const difference = <Row,>(
  text: (row: Row) => string,
  label: string,
  isBad: (amount: string) => boolean = (one) => one.startsWith("-"),
): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => <span class={isBad(text(row)) ? "bad-text" : "good-text"}>{showAmount(text(row))}</span>,
});
