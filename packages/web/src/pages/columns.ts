/** Columns that many lists have. */
import { type Clock, showAmount, showMoment, timeText } from "./shown.ts";
import type { Column } from "../panels/data-table.tsx";

export interface Columns<Row> {
  /** The cell shows what the file holds. */
  plain(label: string, text: (row: Row) => string): Column<Row>;
  /** Money, with all the digits that the node sent. */
  amount(label: string, text: (row: Row) => string): Column<Row>;
  moment(label: string, timeMs: (row: Row) => number): Column<Row>;
}

/** A column whose cell shows what the file holds. */
export function plain<Row>(label: string, text: (row: Row) => string, isNumber = false): Column<Row> {
  return { label, isNumber, text, show: text };
}

/** Makers of columns of one kind of rows. */
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

/** `2026-11-22 09:30:58`, of which the interface says that it is UTC. */
export const momentOf = (text: string): number => (text === "" ? 0 : Date.parse(`${text.replace(" ", "T")}Z`));
