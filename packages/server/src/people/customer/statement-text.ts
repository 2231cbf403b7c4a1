/** Writes statements as JSON and as CSV, a page at a time. */
import { csvLine, csvLines } from "../../api/answers/csv.ts";
import type { StatementReading, StatementTotal } from "./statement-reading.ts";

/** The columns of the file. They must not change. */
const COLUMNS = ["id", "time", "asset", "bucket", "amount", "reason", "balanceAfter"] as const;

export async function* jsonStatement(reading: StatementReading): AsyncGenerator<Buffer> {
  const { accountId, month, opening } = reading;
  const head = { month: month.text, accountId, fromMs: month.fromMs, untilMs: month.untilMs, opening };
  let before = `${JSON.stringify(head).slice(0, -1)},"postings":[`;
  for await (const lines of reading.pages()) {
    yield Buffer.from(before + lines.map((line) => JSON.stringify(line)).join(","));
    before = ",";
  }
  const { closing, sums, proof } = reading;
  yield Buffer.from(`${before === "," ? "" : before}],${JSON.stringify({ closing, sums, proof }).slice(1)}\n`);
}

/** Begins with the opening balances, and ends with the closing balances and the root of the newest proof. */
export async function* csvStatement(reading: StatementReading): AsyncGenerator<Buffer> {
  const { month, opening } = reading;
  yield Buffer.from(csvLine(COLUMNS) + balances(opening, "opening", month.fromMs));
  for await (const lines of reading.pages()) {
    yield Buffer.from(
      csvLines(
        lines.map((line) => ({ ...line, time: timeText(line.timeMs) })),
        COLUMNS,
      ),
    );
  }
  yield Buffer.from(balances(reading.closing, "closing", month.untilMs - 1) + rootOf(reading));
}

/** With the root in their statements, customers can prove what the exchange had published. */
function rootOf({ proof }: StatementReading): string {
  if (proof === null) return "";
  const { number, root, publishedMs } = proof;
  return csvLines([{ id: root, time: timeText(publishedMs), reason: `root of proof ${number}` }], COLUMNS);
}

function balances(totals: readonly StatementTotal[], reason: string, timeMs: number): string {
  const rows = totals.flatMap(({ asset, free, locked }) => [
    { time: timeText(timeMs), asset, bucket: "free", reason, balanceAfter: free },
    { time: timeText(timeMs), asset, bucket: "locked", reason, balanceAfter: locked },
  ]);
  return csvLines(rows, COLUMNS);
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();
