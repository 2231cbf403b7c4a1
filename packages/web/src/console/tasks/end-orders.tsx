/** Ends the open orders of a customer, in all markets or in one, with the orders in view. */
import type { OpenOrder, WholeAccount } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleAccounts, consoleForms, consoleTasks as words, consoleWithdrawals } from "../../words/words.ts";
import { useFetched } from "../context.ts";
import { Choice, Field } from "../../pages/form.tsx";
import { DeniedText, Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { accountText } from "./customer-picker.tsx";
import { type TaskProps, TaskWindow } from "./task-window.tsx";

/** The number of orders that are fetched, and the number that is shown for each market. */
const MOST_FETCHED = 1000;
const MOST_SHOWN = 20;

export function EndOrders(props: TaskProps) {
  const { context, openForm } = props;
  const path = `/v1/accounts/${encodeURIComponent(openForm.given["account"] ?? "")}`;
  const { value: account, denied } = useFetched<WholeAccount>(context, path);
  const orders = useFetched<readonly OpenOrder[]>(context, `${path}/open-orders`, { query: { limit: MOST_FETCHED } });
  const market = useSignal("");
  const why = useSignal("");
  const all = orders.value ?? [];
  const chosen = all.filter(({ symbol }) => market.value === "" || symbol === market.value);
  const count = market.value === "" ? (account?.openOrders ?? chosen.length) : chosen.length;
  const symbols = [...new Set(all.map(({ symbol }) => symbol))].toSorted();
  return (
    <TaskWindow
      {...props}
      title={words.endOrders(count)}
      isOff={count === 0}
      check={() => (why.value.trim() === "" ? consoleWithdrawals.enterReason : "")}
      request={() => ({
        body: { why: why.value.trim(), ...(market.value !== "" && { symbol: market.value }) },
      })}
    >
      {denied !== null && <DeniedText denied={denied} />}
      {account !== null && (
        <Facts rows={{ [words.customer]: accountText(account), [words.openOrders]: String(account.openOrders) }} />
      )}
      {orders.value === null ? (
        <p class="muted">{consoleForms.loading}</p>
      ) : (
        <>
          <Choice
            id="task-market"
            label={words.market}
            value={market.value}
            options={[["", words.allMarkets(all.length)], ...symbols.map((one) => [one, countText(one, all)] as const)]}
            onChoose={(value) => (market.value = value)}
          />
          {symbols
            .filter((one) => market.value === "" || one === market.value)
            .map((symbol) => (
              <OfMarket key={symbol} symbol={symbol} orders={all.filter((one) => one.symbol === symbol)} />
            ))}
          {(account?.openOrders ?? 0) > all.length && (
            <p class="muted">{consoleAccounts.moreOrders(all.length, account?.openOrders ?? 0)}</p>
          )}
        </>
      )}
      <p>{words.endOrdersEffect}</p>
      <Field id="task-why" label={words.internalReason} value={why} />
    </TaskWindow>
  );
}

const countText = (symbol: string, all: readonly OpenOrder[]): string =>
  words.ordersOf(symbol, all.filter((one) => one.symbol === symbol).length);

function OfMarket({ symbol, orders }: { symbol: string; orders: readonly OpenOrder[] }) {
  return (
    <details class="task-part" open={orders.length <= MOST_SHOWN}>
      <summary>{words.ordersOf(symbol, orders.length)}</summary>
      <ul>
        {orders.slice(0, MOST_SHOWN).map(({ orderId, side, type, quantity, executed, price }) => (
          <li key={orderId}>
            {words.order(String(orderId), side, type, showAmount(quantity), showAmount(price), showAmount(executed))}
          </li>
        ))}
        {orders.length > MOST_SHOWN && <li class="muted">{consoleForms.more(orders.length - MOST_SHOWN)}</li>}
      </ul>
    </details>
  );
}
