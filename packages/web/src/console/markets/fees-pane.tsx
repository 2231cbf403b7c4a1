/** What a market costs: the venue's rates, and the accounts that have others. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleMarkets as words, consoleSays } from "../../words/words.ts";
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
      <Pane title={words.fees} denied={denied}>
        {value !== null && (
          <Facts
            rows={{ [words.maker]: words.percent(value.makerBps), [words.taker]: words.percent(value.takerBps) }}
          />
        )}
      </Pane>
      <List
        desk={desk}
        title={words.otherFees}
        name={`fees-${symbol}`}
        rows={value?.accounts ?? null}
        denied={denied}
        columns={columns}
        keyOf={({ accountId }) => accountId}
        empty={words.noOtherFees}
        whole={{ path }}
        more={value !== null && value.next !== null && <p class="nothing">{words.moreFees}</p>}
      />
    </>
  );
}

const columns: readonly Column<OtherRates>[] = [
  {
    label: words.account,
    text: ({ accountId }) => String(accountId),
    show: ({ accountId }) => <AccountLink account={accountId} />,
  },
  plain(words.email, ({ email }) => email),
  plain(words.maker, ({ makerBps }) => words.percent(makerBps), true),
  plain(words.taker, ({ takerBps }) => words.percent(takerBps), true),
  plain(words.onlyThisMarket, ({ isOfSymbol }) => (isOfSymbol ? consoleSays.yes : consoleSays.no)),
];
