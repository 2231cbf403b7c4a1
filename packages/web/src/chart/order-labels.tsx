/**
 * Labels of the account's orders at the end of their lines, with a cancel button each. Orders are moved by mouse, touch
 * or keyboard, after a confirmation. Labels of close lines are collapsed into a tag and fan out by hover, focus or tap.
 */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useId, useLayoutEffect, useRef } from "preact/hooks";
import { isPending } from "../account/own-orders.ts";
import { grouped, showAmount } from "../exact/shown.ts";
import { lineLabel, LINES, lineTag, orderWords } from "../words/words.ts";
import type { ChartView } from "./chart-view.ts";
import { type Fan, FanGround, type LabelPlace, labelsOf, Tag, useClosing } from "./label-fan.tsx";
import type { LabelGroup } from "./label-layout.ts";
import type { LineDrag } from "./line-drag.ts";
import {
  type Consequences,
  type LineEdit,
  type LineEditor,
  lineWords,
  steppedPrice,
  type TickRule,
} from "./line-edit.ts";
import type { OrderLine } from "./order-lines.ts";

/** The number of ticks by which an arrow key with Shift moves a price. */
const LARGE_STEP_TICKS = 10;

interface LabelProps {
  readonly line: OrderLine;
  readonly place: LabelPlace | undefined;
  readonly edit: LineEdit | null;
  readonly editor: LineEditor;
  readonly drag: LineDrag;
  readonly rule: TickRule;
  readonly consequences: (line: OrderLine, to: string) => Consequences;
  readonly hintId: string;
  /** Called if the label is removed while it has the focus. */
  readonly onFocusLost: (lost: Place) => void;
}

/** The fields of a line that stay the same when its order is canceled and placed again at that price. */
type Place = Pick<OrderLine, "part" | "price"> & Pick<OrderLine["order"], "side">;

function stateWords(line: OrderLine, edit: LineEdit | null): string | null {
  if (edit?.step === "sending" || line.order.state === "sending") return LINES.sending;
  if (line.order.state === "unknown") return LINES.unknown;
  if (!isPending(line.order)) return null;
  const working = line.list?.working;
  return working ? orderWords.waitsFor(working.side === "BUY", showAmount(working.price)) : LINES.pending;
}

function onLabelKey(event: KeyboardEvent, { line, edit, editor, rule }: LabelProps): void {
  const isMoving = edit?.step === "moving";
  const ticks = (event.shiftKey ? LARGE_STEP_TICKS : 1) * (event.key === "ArrowUp" ? 1 : -1);
  if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    editor.moveTo(line, steppedPrice(isMoving ? edit.to : line.price, ticks, rule));
  } else if (event.key === "Enter" && isMoving) void editor.apply();
  else if (event.key === "Escape" && isMoving) editor.abort();
  else if (event.key === "Delete" || event.key === "Backspace") void editor.cancel(line);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The new price of a moved order, its distance from the market and the order's new total. */
function MoveWords({ to, distance, total }: Consequences & { readonly to: string }) {
  return (
    <>
      <b>{grouped(to)}</b>
      {distance === null ? null : <span>{distance}</span>}
      {total === null ? null : <span>{total}</span>}
    </>
  );
}

function Label(props: LabelProps) {
  const { line, place, edit, editor, drag, consequences, hintId, onFocusLost } = props;
  const words = lineWords(line);
  const state = stateWords(line, edit);
  const move = edit?.action === "move" ? edit : null;
  const to = move?.to ?? line.price;
  const outside = place?.outside ?? null;
  const root = useRef<HTMLLIElement>(null);
  const last = useRef({ part: line.part, price: to, side: line.order.side });
  last.current = { part: line.part, price: to, side: line.order.side };
  useLayoutEffect(() => {
    const element = root.current;
    return () => {
      if (element?.contains(document.activeElement)) onFocusLost(last.current);
    };
  }, [onFocusLost]);
  const classes = [
    "chart-line",
    line.order.side === "BUY" ? "is-buy" : "is-sell",
    move === null ? "" : "is-moving",
    state === null ? "" : "is-waiting",
    // The label has no position yet, but may already have the focus.
    place === undefined ? "is-unplaced" : `is-${place.state}`,
    outside === null ? "" : "is-outside",
  ];
  const { distance, total } = consequences(line, to);
  const spoken = move === null ? [] : [distance, total];
  return (
    <li
      ref={root}
      data-line={line.key}
      class={classes.join(" ")}
      style={{ transform: `translate(${-(place?.x ?? 0)}px, ${Math.round(place?.y ?? 0)}px) translateY(-50%)` }}
    >
      <div
        class="chart-line-name"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={LINES.name(words)}
        aria-valuenow={Number(to)}
        aria-valuetext={[to, outside === null ? null : LINES[outside], ...spoken]
          .filter((text) => text !== null)
          .join(", ")}
        aria-describedby={hintId}
        aria-disabled={!line.isMovable}
        onPointerDown={(event) => drag.take(event, line)}
        onKeyDown={(event) => onLabelKey(event, props)}
        onBlur={() => {
          // The confirmation may take the focus before this label is rendered again.
          if (edit?.step === "moving" && editor.edit.peek()?.step === "moving" && !drag.isHeld) editor.abort();
        }}
      >
        {outside === null ? null : <span aria-hidden="true">{outside === "above" ? "↑" : "↓"}</span>}
        <span class="chart-line-full">{lineLabel(words)}</span>
        <span class="chart-line-short">{lineTag(words)}</span>
        {move === null ? (
          <b class="chart-line-price">{grouped(to)}</b>
        ) : (
          <MoveWords to={to} distance={distance} total={total} />
        )}
        {state === null ? null : <i>{state}</i>}
      </div>
      <button
        type="button"
        class="chart-line-cancel"
        aria-label={LINES.cancel(words)}
        disabled={!line.isSettled}
        onClick={() => void editor.cancel(line)}
      >
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

// All labels.

interface OrderLabelsProps {
  readonly view: ChartView;
  readonly lines: ReadonlySignal<readonly OrderLine[]>;
  readonly editor: LineEditor;
  readonly drag: LineDrag;
  readonly rule: TickRule;
  readonly consequences: (line: OrderLine, to: string) => Consequences;
}

/**
 * Moves the focus to the label of the new order after a move, which replaces the order, unless the user has focused
 * another element by then.
 */
function useFocusFollow(list: RefObject<HTMLElement | null>, lines: ReadonlySignal<readonly OrderLine[]>) {
  const lost = useRef<Place | null>(null);
  const now = lines.value;
  // Runs before the next frame, because the response with the new order may arrive earlier.
  useLayoutEffect(() => {
    const wanted = lost.current;
    if (wanted === null) return;
    if (document.activeElement !== document.body) {
      lost.current = null;
      return;
    }
    const { part, price, side } = wanted;
    const again = now.find((line) => line.part === part && line.price === price && line.order.side === side);
    const label =
      again && list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(again.key)}"] [role=slider]`);
    if (!label) return;
    lost.current = null;
    label.focus();
  }, [list, now]);
  return useCallback((place: Place) => {
    lost.current = place;
  }, []);
}

export function OrderLabels({ view, lines, editor, drag, rule, consequences }: OrderLabelsProps) {
  const hintId = useId();
  const root = useRef<HTMLDivElement>(null);
  const fan = useSignal<Fan | null>(null);
  const lost = useFocusFollow(root, lines);
  const { stay, leave } = useClosing(root, fan);
  const now = lines.value;
  if (now.length === 0) return null;
  const placed = view.layout.value;
  const layout = { ...placed, lines: placed.lines.filter(({ key }) => now.some((line) => line.key === key)) };
  const edit = editor.edit.value;
  const labels = labelsOf(layout, edit?.action === "move" ? edit.line.key : undefined, fan);
  const { fanned } = labels;
  const linesOf = ({ keys }: LabelGroup): readonly OrderLine[] =>
    keys.flatMap((key) => now.filter((line) => line.key === key));
  return (
    <div
      ref={root}
      class={`chart-orders ${labels.isNarrow ? "is-narrow" : ""}`}
      style={{ right: `${layout.axisWidthPx}px`, width: `${layout.paneWidthPx}px`, height: `${layout.paneHeightPx}px` }}
      onPointerOver={(event) => {
        const isOwn = (event.target as Element).closest(".is-fanned, .chart-fan, .chart-tag.is-open") !== null;
        if (isOwn) stay();
        else if (labels.fan !== null) leave(event);
      }}
      onPointerLeave={leave}
      onFocusIn={(event) =>
        labels.show((event.target as Element).closest<HTMLElement>("[data-line]")?.dataset["line"] ?? "")
      }
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget))) labels.close();
      }}
    >
      {labels.fan === null ? null : (
        <FanGround fan={labels.fan} layout={layout} sides={new Map(now.map(({ key, order }) => [key, order.side]))} />
      )}
      <div aria-hidden="true">
        {labels.tags.map((group) => (
          <Tag key={group.keys[0]} group={group} lines={linesOf(group)} drag={drag} onOpen={() => labels.open(group)} />
        ))}
        {fanned === null ? null : (
          <Tag key={fanned.keys[0]} group={fanned} lines={linesOf(fanned)} drag={drag} isOpen />
        )}
      </div>
      <p id={hintId} class="unseen">
        {LINES.hint}
      </p>
      <ul class="chart-lines" aria-label={LINES.list}>
        {now.map((line) => (
          <Label
            key={line.key}
            line={line}
            place={labels.places.get(line.key)}
            edit={edit?.line.key === line.key ? edit : null}
            {...{ editor, drag, rule, consequences, hintId }}
            onFocusLost={lost}
          />
        ))}
      </ul>
    </div>
  );
}
