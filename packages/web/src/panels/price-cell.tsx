/** A price of an open order that can be changed in its place: Enter moves the order, Escape leaves it. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { OrderRow } from "../account/port.ts";
import { showDecimal } from "../exact/shown.ts";
import { form as formWords, tables as words } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { isFatal } from "./form-check.ts";
import { aroundOrder, checkMove, type PricePart } from "./price-check.ts";
import { cleaned } from "./step-text.ts";

interface Props {
  readonly desk: Desk;
  readonly order: OrderRow;
  readonly part: PricePart;
  readonly label: string;
  readonly shown: string;
}

/** Asks, where that is wanted, and moves. `move` never rejects: what came of it stands in the rows and the notices. */
async function move({ desk, order, part, label, shown }: Props, to: string): Promise<void> {
  if (desk.preferences.confirms.peek()) {
    const digits = desk.feed.markets.peek().get(order.symbol)?.priceDigits ?? 8;
    const facts: [string, string][] = [
      [words.market, order.symbol],
      [label, words.fromTo(shown, showDecimal(to, digits))],
    ];
    if (order.orderListId !== -1) facts.push([words.columns.list, words.moveList]);
    const title = words.moveTitle(order.side === "BUY" ? words.buy : words.sell, words.types[order.type] ?? order.type);
    if (!(await desk.ask.confirm({ title, facts, yes: words.move }))) return;
  }
  await desk.account.move(order, part === "price" ? { price: to } : { stopPrice: to });
}

interface EditorProps extends Props {
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
}

function Editor(props: EditorProps) {
  const { desk, order, part, label, typed, onType, onClose } = props;
  const id = useId();
  const around = aroundOrder(desk, order);
  const isSame = typed === order[part] || typed === props.shown.replaceAll(",", "");
  const problems = around === null || isSame ? [] : checkMove(order, part, typed, around);
  const isBad = problems.some(isFatal);
  // One at a time: the row is to stay a row.
  const [first] = isBad ? problems.filter(isFatal) : problems;
  const apply = (): void => {
    if (isBad) return;
    onClose();
    if (!isSame) void move(props, typed); // Neither the question nor `move` rejects.
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
                <button
                  key={nearest}
                  type="button"
                  class="button"
                  // The field keeps the keyboard, which would otherwise close it.
                  onPointerDown={(event) => event.preventDefault()}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onType(nearest)}
                >
                  {formWords.round(nearest)}
                </button>
              ))}
          </p>
        </div>
      )}
    </>
  );
}

export function PriceCell(props: Props) {
  const { order, part, label, shown } = props;
  const typed = useSignal<string | null>(null);
  if (order.state !== "known" || !/[1-9]/.test(order[part])) return <>{shown}</>;
  if (typed.value === null)
    return (
      <button
        type="button"
        class="link"
        aria-label={words.change(label, shown)}
        onClick={() => {
          typed.value = shown.replaceAll(",", "");
        }}
      >
        {shown}
      </button>
    );
  return (
    <Editor
      {...props}
      typed={typed.value}
      onType={(text) => {
        typed.value = text;
      }}
      onClose={() => {
        typed.value = null;
      }}
    />
  );
}
