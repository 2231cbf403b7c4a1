/**
 * Labels of the account's orders on the chart, with a cancel button each. Orders are moved by mouse, touch or keyboard,
 * after a confirmation.
 */
import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useId, useLayoutEffect, useRef } from "preact/hooks";
import { grouped } from "../exact/shown.ts";
import { ASK, lineLabel, LINES } from "../words/words.ts";
import type { ChartView } from "./chart-view.ts";
import { type LineDrag, type LineEdit, type LineEditor, lineWords, steppedPrice, type TickRule } from "./line-edit.ts";
import { type OrderLine, type PlacedLabel, spreadLabels } from "./order-lines.ts";

const LABEL_HEIGHT_PX = 26;
/**
 * The space that labels leave free for the legend above, which has two lines on narrow screens, and for the credits
 * below.
 */
const LEGEND_HEIGHT_PX = 42;
const NARROW_LEGEND_HEIGHT_PX = 60;
const NARROW_PX = 480;
const AUTHORS_HEIGHT_PX = 24;
/** The number of ticks by which an arrow key with Shift moves a price. */
const LARGE_STEP_TICKS = 10;

interface LabelProps {
  readonly line: OrderLine;
  readonly place: PlacedLabel | undefined;
  readonly edit: LineEdit | null;
  readonly editor: LineEditor;
  readonly drag: LineDrag;
  readonly rule: TickRule;
  readonly hintId: string;
  /** Called if the label is removed while it has the focus. */
  readonly onFocusLost: (lost: Place) => void;
}

/** The fields of a line that stay the same when its order is canceled and placed again at that price. */
type Place = Pick<OrderLine, "part" | "price"> & Pick<OrderLine["order"], "side">;

function stateWords(line: OrderLine, edit: LineEdit | null): string | null {
  if (edit?.step === "sending" || line.order.state === "sending") return LINES.sending;
  return line.order.state === "unknown" ? LINES.unknown : null;
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

function Label(props: LabelProps) {
  const { line, place, edit, editor, drag, hintId, onFocusLost } = props;
  const words = lineWords(line);
  const state = stateWords(line, edit);
  const to = edit?.action === "move" ? edit.to : line.price;
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
    edit?.action === "move" ? "is-moving" : "",
    state === null ? "" : "is-waiting",
    outside === null ? "" : "is-outside",
    // The label has no position yet, but may already have the focus.
    place === undefined ? "is-unplaced" : "",
  ];
  return (
    <li
      ref={root}
      data-line={line.key}
      class={classes.join(" ")}
      style={{ transform: `translateY(${Math.round((place?.y ?? 0) - LABEL_HEIGHT_PX / 2)}px)` }}
    >
      <div
        class="chart-line-name"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={LINES.name(words)}
        aria-valuenow={Number(to)}
        aria-valuetext={outside === null ? to : `${to}, ${LINES[outside]}`}
        aria-describedby={hintId}
        aria-disabled={!line.isSettled}
        onPointerDown={(event) => drag.take(event, line)}
        onKeyDown={(event) => onLabelKey(event, props)}
        onBlur={() => {
          if (edit?.step === "moving" && !drag.isHeld) editor.abort();
        }}
      >
        {outside === null ? null : <span aria-hidden="true">{outside === "above" ? "↑ " : "↓ "}</span>}
        {lineLabel(words)}
        {edit?.action === "move" || outside !== null ? <b> {grouped(to)}</b> : null}
        {state === null ? null : <i> {state}</i>}
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

interface OrderLabelsProps {
  readonly view: ChartView;
  readonly lines: ReadonlySignal<readonly OrderLine[]>;
  readonly editor: LineEditor;
  readonly drag: LineDrag;
  readonly rule: TickRule;
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

export function OrderLabels({ view, lines, editor, drag, rule }: OrderLabelsProps) {
  const hintId = useId();
  const list = useRef<HTMLUListElement>(null);
  const lost = useFocusFollow(list, lines);
  const layout = view.layout.value;
  const edit = editor.edit.value;
  if (lines.value.length === 0) return null;
  const space = {
    heightPx: LABEL_HEIGHT_PX,
    topPx: layout.paneWidthPx < NARROW_PX ? NARROW_LEGEND_HEIGHT_PX : LEGEND_HEIGHT_PX,
    bottomPx: AUTHORS_HEIGHT_PX,
    paneHeightPx: layout.paneHeightPx,
  };
  const places = new Map(spreadLabels(layout.lines, space).map((place) => [place.key, place]));
  return (
    <>
      <p id={hintId} class="unseen">
        {LINES.hint}
      </p>
      <ul class="chart-lines" ref={list} aria-label={LINES.list}>
        {lines.value.map((line) => (
          <Label
            key={line.key}
            line={line}
            place={places.get(line.key)}
            edit={edit?.line.key === line.key ? edit : null}
            editor={editor}
            drag={drag}
            rule={rule}
            hintId={hintId}
            onFocusLost={lost}
          />
        ))}
      </ul>
    </>
  );
}

// The confirmation before an order is moved or canceled. Escape and the "Keep" button decline.

function Question({ edit, editor }: { edit: LineEdit; editor: LineEditor }) {
  const yes = useRef<HTMLButtonElement>(null);
  const id = useId();
  // Moves the focus before the next frame, because the user may press a key earlier.
  useLayoutEffect(() => {
    const before = document.activeElement;
    yes.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const words = lineWords(edit.line);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape declines
    <div
      class="chart-ask"
      role="alertdialog"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        editor.abort();
      }}
    >
      <p id={id}>{edit.action === "move" ? ASK.move(words, edit.to) : ASK.cancel(words)}</p>
      <div class="chart-ask-answers">
        <button type="button" ref={yes} class="chart-yes" onClick={() => void editor.confirm()}>
          {edit.action === "move" ? ASK.yesMove : ASK.yesCancel}
        </button>
        <button type="button" class="chart-no" onClick={() => editor.abort()}>
          {ASK.no}
        </button>
      </div>
    </div>
  );
}

export function LineAsk({ editor }: { editor: LineEditor }) {
  const edit = editor.edit.value;
  return edit?.step === "ask" ? <Question key={`${edit.line.key} ${edit.to}`} edit={edit} editor={editor} /> : null;
}
