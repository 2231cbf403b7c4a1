/** What happened to the account, one kind at a time, each as a file too. */
import { Tabs } from "../../panels/controls.tsx";
import { customerHistory as words } from "../../words/words.ts";
import { useSymbols } from "../coins.ts";
import type { Desk } from "../desk.ts";
import { Choice } from "../../pages/form.tsx";
import { goTo } from "../place.ts";
import { Deposits, Dividends, Transfers, WithdrawalHistory } from "./money-lists.tsx";
import { Orders, Trades } from "./market-lists.tsx";

const KINDS = ["deposits", "withdrawals", "trades", "orders", "transfers", "dividends"] as const;
type Kind = (typeof KINDS)[number];

const LISTS: Readonly<Record<Kind, (props: { desk: Desk; symbol: string }) => preact.JSX.Element>> = {
  deposits: Deposits,
  withdrawals: WithdrawalHistory,
  trades: Trades,
  orders: Orders,
  transfers: Transfers,
  dividends: Dividends,
};
/** What the node lists of one market at a time. */
const OF_A_MARKET: readonly Kind[] = ["trades", "orders"];

export function HistoryPage({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const kind = KINDS.find((name) => name === asked["kind"]) ?? "deposits";
  const symbols = useSymbols(desk).value ?? [];
  const symbol = asked["symbol"] ?? symbols[0]?.symbol ?? "";
  const Drawn = LISTS[kind];
  return (
    <>
      <Tabs
        label={words.kinds}
        tabs={KINDS.map((name) => ({ name, label: words.names[name] }))}
        chosen={kind}
        controls="history-list"
        onChoose={(name) => goTo("history", { kind: name })}
      />
      {OF_A_MARKET.includes(kind) && (
        <div class="fields">
          <Choice
            id="symbol"
            label={words.market}
            value={symbol}
            options={symbols.map(({ symbol: id, baseAsset, quoteAsset }) => [id, `${baseAsset}/${quoteAsset}`])}
            onChoose={(id) => goTo("history", { kind, symbol: id })}
          />
        </div>
      )}
      <div id="history-list" role="tabpanel" aria-label={words.names[kind]}>
        <Drawn key={`${kind} ${symbol}`} desk={desk} symbol={symbol} />
      </div>
    </>
  );
}
