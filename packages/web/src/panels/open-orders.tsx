/** The account's open orders, orders being sent, rejected orders until they are dismissed, and open order lists. */
import { Button } from "./controls.tsx";
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { OrderRow } from "../account/port.ts";
import { showDecimal } from "../exact/shown.ts";
import { form as formWords, tables as words } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { isFatal } from "./form-check.ts";
import { aroundOrder, cancelList, cancelOrder, checkMove, type PricePart } from "./change-orders.ts";
import { cleaned } from "./ticket.ts";
import type { Column } from "./data-table.tsx";
import { type ColumnContext, orderColumns, priceText } from "./order-columns.tsx";

// An open order's price, which can be edited in place. Enter moves the order, Escape reverts the edit.

interface PriceProps {
  readonly terminal: TerminalContext;
  readonly order: OrderRow;
  readonly part: PricePart;
  readonly label: string;
  readonly shown: string;
}

/**
 * Moves the order, after a confirmation if confirmations are on. `move` never rejects: rows and notices show the
 * outcome.
 */
async function moveTo({ terminal, order, part, label, shown }: PriceProps, to: string): Promise<void> {
  if (terminal.preferences.confirms.peek()) {
    const digits = terminal.feed.markets.peek().get(order.symbol)?.priceDigits ?? 8;
    const facts: [string, string][] = [
      [words.market, order.symbol],
      [label, words.fromTo(shown, showDecimal(to, digits))],
    ];
    if (order.orderListId !== -1) facts.push([words.columns.list, words.moveList]);
    const title = words.moveTitle(order.side === "BUY" ? words.buy : words.sell, words.types[order.type] ?? order.type);
    if (!(await terminal.ask.confirm({ title, facts, yes: words.move }))) return;
  }
  await terminal.account.move(order, part === "price" ? { price: to } : { stopPrice: to });
}

interface EditorProps extends PriceProps {
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
}

function Editor(props: EditorProps) {
  const { terminal, order, part, label, typed, onType, onClose } = props;
  const id = useId();
  const around = aroundOrder(terminal, order);
  const isSame = typed === order[part] || typed === props.shown.replaceAll(",", "");
  const problems = around === null || isSame ? [] : checkMove(order, part, typed, around);
  const isBad = problems.some(isFatal);
  // Shows one problem at a time, so that the row keeps its height.
  const [first] = isBad ? problems.filter(isFatal) : problems;
  const apply = (): void => {
    if (isBad) return;
    onClose();
    if (!isSame) void moveTo(props, typed); // The promise never rejects.
  };
  return (
    <>
      <input
        class={`price-field ${isBad ? "bad" : ""}`}
        aria-label={label}
        aria-invalid={isBad}
        aria-describedby={first === undefined ? undefined : id}
        inputMode="decimal"
        value={typed}
        ref={(field) => {
          if (field !== null && document.activeElement !== field) field.select();
        }}
        onInput={(event) => onType(cleaned(event.currentTarget.value))}
        onBlur={onClose}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply();
          if (event.key === "Escape") onClose();
          event.stopPropagation();
        }}
      />
      {first !== undefined && (
        <div id={id} class="price-problems" role="status">
          <p class={`problem ${isBad ? "" : "hint"}`}>
            <span>{first.text}</span>
            {first.field === part &&
              first.nearest.map((nearest) => (
                <Button
                  key={nearest}
                  // Keeps the focus in the field, which closes when it loses the focus.
                  onPointerDown={(event) => event.preventDefault()}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onType(nearest)}
                >
                  {formWords.round(nearest)}
                </Button>
              ))}
          </p>
        </div>
      )}
    </>
  );
}

function PriceCell(props: PriceProps) {
  const { order, part, label, shown } = props;
  const typed = useSignal<string | null>(null);
  if (order.state !== "known" || !/[1-9]/.test(order[part])) return <>{shown}</>;
  if (typed.value === null)
    return (
      <Button
        class="link"
        aria-label={words.change(label, shown)}
        onClick={() => (typed.value = shown.replaceAll(",", ""))}
      >
        {shown}
      </Button>
    );
  return (
    <Editor
      {...props}
      typed={typed.value}
      onType={(text) => (typed.value = text)}
      onClose={() => (typed.value = null)}
    />
  );
}

// The tables of open orders and open order lists.

/** The key of an order's row. It stays the same while the order is sent, acknowledged and reported by the stream. */
export const orderKey = ({ symbol, clientOrderId }: OrderRow): string => `${symbol}/${clientOrderId}`;

function movable(terminal: TerminalContext, context: ColumnContext, of: "price" | "stopPrice"): Column<OrderRow> {
  const label = of === "price" ? words.columns.price : words.columns.stop;
  return {
    label,
    isNumber: true,
    show: (order) => (
      <PriceCell
        terminal={terminal}
        order={order}
        part={of}
        label={label}
        shown={priceText(context, order.symbol, order[of])}
      />
    ),
    text: (order) => order[of],
  };
}

function OrderActions({ terminal, order }: { terminal: TerminalContext; order: OrderRow }) {
  if (order.state === "failed")
    return (
      <Button class="link" onClick={() => terminal.account.dismiss(order)}>
        {words.dismiss}
      </Button>
    );
  return (
    <Button
      class="link"
      disabled={order.state === "sending"}
      aria-label={words.cancelOrder(order.side, order.symbol, order.price)}
      onClick={() => void cancelOrder(terminal, order)} // The promise never rejects.
    >
      {words.cancel}
    </Button>
  );
}

export function openColumns(terminal: TerminalContext, context: ColumnContext): Column<OrderRow>[] {
  const { time, market, type, side, quantity, filled, status } = orderColumns(context);
  const actions: Column<OrderRow> = {
    label: words.columns.acts,
    isNumber: true,
    isActions: true,
    show: (order) => <OrderActions terminal={terminal} order={order} />,
  };
  const prices = [movable(terminal, context, "price"), movable(terminal, context, "stopPrice")];
  const columns = [time, market, type, side, ...prices, filled, quantity, status, actions];
  return columns.filter((column) => column !== undefined);
}

/** An open order list with both legs. */
export interface ListRow {
  readonly orderListId: number;
  readonly symbol: string;
  readonly limit: OrderRow;
  readonly stop: OrderRow;
}

/** The order lists whose two legs are both open. */
export function listsOf(orders: readonly OrderRow[]): ListRow[] {
  const legs = Map.groupBy(
    orders.filter(({ orderListId, state }) => orderListId !== -1 && state === "known"),
    ({ symbol, orderListId }) => `${symbol}/${orderListId}`,
  );
  return [...legs.values()].flatMap((both) => {
    const stop = both.find(({ type }) => type.startsWith("STOP_LOSS"));
    const limit = both.find((order) => order !== stop);
    if (stop === undefined || limit === undefined) return [];
    return [{ orderListId: stop.orderListId, symbol: stop.symbol, limit, stop }];
  });
}

export function listColumns(terminal: TerminalContext, context: ColumnContext): Column<ListRow>[] {
  const of = orderColumns(context);
  const leg = (column: Column<OrderRow> | undefined, name: "limit" | "stop", label?: string): Column<ListRow> => ({
    label: label ?? column?.label ?? "",
    isNumber: column?.isNumber ?? false,
    show: (row) => column?.show?.(row[name]),
    text: (row) => column?.text?.(row[name]) ?? "",
  });
  return [
    leg(of.time, "limit"),
    leg(of.market, "limit"),
    {
      label: words.columns.list,
      show: ({ orderListId }) => orderListId,
      text: ({ orderListId }) => String(orderListId),
    },
    leg(of.side, "limit"),
    leg(of.price, "limit"),
    leg(of.stop, "stop"),
    leg(of.price, "stop", `${words.columns.stop} → ${words.columns.price}`),
    leg(of.quantity, "limit"),
    {
      label: words.columns.acts,
      isNumber: true,
      isActions: true,
      show: ({ limit, stop }) => (
        // The promise never rejects.
        <Button class="link" onClick={() => void cancelList(terminal, limit, stop)}>
          {words.cancelList}
        </Button>
      ),
    },
  ];
}
