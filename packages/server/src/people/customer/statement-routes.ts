/** Statements: every posting of a month, with opening and closing balances that the postings must connect. */
import { z } from "zod";
import { CSV_TYPE } from "../../api/answers/csv.ts";
import { endTold } from "../../api/answers/file-places.ts";
import { type CustomerAnswer, namedFile } from "./answer.ts";
import { CustomerRefused } from "./refused.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { STATEMENT } from "./weights.ts";
import { ofAccount, ownAccount, queryOf } from "./own-account.ts";
import { STATEMENT_LIMITS } from "./limits.ts";
import { type Month, StatementReading } from "./statement-reading.ts";
import { csvStatement, jsonStatement } from "./statement-text.ts";

const querySchema = z.strictObject({
  ...ofAccount,
  /** As 2026-10, in UTC. */
  month: z.string().regex(/^20[0-9]{2}-(?:0[1-9]|1[0-2])$/, "a month, as 2026-10"),
  format: z.enum(["json", "csv"]).default("json"),
});

async function statement(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { account, month, format } = queryOf(querySchema, asked);
  const { accountId } = ownAccount(parts, asked, account);
  const span = monthOf(month, asked.nowMs);
  const giveBack = parts.statements.take(asked.holder);
  if (giveBack === undefined) throw new CustomerRefused("STATEMENT_BUSY", undefined, 1);
  try {
    const reading = await StatementReading.open(parts, accountId, span);
    const stream = endTold(format === "csv" ? csvStatement(reading) : jsonStatement(reading), giveBack);
    if (format === "json") return { status: 200, headers: [], body: "", stream };
    const headers = namedFile(`statement-${accountId}-${month}.csv`);
    return { status: 200, headers, body: "", stream, contentType: CSV_TYPE };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Throws `CustomerRefused` for a month that has not begun, and for one that has only just ended. */
function monthOf(text: string, nowMs: number): Month {
  const [year = 0, month = 0] = text.split("-").map(Number);
  const [fromMs, untilMs] = [Date.UTC(year, month - 1), Date.UTC(year, month)];
  if (fromMs > nowMs) throw new CustomerRefused("BAD_REQUEST", "The request is invalid: month: it has not begun.");
  const isOver = untilMs <= nowMs;
  if (isOver && nowMs < untilMs + STATEMENT_LIMITS.settleMs) throw new CustomerRefused("STATEMENT_NOT_READY");
  return { text, fromMs, untilMs, isOver };
}

export const STATEMENT_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/statement",
    weight: STATEMENT,
    summary: "Returns every posting of a month, with opening and closing balances.",
    answers: "`opening`, `postings`, `closing`, `sums`; or a file.",
    types: ["application/json", CSV_TYPE],
    query: querySchema,
    handle: statement,
  },
];
