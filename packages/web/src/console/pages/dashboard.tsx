/** The dashboard of the business: figures by day, week or month, and the top markets and accounts of the range. */
import type {
  AccountReport,
  AccountReportRow,
  AssetReport,
  AssetReportRow,
  MarketReport,
  MarketReportRow,
  PeriodReport,
  PeriodReportRow,
} from "@pricetime/server/answers";
import { useRef } from "preact/hooks";
import { grouped, showBrief, showDecimal } from "../../exact/shown.ts";
import { amount, Pane, plain } from "../../pages/pane.tsx";
import { Button, Select } from "../../panels/controls.tsx";
import type { Column } from "../../panels/data-table.tsx";
import { consoleDashboard as words, pagesWords } from "../../words/words.ts";
import { type Context, type Fetched, useFetched } from "../context.ts";
import { linked, List, toAccount, Link } from "../elements.tsx";
import { goTo, type Place } from "../place.ts";
import { PeriodChart } from "../../panels/period-chart.tsx";

type PeriodName = keyof typeof words.periods;

/** The numbers of periods that can be chosen. */
const RANGES: Readonly<Record<PeriodName, readonly number[]>> = {
  day: [7, 30, 90],
  week: [12, 26, 52],
  month: [6, 12, 24],
};
const USUAL = 1;
const REFRESH_MS = 60_000;
const TOP_ROWS = 10;
/** A trade counts for the accounts of both its sides. */
const SIDES = 2;

interface Choice {
  readonly by: PeriodName;
  readonly count: number;
  readonly view: keyof typeof words.views;
}

/** The choice in the address; anything else is the usual one. */
function choiceOf({ params }: Place): Choice {
  const by = params["by"] === "week" || params["by"] === "month" ? params["by"] : "day";
  const count = Number(params["count"]);
  const usual = RANGES[by][USUAL] as number;
  return {
    by,
    count: RANGES[by].includes(count) ? count : usual,
    view: params["view"] === "table" ? "table" : "charts",
  };
}

export function Dashboard({ context }: { context: Context }) {
  const choice = choiceOf(context.place.value);
  const query = { by: choice.by, periods: choice.count };
  const { value, denied, answers } = useReport<PeriodReport>(context, "periods", query);
  const shown = { ...choice, by: answers.by };
  const isEmpty = value !== null && value.asset === "";
  return (
    <>
      <Pane
        title={words.title}
        class="business"
        denied={denied}
        note={value === null || isEmpty ? "" : words.note(value.asset)}
        tools={<Choices choice={choice} />}
      >
        {value === null ? (
          denied === null && <p class="nothing">{pagesWords.loading}</p>
        ) : isEmpty ? (
          <p class="nothing">{words.empty}</p>
        ) : (
          <>
            {value.unpriced.length > 0 && <p class="unpriced">{words.unpriced(value.unpriced.join(", "))}</p>}
            {choice.view === "charts" && <Charts choice={shown} report={value} />}
          </>
        )}
      </Pane>
      {value !== null && !isEmpty && choice.view === "table" && (
        <PeriodTable context={context} choice={shown} report={value} query={query} />
      )}
      {value !== null && !isEmpty && <Tops context={context} query={query} />}
    </>
  );
}

function Choices({ choice }: { choice: Choice }) {
  const choose = (changed: Partial<Choice>): void => {
    const { by, count, view } = { ...choice, ...changed };
    goTo({ page: "overview", params: { by, count: String(count), view } });
  };
  return (
    <>
      <div class="choices" role="group" aria-label={words.by}>
        {(Object.keys(words.periods) as PeriodName[]).map((by) => (
          <Button
            key={by}
            class=""
            aria-pressed={choice.by === by}
            onClick={() => choose({ by, count: RANGES[by][USUAL] as number })}
          >
            {words.periods[by]}
          </Button>
        ))}
      </div>
      <Select
        aria-label={words.range}
        value={choice.count}
        options={RANGES[choice.by].map((count) => [count, words.ranges[choice.by](count)])}
        onChoose={(count) => choose({ count: Number(count) })}
      />
      <div class="choices" role="group" aria-label={words.view}>
        {(["charts", "table"] as const).map((view) => (
          <Button key={view} class="" aria-pressed={choice.view === view} onClick={() => choose({ view })}>
            {words.views[view]}
          </Button>
        ))}
      </div>
    </>
  );
}

// Charts: a card for each figure.

type FigureName = keyof typeof words.figures;
const MONEY = ["volume", "fees", "deposits", "withdrawals"] as const;
const FIGURES: readonly FigureName[] = [...MONEY, "activeCustomers", "newCustomers", "trades"];
const isMoney = (name: FigureName): boolean => (MONEY as readonly string[]).includes(name);

/** A value in short: two decimals, or the digits that a smaller value has. */
function shortValue(text: string): string {
  return Number(text) === 0 || Math.abs(Number(text)) >= 1 ? showDecimal(text, 2) : showBrief(text, 8);
}

const showValue = (row: PeriodReportRow, name: FigureName): string =>
  isMoney(name) ? shortValue(String(row[name])) : grouped(String(row[name]));

/** The number of trades is only in the table, so that six charts fill their rows. */
function Charts({ choice, report: { rows, asset } }: { choice: Choice; report: PeriodReport }) {
  return (
    <div class="business-grid">
      {FIGURES.filter((name) => name !== "trades").map((name) => (
        <FigureChart key={name} name={name} asset={asset} by={choice.by} rows={rows} />
      ))}
    </div>
  );
}

interface FigureProps {
  readonly name: FigureName;
  readonly asset: string;
  readonly by: PeriodName;
  readonly rows: readonly PeriodReportRow[];
}

function FigureChart({ name, asset, by, rows }: FigureProps) {
  const [now, last, before] = [rows.at(-1), rows.at(-2), rows.at(-3)];
  const unit = isMoney(name) ? asset : "";
  const label = words.figures[name];
  return (
    <section class="figure business-figure" data-figure={name} aria-label={label}>
      <div class="figure-head">
        <h3 title={words.hints[name]}>{label}</h3>
      </div>
      {now !== undefined && (
        <p class="business-now">
          <b>{showValue(now, name)}</b> {unit} <span class="muted">{words.current[by]}</span>
        </p>
      )}
      <p class="muted business-last">
        {last !== undefined && words.value(words.previous[by], showValue(last, name))}{" "}
        {last !== undefined && before !== undefined && <Change from={Number(before[name])} to={Number(last[name])} />}
      </p>
      <PeriodChart
        label={words.inAsset(label, unit)}
        values={rows.map((row) => Number(row[name]))}
        periods={rows.map((row) => periodText(row, by))}
        texts={rows.map((row) => `${showValue(row, name)} ${unit}`.trim())}
      />
    </section>
  );
}

/** The change from one complete period to the next. Nothing is shown without a period to compare with. */
function Change({ from, to }: { from: number; to: number }) {
  if (from <= 0) return null;
  const percent = ((to - from) / from) * 100;
  const share = `${grouped(Math.abs(percent).toFixed(1))}%`;
  if (percent === 0) return <span title={words.same}>±0%</span>;
  const isMore = percent > 0;
  return (
    <span class={isMore ? "more-than" : "less-than"} title={isMore ? words.more(share) : words.less(share)}>
      {isMore ? "▲" : "▼"} {share}
    </span>
  );
}

const DAY_TEXT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
const MONTH_TEXT = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" });

function periodText({ from, to }: PeriodReportRow, by: PeriodName): string {
  // Formatting what is no date throws.
  const shown = (date: string, format = DAY_TEXT): string => {
    const timeMs = Date.parse(`${date}T00:00:00Z`);
    return Number.isNaN(timeMs) ? date : format.format(timeMs);
  };
  if (by === "month") return shown(from, MONTH_TEXT);
  return by === "day" ? shown(from) : `${shown(from)} – ${shown(to)}`;
}

// Tables.

interface TableProps {
  readonly context: Context;
  readonly query: { readonly by: PeriodName; readonly periods: number };
}

function PeriodTable({ context, choice, report, query }: TableProps & { choice: Choice; report: PeriodReport }) {
  const columns: Column<PeriodReportRow>[] = [
    plain(words.from, ({ from }) => from),
    plain(words.to, ({ to }) => to),
    ...FIGURES.map((name) =>
      amount<PeriodReportRow>(words.inAsset(words.figures[name], isMoney(name) ? report.asset : ""), (row) =>
        String(row[name]),
      ),
    ),
  ];
  return (
    <List
      context={context}
      title={words.table[choice.by]}
      name={`report-by-${choice.by}`}
      rows={report.rows.toReversed()}
      columns={columns}
      keyOf={({ from }) => from}
      denied={null}
      empty=""
      whole={{ path: "/v1/reports/periods", query }}
    />
  );
}

/** A column with the share of the total as a bar. */
function share<Row extends { readonly volume: string | null }>(total: number): Column<Row> {
  return {
    label: words.share,
    show: ({ volume }) => {
      const part = total === 0 ? 0 : Number(volume ?? 0) / total;
      const percent = `${(part * 100).toFixed(1)}%`;
      return (
        <span class="share" title={words.shareOf(percent)}>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <path class="base" d="M0 0h100v8H0z" />
            <path class="bar" d={`M0 0h${(part * 100).toFixed(2)}v8H0z`} />
          </svg>
          {percent}
        </span>
      );
    },
  };
}

const priced = (text: string | null): string => text ?? "";

function valueColumn<Row>(label: string, text: (row: Row) => string | null): Column<Row> {
  return {
    label,
    isNumber: true,
    text: (row) => priced(text(row)),
    show: (row) => {
      const value = text(row);
      return value === null ? <span class="muted">{words.noPrice}</span> : shortValue(value);
    },
  };
}

type Query = TableProps["query"] & { readonly limit?: number };

/** A report, and the query that it answers. The previous report stays until that of a new choice has arrived. */
function useReport<Report>(
  context: Context,
  name: string,
  query: Query,
): Fetched<Report> & { readonly answers: Query } {
  const { value, denied } = useFetched<Report>(context, `/v1/reports/${name}`, { query, everyMs: REFRESH_MS });
  const last = useRef({ value, answers: query });
  if (value !== null) last.current = { value, answers: query };
  return { ...last.current, denied };
}

function Tops({ context, query }: TableProps) {
  const markets = useReport<MarketReport>(context, "markets", query);
  const accounts = useReport<AccountReport>(context, "accounts", { ...query, limit: TOP_ROWS });
  const assets = useReport<AssetReport>(context, "assets", query);
  const asset = markets.value?.asset ?? "";
  const total = (markets.value?.rows ?? []).reduce((sum, { volume }) => sum + Number(volume ?? 0), 0);
  const volume = words.inAsset(words.figures.volume, asset);
  const fees = words.inAsset(words.figures.fees, asset);
  const trades = <Row extends { readonly trades: number }>(): Column<Row> =>
    amount(words.figures.trades, (row) => String(row.trades));
  return (
    <>
      <div class="two tops">
        <List<MarketReportRow>
          context={context}
          title={words.topMarkets}
          name="top-markets"
          rows={markets.value?.rows.slice(0, TOP_ROWS) ?? null}
          columns={[
            linked("markets", words.market, ({ symbol }) => symbol),
            valueColumn(volume, (row) => row.volume),
            share(total),
            valueColumn(fees, (row) => row.fees),
            trades(),
          ]}
          keyOf={({ symbol }) => symbol}
          denied={markets.denied}
          empty={words.noMarkets}
          whole={{ path: "/v1/reports/markets", query }}
        />
        <List<AccountReportRow>
          context={context}
          title={words.topAccounts}
          name="top-accounts"
          rows={accounts.value?.rows ?? null}
          columns={[
            {
              label: words.account,
              text: ({ accountId }) => String(accountId),
              show: ({ accountId, email }) => (
                <Link to={toAccount(accountId)} class="top-account">
                  {email === "" ? accountId : email}
                </Link>
              ),
            },
            valueColumn(volume, (row) => row.volume),
            share(SIDES * total),
            valueColumn(fees, (row) => row.fees),
            trades(),
          ]}
          keyOf={({ accountId }) => accountId}
          denied={accounts.denied}
          empty={words.noAccounts}
          whole={{ path: "/v1/reports/accounts", query }}
        />
      </div>
      <List<AssetReportRow>
        context={context}
        title={words.byAsset}
        name="report-by-asset"
        rows={assets.value?.rows ?? null}
        columns={[
          linked("assets", words.asset, (row) => row.asset),
          amount(words.figures.fees, (row) => row.fees),
          valueColumn(words.inAsset(words.valueIn(words.figures.fees), asset), (row) => row.feesValue),
          amount(words.figures.deposits, (row) => row.deposits),
          valueColumn(words.inAsset(words.valueIn(words.figures.deposits), asset), (row) => row.depositsValue),
          amount(words.figures.withdrawals, (row) => row.withdrawals),
          valueColumn(words.inAsset(words.valueIn(words.figures.withdrawals), asset), (row) => row.withdrawalsValue),
        ]}
        keyOf={(row) => row.asset}
        denied={assets.denied}
        empty={words.noAssets}
        whole={{ path: "/v1/reports/assets", query }}
      />
    </>
  );
}
