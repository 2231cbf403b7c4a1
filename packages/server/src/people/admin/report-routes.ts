/**
 * Routes of the reports about the business: volume, fees, customers, deposits and withdrawals by day, week or month,
 * market, account and asset. Values are in the asset of the settings at each day's closing prices.
 */
import { DAY_MS, type EngineView, FIRST_CUSTOMER_ACCOUNT } from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { valuationAsset } from "../../history/shapes/valuation-asset.ts";
import { z } from "zod";
import { badRequest } from "../http/answer.ts";
import {
  accountReport,
  accountReportRow,
  assetReport,
  assetReportRow,
  marketReport,
  marketReportRow,
  periodReport,
  periodReportRow,
} from "./report-answers.ts";
import { listRoute, type Page } from "./list-route.ts";
import { type AdminNode, fromHistory } from "./node.ts";
import type { AdminRoute } from "./router.ts";

const REPORT_LIMITS = {
  /** Maximum number of periods. */
  maxPeriods: 400,
  /** Maximum number of days. The rows of all accounts that traded on a day are read. */
  maxDays: 4_000,
  maxAccounts: 1_000,
} as const;

/** The periods by name: the kline interval with the same bounds, and the number of periods if neither it nor `from` is given. */
const PERIODS = {
  day: { interval: "1d", count: 30 },
  week: { interval: "1w", count: 12 },
  month: { interval: "1M", count: 12 },
} as const;

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-11-30")
  .transform((text) => Date.parse(`${text}T00:00:00Z`))
  .refine((timeMs) => timeMs >= 0, "a date since 1970, such as 2026-11-30");

const by = z.enum(["day", "week", "month"]).default("day");
const periods = z.coerce.number().int().min(1).max(REPORT_LIMITS.maxPeriods);
const query = z.strictObject({
  by,
  ...{ from: date.exactOptional(), to: date.exactOptional(), periods: periods.exactOptional() },
});
const accountQuery = query.extend({
  limit: z.coerce.number().int().min(1).max(REPORT_LIMITS.maxAccounts).default(20),
});
type Asked = z.output<typeof query>;

interface Period {
  readonly fromDay: number;
  readonly endDay: number;
}

const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const firstAndLast = ({ fromDay, endDay }: Period) => ({ from: dateText(fromDay), to: dateText(endDay - 1) });

/** The complete periods from the day `from`, or as many as `periods`, to the one with the day `to`, or the current one. */
function periodsOf({ by: name, from, to, periods: wanted }: Asked, nowMs: number): Period[] {
  if (from !== undefined && wanted !== undefined) throw badRequest("periods: from and periods exclude each other");
  const { interval, count: usual } = PERIODS[name];
  const count = wanted ?? usual;
  const lastMs = openTimeOf(interval, Math.min(to ?? nowMs, nowMs));
  let firstMs = openTimeOf(interval, from ?? lastMs);
  if (from === undefined) for (let n = 1; n < count; n++) firstMs = openTimeOf(interval, firstMs - 1);
  if (firstMs > lastMs) throw badRequest("from: must not be after to, or in the future");
  const found: Period[] = [];
  for (let at = firstMs; at <= lastMs; at = nextOpenTime(interval, at)) {
    if (found.length === REPORT_LIMITS.maxPeriods)
      throw badRequest(`from: at most ${REPORT_LIMITS.maxPeriods} periods. Choose a later date, or longer periods`);
    found.push({ fromDay: at / DAY_MS, endDay: nextOpenTime(interval, at) / DAY_MS });
  }
  return found;
}

/** All days of the periods. */
function daysOf(asked: Asked, nowMs: number): Period {
  const periods = periodsOf(asked, nowMs);
  const [fromDay, endDay] = [periods[0]?.fromDay ?? 0, periods.at(-1)?.endDay ?? 0];
  if (endDay - fromDay > REPORT_LIMITS.maxDays) throw badRequest(`from: at most ${REPORT_LIMITS.maxDays} days`);
  return { fromDay, endDay };
}

/** Counts new customers by day. Sub-accounts belong to a customer who is counted already. */
class NewCustomers {
  readonly #byDay = new Map<number, number>();
  #counted = 0;

  count({ view, reports }: Pick<AdminNode, "view" | "reports">, { fromDay, endDay }: Period): number {
    this.#countNew(view, reports.excludedAccounts);
    let sum = 0;
    for (let day = fromDay; day < endDay; day++) sum += this.#byDay.get(day) ?? 0;
    return sum;
  }

  /** Counts the accounts that were opened since the last call. Accounts are numbered in order of time. */
  #countNew(view: EngineView, excluded: readonly number[]): void {
    for (;;) {
      const account = view.account(FIRST_CUSTOMER_ACCOUNT + this.#counted);
      if (account === undefined) return;
      this.#counted++;
      if (account.masterId !== null || excluded.includes(account.accountId)) continue;
      const day = Math.floor(account.createdMs / DAY_MS);
      this.#byDay.set(day, (this.#byDay.get(day) ?? 0) + 1);
    }
  }
}

const COMMON =
  "`asset` is the asset of values, `from` and `to` the first and the last day (UTC) of complete periods, which can contain " +
  "the current day. `unpriced` lists assets that the values leave out, because no market has given them a price.";

interface Found {
  readonly rows: readonly object[];
  readonly unpriced: readonly string[];
}

const page = ({ rows, unpriced }: Found, asset: string, days: Period): Page => ({
  rows,
  body: { asset, ...firstAndLast(days), rows, unpriced },
});

export function reportRoutes(node: AdminNode): AdminRoute[] {
  const { view, history, world } = node;
  const newCustomers = new NewCustomers();
  const scope = () => {
    const { excludedAccounts } = node.reports;
    return { asset: valuationAsset(view, node.reports), excludedAccounts };
  };

  return [
    listRoute({
      pattern: "/v1/reports/periods",
      summary: "Returns volume, fees, customers, deposits and withdrawals by day, week or month (UTC).",
      answers: `${COMMON} \`activeCustomers\` traded in the period; \`newCustomers\` are accounts opened, without sub-accounts.`,
      query,
      row: periodReportRow,
      answer: periodReport,
      page: async ({ query: asked }) => {
        const periods = periodsOf(asked, world.nowMs());
        const wanted = scope();
        const { rows, unpriced } = await fromHistory(
          history.query(view.seq, "businessPeriods", { periods, ...wanted }),
        );
        const shown = rows.map((row, at) => {
          const period = periods[at] as Period;
          return {
            ...row,
            ...firstAndLast(period),
            newCustomers: newCustomers.count(node, period),
            asset: wanted.asset,
          };
        });
        return page({ rows: shown, unpriced }, wanted.asset, daysOf(asked, world.nowMs()));
      },
    }),
    listRoute({
      pattern: "/v1/reports/markets",
      summary: "Returns the trades, volume and fees of each market that traded, the largest volume first.",
      answers: `${COMMON} \`quoteVolume\` is in the market's quote asset. \`volume\` and \`fees\` are null without a price.`,
      query,
      row: marketReportRow,
      answer: marketReport,
      page: async ({ query: asked }) => {
        const [days, wanted] = [daysOf(asked, world.nowMs()), scope()];
        const found = await fromHistory(history.query(view.seq, "businessMarkets", { ...days, ...wanted }));
        return page(found, wanted.asset, days);
      },
    }),
    listRoute({
      pattern: "/v1/reports/accounts",
      summary: "Returns the customers with the largest volume: both sides of a trade count for their accounts.",
      answers: COMMON,
      query: accountQuery,
      row: accountReportRow,
      answer: accountReport,
      filePage: { limit: REPORT_LIMITS.maxAccounts },
      page: async ({ query: { limit, ...asked } }) => {
        const [days, wanted] = [daysOf(asked, world.nowMs()), scope()];
        const found = await fromHistory(history.query(view.seq, "businessAccounts", { ...days, ...wanted, limit }));
        const rows = found.rows.map((row) => ({ ...row, email: view.account(row.accountId)?.email ?? "" }));
        return page({ ...found, rows }, wanted.asset, days);
      },
    }),
    listRoute({
      pattern: "/v1/reports/assets",
      summary: "Returns fees, deposits and withdrawals by asset, as amounts and as values.",
      answers: `${COMMON} Values are null without a price.`,
      query,
      row: assetReportRow,
      answer: assetReport,
      page: async ({ query: asked }) => {
        const [days, wanted] = [daysOf(asked, world.nowMs()), scope()];
        const found = await fromHistory(history.query(view.seq, "businessAssets", { ...days, ...wanted }));
        return page(found, wanted.asset, days);
      },
    }),
  ];
}
