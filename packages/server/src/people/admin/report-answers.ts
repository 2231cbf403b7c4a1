/** Schemas of the answers of reports. The keys of a row are also the columns of its CSV file. */
import { z } from "zod";
import { count, counts, text, texts } from "../http/shapes.ts";

/** Values are decimals in the report's asset. `from` and `to`: dates of the first and the last day. */
export const periodReportRow = z.object({
  ...{ ...texts("from", "to"), trades: count, ...texts("volume", "fees", "deposits", "withdrawals") },
  ...{ ...counts("activeCustomers", "newCustomers"), asset: text },
});
export type PeriodReportRow = z.output<typeof periodReportRow>;

export const marketReportRow = z.object({
  ...{ symbol: text, trades: count, ...texts("quoteAsset", "quoteVolume") },
  ...{ volume: text.nullable(), fees: text.nullable() },
});
export type MarketReportRow = z.output<typeof marketReportRow>;

export const accountReportRow = z.object({ ...counts("accountId", "trades"), ...texts("volume", "fees", "email") });
export type AccountReportRow = z.output<typeof accountReportRow>;

export const assetReportRow = z.object({
  ...texts("asset", "fees", "deposits", "withdrawals"),
  ...{ feesValue: text.nullable(), depositsValue: text.nullable(), withdrawalsValue: text.nullable() },
});
export type AssetReportRow = z.output<typeof assetReportRow>;

const reportOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ ...texts("asset", "from", "to"), rows: z.array(row), unpriced: z.array(text) });

export const periodReport = reportOf(periodReportRow);
export const marketReport = reportOf(marketReportRow);
export const accountReport = reportOf(accountReportRow);
export const assetReport = reportOf(assetReportRow);
export type PeriodReport = z.output<typeof periodReport>;
export type MarketReport = z.output<typeof marketReport>;
export type AccountReport = z.output<typeof accountReport>;
export type AssetReport = z.output<typeof assetReport>;
