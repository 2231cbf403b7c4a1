/** What an account owns: cost and profit by asset and in all, and its value over time. */
import type { Portfolio, PortfolioAsset } from "@pricetime/server/answers";
import type { ComponentChildren } from "preact";
import { BLANK, grouped, MINUS, plainDecimal, showAmount } from "../exact/shown.ts";
import { portfolioWords as words } from "../words/words.ts";
import { Button } from "./controls.tsx";
import type { Column } from "./data-table.tsx";
import { PeriodChart } from "./period-chart.tsx";
import { showDay } from "./show.ts";
import { lineOf, markOf } from "./svg-paths.ts";

const PORTFOLIO_DAYS = ["30", "90", "365"] as const;
export type PortfolioDays = (typeof PORTFOLIO_DAYS)[number];

/** A number with a whole part of this length is precise enough with two decimal places. */
const LONG_WHOLE = 3;
const DIGITS = 2;

const sizeOf = (text: string): string => text.replace("-", "");
const isLong = (text: string): boolean => sizeOf(text).indexOf(".") >= LONG_WHOLE;
const isZero = (text: string): boolean => !/[1-9]/.test(text);

/** Formats a price: a large one with two decimal places, a small one with all digits. */
function showPrice(text: string | null): string {
  if (text === null) return BLANK;
  return isLong(text) || isZero(text) ? grouped(plainDecimal(text, DIGITS)) : showAmount(text);
}

/** All values of a portfolio have two decimal places if its own is large, and otherwise all digits. */
function valuesOf({ totals }: Portfolio): (text: string | null) => string {
  const areRough = isLong(totals.value) || isLong(totals.cost);
  return (text) => {
    if (text === null) return BLANK;
    return areRough || isZero(text) ? grouped(plainDecimal(text, DIGITS)) : showAmount(text);
  };
}

interface ProfitProps {
  readonly text: string | null;
  readonly show: (text: string) => string;
  readonly isComplete?: boolean;
}

/** A profit with its sign and color. A star refers to the explanation of what it leaves out, which may be everything. */
function Profit({ text, show, isComplete = true }: ProfitProps) {
  if (text === null) return <>{BLANK}</>;
  if (!isComplete && isZero(text)) return <span title={words.incomplete}>{BLANK} *</span>;
  const isLoss = text.startsWith("-");
  const size = show(sizeOf(text));
  return (
    <span class={isZero(text) ? "" : isLoss ? "down" : "up"} {...(!isComplete && { title: words.incomplete })}>
      {isZero(text) ? size : `${isLoss ? MINUS : "+"}${size}`}
      {!isComplete && " *"}
    </span>
  );
}

/** Without a portfolio, the columns of an empty table. */
export function portfolioColumns(portfolio: Portfolio | null): Column<PortfolioAsset>[] {
  const { columns } = words;
  const asset = portfolio?.asset ?? "";
  const showValue = portfolio === null ? showPrice : valuesOf(portfolio);
  type Read = (row: PortfolioAsset) => string | null;
  const money = (label: string, read: Read, show = showValue): Column<PortfolioAsset> => ({
    label,
    isNumber: true,
    show: (row) => show(read(row)),
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
    money(columns.averageCost(asset), ({ averageCost }) => averageCost, showPrice),
    money(columns.price(asset), ({ price }) => price, showPrice),
    money(columns.cost(asset), ({ cost }) => cost),
    money(columns.value(asset), ({ value }) => value),
    {
      label: columns.unrealized(asset),
      isNumber: true,
      show: ({ unrealizedProfit }) => <Profit text={unrealizedProfit} show={showValue} />,
      text: ({ unrealizedProfit }) => unrealizedProfit ?? "",
    },
    {
      label: columns.realized(asset),
      isNumber: true,
      show: ({ realizedProfit, isRealizedComplete }) => (
        <Profit text={realizedProfit} show={showValue} isComplete={isRealizedComplete} />
      ),
      text: ({ realizedProfit }) => realizedProfit,
    },
  ];
}

/** The assets of which the account holds something, or has made a profit or loss. */
export const ownedAssets = ({ assets }: Portfolio): readonly PortfolioAsset[] =>
  assets.filter(
    ({ quantity, realizedProfit, isRealizedComplete }) =>
      !isZero(quantity) || !isZero(realizedProfit) || !isRealizedComplete,
  );

type Assets = readonly PortfolioAsset[];
const isProfitComplete = (assets: Assets): boolean => assets.every(({ isRealizedComplete }) => isRealizedComplete);
const isCostComplete = (assets: Assets): boolean => assets.every(({ value, cost }) => value === null || cost !== null);

export function PortfolioTotals({ portfolio }: { portfolio: Portfolio }) {
  const { asset, totals, assets } = portfolio;
  const showValue = valuesOf(portfolio);
  const isCostKnown = isCostComplete(assets);
  const total = (label: string, shown: ComponentChildren) => (
    <div class="portfolio-total">
      <dt>{label}</dt>
      <dd>
        {shown} <span class="muted">{asset}</span>
      </dd>
    </div>
  );
  return (
    <>
      <dl class="portfolio-totals" aria-label={words.totals}>
        {total(words.value, showValue(totals.value))}
        {total(
          words.cost,
          `${isCostKnown || !isZero(totals.cost) ? showValue(totals.cost) : BLANK}${isCostKnown ? "" : " *"}`,
        )}
        {total(words.unrealized, <Profit text={totals.unrealizedProfit} show={showValue} isComplete={isCostKnown} />)}
        {total(
          words.realized,
          <Profit text={totals.realizedProfit} show={showValue} isComplete={isProfitComplete(assets)} />,
        )}
      </dl>
      {!(isProfitComplete(assets) && isCostKnown) && <p class="muted">* {words.incomplete}</p>}
    </>
  );
}

interface ValuesProps {
  readonly portfolio: Portfolio;
  readonly days: PortfolioDays;
  readonly onDays: (days: PortfolioDays) => void;
}

/** A line, because bars from zero would hide the changes of a value. */
function lineChart(values: readonly number[], shown: number | null): ComponentChildren {
  const { line, area } = lineOf(values);
  return (
    <>
      <path class="area" d={area} />
      <path class="line" d={line} />
      {shown !== null && <path class="bar chosen" d={markOf(shown, values.length)} />}
    </>
  );
}

/** The value over time as a chart, and how the figures are computed. */
export function PortfolioValues({ portfolio, days, onDays }: ValuesProps) {
  const { asset, values, unpriced } = portfolio;
  const showValue = valuesOf(portfolio);
  const label = words.valueOverTime(asset);
  return (
    <>
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
        {values.length < 2 ? (
          <p class="muted">{words.noDays}</p>
        ) : (
          <PeriodChart
            drawn={lineChart}
            label={label}
            values={values.map(({ value }) => Number(value))}
            periods={values.map(({ timeMs }, at) => (at === values.length - 1 ? words.now : dayText(timeMs)))}
            texts={values.map(({ value }) => `${showValue(value)} ${asset}`)}
          />
        )}
      </section>
      {unpriced.length > 0 && <p class="muted">{words.withoutPrice(unpriced)}</p>}
      <p class="muted portfolio-method">{words.method}</p>
    </>
  );
}

/** The day that ends at this time. */
const dayText = (endMs: number): string => showDay(new Date(endMs - 1).toISOString().slice(0, 10));
