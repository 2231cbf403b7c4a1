/** The account's open orders, orders being sent, and open order lists. */
import { Button } from "./controls.tsx";
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { OrderRow } from "../account/port.ts";
import { compare, decimal, isZero, parseDecimal } from "../exact/decimal.ts";
import {
  amendedWith,
  isMovable,
  type ListKind,
  listOf,
  type OpenList,
  ordersOf,
  restartsTrailing,
  sellsBought,
} from "../account/order-lists.ts";
import { BLANK, grouped, plainDecimal, showDecimal } from "../exact/shown.ts";
import { meaningsOf } from "../exact/typed.ts";
import { form as formWords, listWords, tables as words } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { isFatal } from "./form-check.ts";
import {
  aroundOrder,
  cancelList,
  cancelOrder,
  checkMove,
  checkReduction,
  type EditedPart,
  pendingCount,
  sideText,
  typeText,
} from "./change-orders.ts";
import type { Circumstances, Problem } from "../rules/draft.ts";
import { NumberInput, NumberMeaning } from "./number-input.tsx";
import type { Column } from "./data-table.tsx";
import { type ColumnContext, orderColumns, priceText } from "./order-columns.tsx";

// An open order's price or quantity, which can be edited in place. Enter moves or reduces the order, Escape reverts the
// edit. A changed value stays in its field until then, also for phones, whose keyboards may have neither key: two buttons do the same.

interface EditProps {
  readonly terminal: TerminalContext;
  readonly order: OrderRow;
  readonly part: EditedPart;
  readonly label: string;
  readonly shown: string;
}

/**
 * Moves the order, after a confirmation if confirmations are on. `move` never rejects: rows and notices show the
 * outcome.
 */
async function moveTo({ terminal, order, part, label, shown }: EditProps, to: string): Promise<void> {
  const list = listOf(order, terminal.account.orders.peek());
  // What a trailing stop has followed is lost without a trace, so it is always asked for.
  const restarts = restartsTrailing(list, order);
  if (restarts || terminal.preferences.confirms.peek()) {
    const digits = terminal.feed.markets.peek().get(order.symbol)?.priceDigits ?? 8;
    const facts: [string, string][] = [
      [words.market, order.symbol],
      [label, words.fromTo(shown, showDecimal(to, digits))],
    ];
    if (list !== null) facts.push([words.columns.list, listWords.moved(list.kind, pendingCount(list))]);
    const title = words.moveTitle(sideText(order), typeText(order));
    const warnings = restarts ? [listWords.trailingRestarts] : [];
    if (!(await terminal.ask.confirm({ title, facts, warnings, yes: words.move }))) return;
  }
  await terminal.account.move(order, part === "price" ? { price: to } : { stopPrice: to });
}

/** The same for a smaller quantity, which is amended, so that the order keeps its place in the queue. */
async function reduceTo({ terminal, order, label, shown }: EditProps, to: string): Promise<void> {
  if (terminal.preferences.confirms.peek()) {
    const digits = terminal.feed.markets.peek().get(order.symbol)?.quantityDigits ?? 8;
    const facts: [string, string][] = [
      [words.market, order.symbol],
      [label, words.fromTo(shown, showDecimal(to, digits))],
      [words.queue, words.placeKept],
    ];
    const effect = reductionText(listOf(order, terminal.account.orders.peek()), order);
    if (effect !== null) facts.push([words.columns.list, effect]);
    const title = words.reduceTitle(sideText(order), typeText(order));
    if (!(await terminal.ask.confirm({ title, facts, yes: words.reduce }))) return;
  }
  await terminal.account.reduce(order, to);
}

/** What a smaller quantity means for the other orders of the list; null if there are none. */
function reductionText(list: OpenList | null, order: OrderRow): string | null {
  if (list === null) return null;
  if (order.orderId === list.working?.orderId)
    return ordersOf(list).some(sellsBought) ? listWords.reducedBought : listWords.reducedWorking;
  return amendedWith(list, order).length > 1 ? listWords.reducedPair(list.kind) : null;
}

interface EditorProps extends EditProps {
  readonly typed: Signal<string>;
  readonly onClose: () => void;
}

function Editor(props: EditorProps) {
  const { terminal, order, part, label, onClose } = props;
  const typed = props.typed.value;
  const id = useId();
  const around = aroundOrder(terminal, order);
  const value = parseDecimal(typed);
  const isSame = value !== null && compare(value, decimal(order[part])) === 0;
  const hasMeanings = meaningsOf(typed) !== null;
  const check = (there: Circumstances): readonly Problem[] =>
    part === "origQty" ? checkReduction(order, typed, there) : checkMove(order, part, typed, there);
  const problems = around === null || isSame || hasMeanings ? [] : check(around);
  const isBad = hasMeanings || problems.some(isFatal);
  // Keeps the focus in the field, which closes when it loses the focus.
  const staying = {
    onPointerDown: (event: Event) => event.preventDefault(),
    onMouseDown: (event: Event) => event.preventDefault(),
  };
  // Shows one problem at a time, so that the row keeps its height.
  const [first] = isBad ? problems.filter(isFatal) : problems;
  const apply = (): void => {
    if (isBad) return;
    onClose();
    // The promises never reject.
    if (!isSame) void (part === "origQty" ? reduceTo(props, typed) : moveTo(props, typed));
  };
  return (
    <>
      <NumberInput
        class={`price-field ${isBad ? "bad" : ""}`}
        aria-label={label}
        aria-invalid={isBad}
        aria-describedby={first === undefined && !hasMeanings ? undefined : id}
        value={props.typed}
        isFirst
        onLeave={() => isSame && onClose()}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply();
          if (event.key === "Escape") onClose();
          event.stopPropagation();
        }}
      />
      {(first !== undefined || hasMeanings) && (
        <div id={id} class="price-problems" role="status">
          <NumberMeaning value={props.typed} button={staying}>
            <p class={`problem ${isBad ? "" : "hint"}`}>
              <span>{first?.text}</span>
              {first?.field === (part === "origQty" ? "quantity" : part) &&
                first.nearest.map((nearest) => (
                  <Button key={nearest} {...staying} onClick={() => (props.typed.value = nearest)}>
                    {formWords.round(grouped(nearest))}
                  </Button>
                ))}
            </p>
          </NumberMeaning>
        </div>
      )}
      {!isSame && (
        <div class="price-buttons">
          <Button disabled={isBad} onClick={apply}>
            {words.save}
          </Button>
          <Button onClick={onClose}>{words.discard}</Button>
        </div>
      )}
    </>
  );
}

function EditCell(props: EditProps) {
  const { terminal, order, part, label, shown } = props;
  const typed = useSignal("");
  const isOpen = useSignal(false);
  if (order.state !== "known" || !/[1-9]/.test(order[part])) return <>{shown}</>;
  const open = (): void => {
    const market = terminal.feed.markets.peek().get(order.symbol);
    const digits = (part === "origQty" ? market?.quantityDigits : market?.priceDigits) ?? 8;
    typed.value = plainDecimal(order[part], digits);
    isOpen.value = true;
  };
  if (!isOpen.value)
    return (
      <Button class="link" aria-label={words.change(label, shown)} onClick={open}>
        {shown}
      </Button>
    );
  return <Editor {...props} typed={typed} onClose={() => (isOpen.value = false)} />;
}

// The tables of open orders and open order lists.

/** The key of an order's row. It stays the same while the order is sent, acknowledged and reported by the stream. */
export const orderKey = ({ symbol, clientOrderId }: OrderRow): string => `${symbol}/${clientOrderId}`;

function movable(terminal: TerminalContext, context: ColumnContext, of: "price" | "stopPrice"): Column<OrderRow> {
  const label = of === "price" ? words.columns.price : words.columns.stop;
  return {
    label,
    isNumber: true,
    show: (order) => {
      const shown = priceText(context, order.symbol, order[of]);
      if (shown === BLANK || !isMovable(listOf(order, context.orders), order)) return shown;
      return <EditCell terminal={terminal} order={order} part={of} label={label} shown={shown} />;
    },
    text: (order) => order[of],
  };
}

function OrderActions({ terminal, order }: { terminal: TerminalContext; order: OrderRow }) {
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
  const reducible: Column<OrderRow> | undefined = quantity && {
    ...quantity,
    show: (order) => {
      const shown = String(quantity.show?.(order));
      return <EditCell terminal={terminal} order={order} part="origQty" label={quantity.label} shown={shown} />;
    },
  };
  const columns = [time, market, type, side, ...prices, filled, reducible, status, actions];
  return columns.filter((column) => column !== undefined);
}

function KindMark({ kind }: { kind: ListKind }) {
  return <span title={listWords.kinds[kind]}>{kind}</span>;
}

/** The trigger price of a leg; the distance of one that follows the price from its placement. */
const stopText = (context: ColumnContext) => (order: OrderRow) =>
  order.trailingDelta !== undefined && isZero(decimal(order.stopPrice))
    ? typeText(order)
    : priceText(context, order.symbol, order.stopPrice);

/** The price of a leg: its trigger price if it becomes a market order. */
const priceOf = ({ price, stopPrice }: OrderRow): string => (isZero(decimal(price)) ? stopPrice : price);

export function listColumns(terminal: TerminalContext, context: ColumnContext): Column<OpenList>[] {
  const of = orderColumns(context);
  type Leg = "working" | "limit" | "stop" | "first";
  const orderOf = (list: OpenList, leg: Leg): OrderRow | null =>
    leg === "first" ? (list.working ?? list.limit ?? list.stop) : list[leg];
  const cell = (column: Column<OrderRow> | undefined, leg: Leg, label?: string): Column<OpenList> => ({
    label: label ?? column?.label ?? "",
    isHead: column?.isHead ?? false,
    isNumber: column?.isNumber ?? false,
    show: (list) => {
      const order = orderOf(list, leg);
      return order === null ? BLANK : column?.show?.(order);
    },
    text: (list) => {
      const order = orderOf(list, leg);
      return order === null ? "" : (column?.text?.(order) ?? "");
    },
  });
  const price: Column<OrderRow> = {
    label: words.columns.price,
    isNumber: true,
    show: (order) => priceText(context, order.symbol, priceOf(order)),
    text: priceOf,
  };
  return [
    cell(of["time"], "first"),
    cell(of["market"], "first"),
    {
      label: words.columns.list,
      show: ({ orderListId }) => orderListId,
      text: ({ orderListId }) => String(orderListId),
    },
    { label: listWords.kind, show: ({ kind }) => <KindMark kind={kind} />, text: ({ kind }) => kind },
    cell(of["side"], "first"),
    cell(of["price"], "working", listWords.prices.working),
    cell(price, "limit", listWords.prices.limit),
    cell(of["stop"] && { ...of["stop"], show: stopText(context) }, "stop", listWords.prices.stop),
    cell(of["price"], "stop", listWords.prices.stopLimit),
    cell(of["quantity"], "first"),
    {
      label: words.columns.acts,
      isNumber: true,
      isActions: true,
      show: (list) => (
        // The promise never rejects.
        <Button class="link" onClick={() => void cancelList(terminal, list)}>
          {words.cancelList}
        </Button>
      ),
    },
  ];
}
