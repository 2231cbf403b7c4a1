/** What an account owns: cost and profit by asset and in all, and its value over time. */
import type { Portfolio, PortfolioAsset } from "@pricetime/server/answers";
import type { ComponentChildren } from "preact";
import { BLANK, grouped, MINUS, plainDecimal, showAmount } from "../exact/shown.ts";
import { portfolioWords as words } from "../words/words.ts";
import { Button } from "./controls.tsx";
import type { Column } from "./data-table.tsx";
import { PeriodChart } from "./period-chart.tsx";

const PORTFOLIO_DAYS = ["30", "90", "365"] as const;
export type PortfolioDays = (typeof PORTFOLIO_DAYS)[number];

/** From this length on, the whole part of a value is precise enough for two decimal places. */
const LONG_WHOLE = 3;
const DIGITS = 2;

/** Formats a value or a price: large ones with two decimal places, small ones with all digits. */
function showMoney(text: string | null): string {
  if (text === null) return BLANK;
  const size = text.replace("-", "");
  const isLong = size.indexOf(".") >= LONG_WHOLE || /^0*\.?0*$/.test(size);
  return isLong ? grouped(plainDecimal(text, DIGITS)) : showAmount(text);
}

/** A profit with its sign and color. */
function Profit({ text, isComplete = true }: { text: string | null; isComplete?: boolean }) {
  if (text === null) return <>{BLANK}</>;
  const isLoss = text.startsWith("-");
  const isZero = !/[1-9]/.test(text);
  const size = showMoney(text.replace("-", ""));
  return (
    <span class={isZero ? "" : isLoss ? "down" : "up"} {...(!isComplete && { title: words.incomplete })}>
      {isZero ? size : `${isLoss ? MINUS : "+"}${size}`}
      {!isComplete && " *"}
    </span>
  );
}

export function portfolioColumns(asset: string): Column<PortfolioAsset>[] {
  const { columns } = words;
  const money = (label: string, read: (row: PortfolioAsset) => string | null): Column<PortfolioAsset> => ({
    label,
    isNumber: true,
    show: (row) => showMoney(read(row)),
    text: (row) => read(row) ?? "",
  });
  return [
    { isHead: true, label: columns.asset, show: (row) => <b>{row.asset}</b>, text: (row) => row.asset },
    {
      label: columns.quantity,
      isNumber: true,
      show: ({ quantity }) => showAmount(quantity),
      text: ({ quantity }) => quantity,
    },
    money(columns.averageCost(asset), ({ averageCost }) => averageCost),
    money(columns.price(asset), ({ price }) => price),
    money(columns.cost(asset), ({ cost }) => cost),
    money(columns.value(asset), ({ value }) => value),
    {
      label: columns.unrealized(asset),
      isNumber: true,
      show: ({ unrealizedProfit }) => <Profit text={unrealizedProfit} />,
      text: ({ unrealizedProfit }) => unrealizedProfit ?? "",
    },
    {
      label: columns.realized(asset),
      isNumber: true,
      show: ({ realizedProfit, isRealizedComplete }) => (
        <Profit text={realizedProfit} isComplete={isRealizedComplete} />
      ),
      text: ({ realizedProfit }) => realizedProfit,
    },
  ];
}

interface SummaryProps {
  readonly portfolio: Portfolio;
  readonly days: PortfolioDays;
  readonly onDays: (days: PortfolioDays) => void;
}

/** The totals, and the value over time as a chart. */
export function PortfolioSummary({ portfolio, days, onDays }: SummaryProps) {
  const { asset, totals, values, unpriced, assets } = portfolio;
  const isComplete = assets.every(({ isRealizedComplete }) => isRealizedComplete);
  const total = (label: string, shown: ComponentChildren) => (
    <div class="portfolio-total">
      <dt>{label}</dt>
      <dd>
        {shown} <span class="muted">{asset}</span>
      </dd>
    </div>
  );
  const label = words.valueOverTime(asset);
  return (
    <div class="portfolio-summary">
      <dl class="portfolio-totals" aria-label={words.totals}>
        {total(words.value, showMoney(totals.value))}
        {total(words.cost, showMoney(totals.cost))}
        {total(words.unrealized, <Profit text={totals.unrealizedProfit} />)}
        {total(words.realized, <Profit text={totals.realizedProfit} isComplete={isComplete} />)}
      </dl>
      <section class="portfolio-chart" aria-label={label}>
        <div class="portfolio-chart-head">
          <h3>{label}</h3>
          <div class="choices" role="group" aria-label={words.period}>
            {PORTFOLIO_DAYS.map((one) => (
              <Button key={one} class="" aria-pressed={one === days} onClick={() => onDays(one)}>
                {words.ranges[one]}
              </Button>
            ))}
          </div>
        </div>
        <PeriodChart
          label={label}
          values={values.map(({ value }) => Number(value))}
          periods={values.map(({ timeMs }, at) => (at === values.length - 1 ? words.now : dayText(timeMs)))}
          texts={values.map(({ value }) => `${showMoney(value)} ${asset}`)}
        />
      </section>
      {unpriced.length > 0 && <p class="muted">{words.withoutPrice(unpriced)}</p>}
      <p class="muted portfolio-method">{words.method}</p>
    </div>
  );
}

/** The day that ends at this time. */
const dayText = (endMs: number): string => new Date(endMs - 1).toISOString().slice(0, 10);
