/** Orders, order lists, history, trades and balances in tabs. Errors are shown as errors, never as empty tables. */
import type { Balance, Fill, OrderRow, Pages } from "../account/port.ts";
import { openLists } from "../account/order-lists.ts";
import { isPending } from "../account/own-orders.ts";
import { add, compare, cutTo, type Decimal, decimal, formatDecimal, isZero } from "../exact/decimal.ts";
import { BLANK, grouped, plainDecimal, showAmount } from "../exact/shown.ts";
import type { Ticker } from "../market/port.ts";
import { amountDigits } from "../rules/market-filters.ts";
import { form, portfolioWords, tables as words, terminalWords } from "../words/words.ts";
import { type Column, DataTable, rowsToSave } from "./data-table.tsx";
import type { TerminalContext } from "./page.ts";
import { quoteAssets, worthIn } from "./show.ts";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { oneOf, type Preferences } from "../preferences.ts";
import { cancelAll } from "./change-orders.ts";
import { listColumns, openColumns, orderKey } from "./open-orders.tsx";
import { type ColumnContext, fillColumns, orderColumns } from "./order-columns.tsx";
import { PortfolioTab } from "./portfolio-tab.tsx";
import { type Saved, saveSheet, type Sheet } from "./save-table.ts";
import { useSlowly } from "./pace.ts";
import { Button, Tabs, Tick } from "./controls.tsx";

// Balances: the table, and a summary below the order form.

export interface Holding {
  readonly balance: Balance;
  readonly total: Decimal;
  readonly worth: Decimal | null;
}

/** Balances other than zero, highest estimated value first. */
function holdingsOf(
  balances: Iterable<Balance>,
  inAsset: string,
  tickers: ReadonlyMap<string, Ticker>,
  by: readonly string[],
): Holding[] {
  return [...balances]
    .map((balance) => {
      const total = add(decimal(balance.free), decimal(balance.locked));
      return { balance, total, worth: worthIn(total, balance.asset, inAsset, tickers, by) };
    })
    .filter(({ total }) => !isZero(total))
    .toSorted((one, other) => {
      if (one.worth !== null && other.worth !== null) return compare(other.worth, one.worth);
      if (one.worth === null && other.worth === null) return one.balance.asset < other.balance.asset ? -1 : 1;
      return one.worth === null ? 1 : -1;
    });
}

const worthText = (worth: Decimal | null): string =>
  worth === null ? BLANK : `≈ ${grouped(formatDecimal(cutTo(worth, 2), 2))}`;

function balanceColumns(inAsset: string): Column<Holding>[] {
  const amount = (label: string, read: (row: Holding) => string): Column<Holding> => ({
    label,
    isNumber: true,
    show: (row) => showAmount(read(row)),
    text: read,
  });
  return [
    {
      isHead: true,
      label: words.columns.asset,
      show: ({ balance }) => <b>{balance.asset}</b>,
      text: ({ balance }) => balance.asset,
    },
    amount(words.columns.free, ({ balance }) => balance.free),
    amount(words.columns.locked, ({ balance }) => balance.locked),
    amount(words.columns.total, ({ total }) => formatDecimal(total)),
    {
      label: words.columns.value(inAsset),
      isNumber: true,
      show: ({ worth }) => <span class="muted">{worthText(worth)}</span>,
      text: ({ worth }) => (worth === null ? "" : formatDecimal(worth)),
    },
  ];
}

/** The balances of the selected market's two assets. */
export function MarketBalances({ terminal }: { terminal: TerminalContext }) {
  const market = terminal.feed.market.value;
  if (market === null || terminal.account.session.value === null) return null;
  const { baseAsset, quoteAsset, quantityDigits } = market;
  const balances = terminal.account.balances.value;
  const isStale = terminal.account.freshness.value !== "live";
  return (
    <section class={`holdings ${isStale ? "stale" : ""}`} aria-label={form.balances}>
      <h2>{form.balances}</h2>
      <dl class="rows">
        {[[baseAsset, quantityDigits] as const, [quoteAsset, amountDigits(market)] as const].map(([asset, digits]) => {
          const balance = balances.get(asset);
          const locked = balance !== undefined && !isZero(decimal(balance.locked));
          return (
            <div key={asset} class="holding">
              <dt>{asset}</dt>
              <dd>
                {showAmount(plainDecimal(balance?.free ?? "0", digits))}
                {locked && (
                  <span class="muted">
                    {" "}
                    + {showAmount(plainDecimal(balance.locked, digits))} {words.columns.locked.toLowerCase()}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

// The tables in their tabs.

type TabName = keyof typeof words.tabs;
const TAB_NAMES = Object.keys(words.tabs) as TabName[];

function rememberTables(preferences: Preferences) {
  return {
    tab: preferences.remember<TabName>("tables.tab", "open", oneOf(...TAB_NAMES)),
    thisMarket: preferences.remember(
      "tables.thisMarket",
      false,
      (value): value is boolean => typeof value === "boolean",
    ),
  };
}
const known = new WeakMap<Preferences, ReturnType<typeof rememberTables>>();

function choicesOf(preferences: Preferences) {
  const choices = known.get(preferences) ?? rememberTables(preferences);
  known.set(preferences, choices);
  return choices;
}

interface Shown<Row> {
  readonly name: TabName;
  readonly columns: Column<Row>[];
  readonly rows: readonly Row[];
  readonly children?: ComponentChildren;
  readonly keyOf: (row: Row) => string | number;
}

/** A table, or a text that explains why it is empty. */
function Rows<Row>({ terminal, name, columns, rows, keyOf, children }: Shown<Row> & { terminal: TerminalContext }) {
  const isLoading = terminal.account.freshness.value === "loading";
  if (rows.length === 0 && children === undefined)
    return <p class="nothing">{isLoading ? words.loading : words.none[name]}</p>;
  return (
    <DataTable label={words.tabs[name]} columns={columns} rows={rows} keyOf={keyOf}>
      {children}
    </DataTable>
  );
}

/** A history, with a button that fetches older rows. */
function History<Row>({
  terminal,
  pages,
  ...shown
}: Omit<Shown<Row>, "rows"> & { terminal: TerminalContext; pages: Pages<Row> }) {
  useEffect(() => {
    // Fetches older rows in addition to those from the stream. Errors are in `state`.
    if (pages.state.peek() === "idle") void pages.more();
  }, [pages]);
  const state = pages.state.value;
  const rows = pages.rows.value;
  if (typeof state === "object")
    return (
      <div class="nothing bad" role="alert">
        <p>{words.failed(state.code, state.message)}</p>
        <Button onClick={() => void pages.more()}>{words.again}</Button>
      </div>
    );
  if (rows.length === 0 && state !== "done") return <p class="nothing">{words.loading}</p>;
  const more = (
    <p class="more">
      <Button disabled={state === "loading"} onClick={() => void pages.more()}>
        {state === "loading" ? words.loading : words.older}
      </Button>
    </p>
  );
  return <Rows {...shown} terminal={terminal} rows={rows} {...(state !== "done" && { children: more })} />;
}

interface BodyProps {
  readonly terminal: TerminalContext;
  readonly tab: TabName;
  readonly orders: readonly OrderRow[];
  readonly context: ColumnContext;
  /** Passes the rows to the button that saves them. */
  readonly save: Saved;
}

interface MarketPages {
  readonly symbol: string;
  readonly orders: Pages<OrderRow>;
  readonly fills: Pages<Fill>;
}

function usePages(terminal: TerminalContext): MarketPages | null {
  const symbol = terminal.feed.market.value?.symbol;
  const label = terminal.account.session.value?.label;
  return useMemo(() => {
    if (symbol === undefined || label === undefined) return null;
    return { symbol, orders: terminal.account.orderHistory(symbol), fills: terminal.account.tradeHistory(symbol) };
  }, [terminal, symbol, label]);
}

function Body({ terminal, tab, orders, context, save }: BodyProps) {
  const pages = usePages(terminal);
  const tickers = useSlowly(terminal.feed.tickers, 1_000);
  const inAsset = terminal.feed.market.value?.quoteAsset ?? "";
  const shown = { terminal, name: tab };
  save.current = null;
  if (tab === "open") {
    const columns = openColumns(terminal, context);
    save.current = { name: tab, rows: () => rowsToSave(columns, orders) };
    return <Rows {...shown} columns={columns} rows={orders} keyOf={orderKey} />;
  }
  if (tab === "lists") {
    const columns = listColumns(terminal, context);
    const rows = openLists(orders);
    save.current = { name: tab, rows: () => rowsToSave(columns, rows) };
    return (
      <Rows {...shown} columns={columns} rows={rows} keyOf={({ symbol, orderListId }) => `${symbol}/${orderListId}`} />
    );
  }
  if (tab === "balances") {
    const by = quoteAssets(terminal.feed.markets.value.values());
    const columns = balanceColumns(inAsset);
    const rows = holdingsOf(terminal.account.balances.value.values(), inAsset, tickers.value, by);
    save.current = { name: tab, rows: () => rowsToSave(columns, rows) };
    return <Rows {...shown} columns={columns} rows={rows} keyOf={({ balance }) => balance.asset} />;
  }
  if (tab === "portfolio") {
    const isByKey = terminal.account.session.value?.isByKey === true;
    if (isByKey) return <p class="nothing">{portfolioWords.signInInstead}</p>;
    return <PortfolioTab terminal={terminal} save={save} />;
  }
  if (pages === null) return <p class="nothing">{words.loading}</p>;
  if (tab === "trades") {
    const columns = fillColumns(context);
    const rows = (): string[][] => rowsToSave(columns, pages.fills.rows.peek());
    save.current = { name: `${tab}-${pages.symbol}`, rows, pages: pages.fills };
    return (
      <History {...shown} columns={columns} pages={pages.fills} keyOf={({ tradeId, side }) => `${tradeId}${side}`} />
    );
  }
  const columns = Object.values(orderColumns({ ...context, orders: pages.orders.rows.value }));
  const rows = (): string[][] => rowsToSave(columns, pages.orders.rows.peek());
  save.current = { name: `${tab}-${pages.symbol}`, rows, pages: pages.orders };
  return <History {...shown} columns={columns} pages={pages.orders} keyOf={({ orderId }) => orderId} />;
}

const isOfOneList = (one: OrderRow, other: OrderRow): boolean =>
  one.orderListId !== -1 && one.symbol === other.symbol && one.orderListId === other.orderListId;

/** A working order is above its pending orders. */
const pendingLast = (one: OrderRow, other: OrderRow): number => Number(isPending(one)) - Number(isPending(other));

function shownOrders(terminal: TerminalContext, thisMarket: boolean): readonly OrderRow[] {
  const symbol = terminal.feed.market.value?.symbol;
  return terminal.account.orders.value
    .filter((order) => !thisMarket || order.symbol === symbol)
    .toSorted((one, other) => other.timeMs - one.timeMs || (isOfOneList(one, other) ? pendingLast(one, other) : 0));
}

function SaveButton({ terminal, save }: { terminal: TerminalContext; save: Saved }) {
  const saving = useSignal<Sheet | null>(null);
  const press = async (): Promise<void> => {
    saving.value = save.current;
    if (saving.value !== null) await saveSheet(terminal.account, saving.value);
    saving.value = null;
  };
  const fetched = saving.value?.pages?.rows.value.length;
  return (
    <Button
      class="quiet"
      title={words.csvTitle}
      disabled={saving.value !== null}
      onClick={() => void press()} // The promise never rejects: a notice shows the outcome.
    >
      {fetched === undefined ? words.csv : words.saving(fetched)}
    </Button>
  );
}

function TableActions({
  terminal,
  orders,
  save,
  thisMarket,
}: {
  terminal: TerminalContext;
  orders: readonly OrderRow[];
  save: Saved;
  thisMarket: ReadonlySignal<boolean> & { value: boolean };
}) {
  const { tab } = choicesOf(terminal.preferences);
  const symbol = terminal.feed.market.value?.symbol ?? "";
  const count = orders.length;
  return (
    <>
      {(tab.value === "open" || tab.value === "lists") && (
        <Tick isOn={thisMarket.value} onTick={(isOn) => (thisMarket.value = isOn)}>
          {words.thisMarket}
        </Tick>
      )}
      {tab.value === "open" && orders.some(({ state }) => state === "known") && (
        <Button
          class="quiet"
          onClick={() => void cancelAll(terminal, thisMarket.peek() ? symbol : null, count)} // The promise never rejects.
        >
          {words.cancelAll}
        </Button>
      )}
      <SaveButton terminal={terminal} save={save} />
    </>
  );
}

export function TablesPanel({ terminal }: { terminal: TerminalContext }) {
  const { tab, thisMarket } = choicesOf(terminal.preferences);
  const save = useMemo<Saved>(() => ({ current: null }), []);
  const isSignedIn = terminal.account.session.value !== null;
  const orders = shownOrders(terminal, thisMarket.value);
  const isStale = terminal.account.freshness.value === "stale";
  const context = {
    markets: terminal.feed.markets.value,
    zone: terminal.preferences.timeZone.value,
    nowMs: terminal.nowMs.peek(),
    orders,
  };
  const counts: Partial<Record<TabName, number>> = {
    open: orders.length,
    lists: openLists(orders).length,
  };
  return (
    <section class="pane tables" aria-label={words.title} data-place="orders" tabIndex={-1}>
      <Tabs
        label={words.title}
        chosen={tab.value}
        controls="tables-body"
        tabs={TAB_NAMES.map((name) => ({
          name,
          label: words.tabs[name],
          ...(isSignedIn && counts[name] !== undefined && { count: counts[name] }),
        }))}
        onChoose={(name) => (tab.value = name)}
      >
        {isSignedIn && <TableActions terminal={terminal} orders={orders} save={save} thisMarket={thisMarket} />}
      </Tabs>
      <div id="tables-body" role="tabpanel" class={`column grow ${isStale ? "stale" : ""}`}>
        {isSignedIn ? (
          <Body terminal={terminal} tab={tab.value} orders={orders} context={context} save={save} />
        ) : (
          <div class="nothing">
            <p>{words.signedOut}</p>
            <Button onClick={() => (terminal.overlay.value = "sign-in")}>{terminalWords.signIn}</Button>
          </div>
        )}
      </div>
    </section>
  );
}
