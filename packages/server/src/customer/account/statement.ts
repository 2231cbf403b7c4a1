/** Statements: every posting of a month, and that what was there before with all of them is what was there after. */
import { z } from "zod";
import { CSV_TYPE } from "../../answers/csv.ts";
import { endTold, FilePlaces } from "../../answers/file-places.ts";
import { STATEMENT_LIMITS, WEIGHTS } from "./limits.ts";
import { ofAccount, ownAccount, queryOf } from "./parse.ts";
import {
  type AccountAnswer,
  type AccountParts,
  AccountRefused,
  type AccountRoute,
  own,
} from "./port.ts";
import { csvStatement, jsonStatement } from "./statement-text.ts";
import { type Month, StatementReading } from "./statement-reading.ts";

const querySchema = z.strictObject({
  ...ofAccount,
  /** As 2026-10, in UTC. */
  month: z.string().regex(/^20[0-9]{2}-(?:0[1-9]|1[0-2])$/, "a month, as 2026-10"),
  format: z.enum(["json", "csv"]).default("json"),
});

export function statementRoutes(parts: AccountParts): AccountRoute[] {
  const places = new FilePlaces(STATEMENT_LIMITS.atOnce);
  return [
    own({
      method: "GET",
      path: "statement",
      weight: WEIGHTS.statement,
      handle: async (request) => {
        const { account, month, format } = queryOf(querySchema, request);
        const { accountId } = ownAccount(parts, request, account);
        const span = monthOf(month, parts.sequencer.nowMs());
        const giveBack = places.take(request.holder);
        if (giveBack === undefined) throw new AccountRefused(503, "BUSY", "Other statements are being written: ask again.");
        try {
          const reading = await StatementReading.open(parts, accountId, span);
          const lines = format === "csv" ? csvStatement(reading) : jsonStatement(reading);
          return asFile(endTold(lines, giveBack), `statement-${accountId}-${month}`, format);
        } catch (error) {
          giveBack();
          throw error;
        }
      },
    }),
  ];
}

function asFile(stream: AsyncIterable<Uint8Array>, name: string, format: "csv" | "json"): AccountAnswer {
  if (format === "json") return { status: 200, body: null, stream, type: "application/json;charset=UTF-8" };
  return { status: 200, body: null, stream, type: CSV_TYPE, fileName: `${name}.csv` };
}

/** Throws `AccountRefused` for a month that has not begun, and for one that was over just now. */
function monthOf(text: string, nowMs: number): Month {
  const [year, month] = text.split("-").map(Number) as [number, number];
  const [fromMs, untilMs] = [Date.UTC(year, month - 1), Date.UTC(year, month)];
  if (fromMs > nowMs) throw new AccountRefused(400, "BAD_REQUEST", "month: it has not begun");
  const isOver = untilMs <= nowMs;
  if (isOver && nowMs < untilMs + STATEMENT_LIMITS.settleMs) {
    throw new AccountRefused(503, "NOT_YET", "The month was over just now: ask again in a minute.");
  }
  return { text, fromMs, untilMs, isOver };
}
