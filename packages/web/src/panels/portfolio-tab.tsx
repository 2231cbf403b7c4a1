/** The tab with the portfolio of a customer who is signed in with a session. */
import type { Portfolio } from "@pricetime/server/answers";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Refusal } from "../account/port.ts";
import { refusalOf } from "../wire/rest.ts";
import { portfolioWords, tables as words } from "../words/words.ts";
import { DataTable, rowsToSave } from "./data-table.tsx";
import type { TerminalContext } from "./page.ts";
import { ownedAssets, portfolioColumns, type PortfolioDays, PortfolioTotals, PortfolioValues } from "./portfolio.tsx";
import type { Saved } from "./save-table.ts";

const MINUTE_MS = 60_000;

/** The last answer, and the error of the last request; both null before the first answer. */
interface Loaded {
  readonly portfolio: Portfolio | null;
  readonly refusal: Refusal | null;
}

/** The portfolio, requested again every minute. */
function usePortfolio({ account, nowMs }: TerminalContext, days: PortfolioDays): Loaded {
  const loaded = useSignal<Loaded>({ portfolio: null, refusal: null });
  const minute = useComputed(() => Math.floor(nowMs.value / MINUTE_MS)).value;
  const session = account.session.value;
  useEffect(() => {
    let isWanted = true;
    account.portfolio(days).then(
      (portfolio) => {
        if (isWanted) loaded.value = { portfolio, refusal: null };
      },
      (error: unknown) => {
        if (isWanted) loaded.value = { ...loaded.peek(), refusal: refusalOf(error) };
      },
    );
    return () => {
      isWanted = false;
    };
  }, [account, session, days, minute, loaded]);
  return loaded.value;
}

/** `save` receives the rows for the button that saves them. */
export function PortfolioTab({ terminal, save }: { terminal: TerminalContext; save: Saved }) {
  const days = useSignal<PortfolioDays>("90");
  const { portfolio, refusal } = usePortfolio(terminal, days.value);
  if (portfolio === null) {
    if (refusal === null) return <p class="nothing">{words.loading}</p>;
    return (
      <p class="nothing bad" role="alert">
        {words.failed(refusal.code, refusal.message)}
      </p>
    );
  }
  const columns = portfolioColumns(portfolio);
  const rows = ownedAssets(portfolio);
  save.current = { name: "portfolio", rows: () => rowsToSave(columns, rows) };
  return (
    <div class="portfolio-tab">
      <div class="portfolio-summary">
        <PortfolioTotals portfolio={portfolio} />
      </div>
      <DataTable label={portfolioWords.title} columns={columns} rows={rows} keyOf={({ asset }) => asset}>
        {rows.length === 0 && <p class="nothing">{portfolioWords.none}</p>}
      </DataTable>
      <div class="portfolio-summary">
        <PortfolioValues portfolio={portfolio} days={days.value} onDays={(chosen) => (days.value = chosen)} />
      </div>
    </div>
  );
}
