/** What the account owns: cost, profit and value over time. */
import type { Portfolio } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { List, Pane } from "../../pages/pane.tsx";
import {
  ownedAssets,
  portfolioColumns,
  type PortfolioDays,
  PortfolioTotals,
  PortfolioValues,
} from "../../panels/portfolio.tsx";
import { portfolioWords as words } from "../../words/words.ts";
import { type Context, useAccount } from "../context.ts";
import { AccountChoice, chosenAccount } from "../elements.tsx";

/** The node reads all trades of the account for an answer, so it is not requested again after each event. */
const EVERY_MS = 60_000;

export function PortfolioPage({ context }: { context: Context }) {
  const account = chosenAccount(context);
  const days = useSignal<PortfolioDays>("90");
  const { value, denied } = useAccount<Portfolio>(context, "portfolio", {
    query: { account, days: days.value },
    ...{ isStill: true, everyMs: EVERY_MS },
  });
  return (
    <>
      <AccountChoice context={context} page="portfolio" words={words} />
      {value !== null && (
        <Pane title={words.summary}>
          <div class="portfolio-summary">
            <PortfolioTotals portfolio={value} />
            <PortfolioValues portfolio={value} days={days.value} onDays={(chosen) => (days.value = chosen)} />
          </div>
        </Pane>
      )}
      <List
        title={words.title}
        name={`portfolio-${account}`}
        rows={value && ownedAssets(value)}
        denied={denied}
        empty={words.none}
        keyOf={({ asset }) => asset}
        columns={portfolioColumns(value)}
      />
    </>
  );
}
