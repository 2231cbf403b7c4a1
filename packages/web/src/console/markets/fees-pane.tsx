/** What a market costs: the venue's rates, and the accounts that have others. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleMarkets, consoleSays } from "../../words/words.ts";
import { Facts, Pane } from "../../pages/pane.tsx";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { AccountLink } from "../draw/link.tsx";
import { plain } from "../../pages/columns.ts";
import { List } from "../draw/list.tsx";

interface OtherRates {
  readonly accountId: number;
  readonly email: string;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly isOfSymbol: boolean;
}

interface Fees {
  readonly makerBps: number;
  readonly takerBps: number;
  readonly accounts: readonly OtherRates[];
  readonly next: number | null;
}

export function FeesPane({ desk, symbol }: { desk: Desk; symbol: string }) {
  const path = `/v1/symbols/${encodeURIComponent(symbol)}/fees`;
  const { value, denied } = useAsked<Fees>(desk, path);
  return (
    <>
      <Pane title={consoleMarkets.fees} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [consoleMarkets.maker]: consoleMarkets.percent(value.makerBps),
              [consoleMarkets.taker]: consoleMarkets.percent(value.takerBps),
            }}
          />
        )}
      </Pane>
      <List
        desk={desk}
        title={consoleMarkets.otherFees}
        name={`fees-${symbol}`}
        rows={value?.accounts ?? null}
        denied={denied}
        columns={columns}
        keyOf={({ accountId }) => accountId}
        empty={consoleMarkets.noOtherFees}
        whole={{ path }}
        more={value !== null && value.next !== null && <p class="nothing">{consoleMarkets.moreFees}</p>}
      />
    </>
  );
}

const columns: readonly Column<OtherRates>[] = [
  {
    label: consoleMarkets.account,
    text: ({ accountId }) => String(accountId),
    show: ({ accountId }) => <AccountLink account={accountId} />,
  },
  plain(consoleMarkets.email, ({ email }) => email),
  plain(consoleMarkets.maker, ({ makerBps }) => consoleMarkets.percent(makerBps), true),
  plain(consoleMarkets.taker, ({ takerBps }) => consoleMarkets.percent(takerBps), true),
  plain(consoleMarkets.onlyThisMarket, ({ isOfSymbol }) => (isOfSymbol ? consoleSays.yes : consoleSays.no)),
];
