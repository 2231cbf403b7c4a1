/**
 * Withdrawal limits over time, of an account or of all customers: the limit, the amount withdrawn and the remaining
 * amount.
 */
import type { AccountLimitRow, LimitRow as VenueLimitRow } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { consoleLimits as words, consoleWords } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { FetchedList, linked, List } from "../elements.tsx";
import { plain } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";

/** A row of either table. Values are null if there is no limit. */
type EitherRow = VenueLimitRow & AccountLimitRow;
type OfOne = "accountLimit24h" | "accountLimit72h" | "isOwn";
export type LimitRow = Omit<EitherRow, OfOne> & Partial<Pick<EitherRow, OfOne>>;

const amountOf = (text: string | null | undefined): string =>
  text === null || text === undefined ? words.noLimit : showAmount(text);
const amount = (label: string, of: (row: LimitRow) => string | null | undefined): Column<LimitRow> => ({
  ...{ label, isNumber: true },
  text: (row) => of(row) ?? "",
  show: (row) => amountOf(of(row)),
});

const assetColumn: Column<LimitRow> = linked("assets", words.asset, ({ asset }) => asset);

const windowColumns = [
  amount(words.limit24h, ({ limit24h }) => limit24h),
  amount(words.withdrawn24h, ({ withdrawn24h }) => withdrawn24h),
  amount(words.left24h, ({ left24h }) => left24h),
  amount(words.limit72h, ({ limit72h }) => limit72h),
  amount(words.withdrawn72h, ({ withdrawn72h }) => withdrawn72h),
  amount(words.left72h, ({ left72h }) => left72h),
];

const allColumns = [
  assetColumn,
  amount(words.accountLimit24h, ({ accountLimit24h }) => accountLimit24h),
  amount(words.accountLimit72h, ({ accountLimit72h }) => accountLimit72h),
  ...windowColumns,
];
const accountColumns = [
  assetColumn,
  plain<LimitRow>(words.isOwn, ({ isOwn }) => (isOwn === true ? consoleWords.yes : consoleWords.no)),
  ...windowColumns,
];

/** The limits on all customers' withdrawals; with `asset`, only those for that asset. */
export function AllLimits({ context, asset }: { context: Context; asset?: string }) {
  const path = "/v1/withdrawal-limits";
  const { value, denied } = useFetched<readonly LimitRow[]>(context, path);
  return (
    <List
      {...{ context, denied, columns: allColumns }}
      title={words.allCustomers}
      name="withdrawal-limits"
      rows={value === null || asset === undefined ? value : value.filter((row) => row.asset === asset)}
      keyOf={(row) => row.asset}
      empty={words.noneOfAll}
      whole={{ path }}
    />
  );
}

export function AccountLimits({ context, account }: { context: Context; account: string }) {
  return (
    <FetchedList
      context={context}
      path={`/v1/accounts/${encodeURIComponent(account)}/withdrawal-limits`}
      title={words.ofAccount}
      name={`account-${account}-withdrawal-limits`}
      columns={accountColumns}
      keyOf={(row) => row.asset}
      empty={words.noneOfAccount}
    />
  );
}
