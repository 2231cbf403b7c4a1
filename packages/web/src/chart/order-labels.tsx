/**
 * Labels of the account's orders at the end of their lines, with a cancel button each. Orders are moved by mouse, touch
 * or keyboard, after a confirmation. Labels of close lines are collapsed into a tag and fan out by hover, focus or tap.
 */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { grouped } from "../exact/shown.ts";
import { lineLabel, LINES, lineTag } from "../words/words.ts";
import type { ChartView, Layout } from "./chart-view.ts";
import { fanOut, type FanPlace, groupLabels, type LabelGroup, type LabelSpace } from "./label-layout.ts";
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

const LABEL_HEIGHT_PX = 26;
/** The height of a fanned label for a finger. */
const TOUCH_HEIGHT_PX = 38;
/**
 * The space that labels leave free for the legend above, which has two lines on narrow screens, and for the credits
 * below.
 */
const LEGEND_HEIGHT_PX = 42;
const NARROW_LEGEND_HEIGHT_PX = 60;
const NARROW_PX = 480;
const AUTHORS_HEIGHT_PX = 24;
/** The free space at the end of the chart that a label on its line needs, and that a tag needs. */
const LABEL_END_PX = 148;
const TAG_END_PX = 76;
/** The width of a column of fanned labels. */
const COLUMN_PX = 246;
const NARROW_COLUMN_PX = 148;
/** The width of the tags, beside which labels fan out for a mouse. For a finger they cover the tag. */
const TAG_PX = 72;
/** A fan stays open for this long after the pointer has left it, because the way to a label may lead around it. */
const LINGER_MS = 300;
/** The number of ticks by which an arrow key with Shift moves a price. */
const LARGE_STEP_TICKS = 10;

/** The width that labels need between the newest candle and the axis, so that they cover no candle. */
export function endWidthPx(paneWidthPx: number): number {
  return paneWidthPx < NARROW_PX ? TAG_END_PX : LABEL_END_PX;
}

/** Fanned labels. They stay in place while the fan is open, so that no button moves below the pointer. */
interface Fan {
  readonly y: number;
  readonly places: ReadonlyMap<string, FanPlace>;
  readonly columnPx: number;
  /** The distance of the first column from the axis. */
  readonly rightPx: number;
  readonly heightPx: number;
}

function openFan({ keys, y }: LabelGroup, space: LabelSpace, { paneWidthPx }: Layout): Fan {
  const isCoarse = matchMedia("(pointer: coarse)").matches;
  const heightPx = isCoarse ? TOUCH_HEIGHT_PX : LABEL_HEIGHT_PX;
  const columnPx = paneWidthPx < NARROW_PX ? NARROW_COLUMN_PX : COLUMN_PX;
  const rightPx = isCoarse ? 0 : TAG_PX;
  const places = fanOut(keys.length, y, { ...space, heightPx, columnPx, widthPx: paneWidthPx - rightPx });
  return { y, places: new Map(keys.map((key, at) => [key, places[at] as FanPlace])), columnPx, rightPx, heightPx };
}

/** The state and position of a label. A folded label is behind its group's tag, and is visible only to screen readers. */
interface LabelPlace {
  readonly state: "on-line" | "folded" | "fanned" | "lifted";
  readonly x: number;
  readonly y: number;
  readonly outside: LabelGroup["outside"];
}

// A label.

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
        aria-disabled={!line.isSettled}
        onPointerDown={(event) => drag.take(event, line)}
        onKeyDown={(event) => onLabelKey(event, props)}
        onBlur={() => {
          if (edit?.step === "moving" && !drag.isHeld) editor.abort();
        }}
      >
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

// Tags of lines that are close together. They are for pointers: the labels behind them can be focused.

interface TagProps {
  readonly group: LabelGroup;
  readonly lines: readonly OrderLine[];
  readonly isOpen: boolean;
  readonly drag: LineDrag;
  readonly onOpen: () => void;
}

function Tag({ group, lines, isOpen, drag, onOpen }: TagProps) {
  const [first] = lines;
  const count = (side: "BUY" | "SELL"): number => lines.filter(({ order }) => order.side === side).length;
  const [buys, sells] = [count("BUY"), count("SELL")];
  if (first === undefined) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- keys reach the labels behind it
    <div
      class={`chart-tag ${isOpen ? "is-open" : ""}`}
      data-lines={group.keys.join(",")}
      style={{ transform: `translateY(${Math.round(group.y)}px) translateY(-50%)` }}
      onPointerEnter={(event) => {
        // For a finger, the fan opens after the tap, so that the tap reaches no button of the fan.
        if (event.pointerType === "mouse") onOpen();
      }}
      onPointerDown={(event) => {
        if (lines.length === 1) drag.take(event, first);
      }}
      onClick={onOpen}
    >
      {group.outside === null ? null : <span>{group.outside === "above" ? "↑" : "↓"}</span>}
      {lines.length === 1 ? (
        <span class={first.order.side === "BUY" ? "is-buy" : "is-sell"}>{lineTag(lineWords(first))}</span>
      ) : (
        <>
          {buys === 0 ? null : <span class="is-buy">{LINES.buys(buys)}</span>}
          {sells === 0 ? null : <span class="is-sell">{LINES.sells(sells)}</span>}
        </>
      )}
    </div>
  );
}

/** The space behind fanned labels, and thin lines from the labels to their lines. */
function FanGround({ fan, layout, sides }: { fan: Fan; layout: Layout; sides: ReadonlyMap<string, "BUY" | "SELL"> }) {
  const shown = [...fan.places].filter(([key]) => sides.has(key));
  const ys = shown.map(([, { y }]) => y);
  const columns = Math.max(...shown.map(([, { column }]) => column)) + 1;
  const top = Math.min(...ys) - fan.heightPx / 2 - 6;
  const endX = layout.paneWidthPx;
  return (
    <>
      <div
        class="chart-fan"
        style={{
          top: `${top}px`,
          right: `${Math.max(0, fan.rightPx - 6)}px`,
          width: `${columns * fan.columnPx + 6}px`,
          height: `${Math.max(...ys) + fan.heightPx / 2 + 6 - top}px`,
        }}
      />
      <svg class="chart-leaders" width={endX} height={layout.paneHeightPx}>
        {shown.map(([key, { column, y }]) => {
          const lineY = layout.lines.find((line) => line.key === key)?.y ?? null;
          if (fan.rightPx === 0 || column > 0 || lineY === null) return null;
          const side = sides.get(key) === "BUY" ? "is-buy" : "is-sell";
          return <path key={key} class={side} d={`M${endX - fan.rightPx} ${y}L${endX} ${lineY}`} />;
        })}
      </svg>
    </>
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

/** Closes the fan: a moment after a mouse has left it, or at once by a press elsewhere. */
function useClosing(root: RefObject<HTMLElement | null>, fan: Signal<Fan | null>) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isOpen = fan.value !== null;
  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) fan.value = null;
    };
    document.addEventListener("pointerdown", onPress, true);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener("pointerdown", onPress, true);
    };
  }, [isOpen, root, fan]);
  return {
    stay: (): void => clearTimeout(timer.current),
    leave: (event: PointerEvent): void => {
      clearTimeout(timer.current);
      if (event.pointerType !== "mouse" || root.current?.querySelector(":focus-visible")) return;
      timer.current = setTimeout(() => (fan.value = null), LINGER_MS);
    },
  };
}

function spaceOf({ paneHeightPx, paneWidthPx }: Layout): LabelSpace {
  const topPx = paneWidthPx < NARROW_PX ? NARROW_LEGEND_HEIGHT_PX : LEGEND_HEIGHT_PX;
  return { heightPx: LABEL_HEIGHT_PX, topPx, bottomPx: AUTHORS_HEIGHT_PX, paneHeightPx };
}

/** The place of each label by the key of its line. `liftedKey`: the line that is being moved. */
function placesOf(
  layout: Layout,
  groups: readonly LabelGroup[],
  fan: Fan | null,
  isTagged: (group: LabelGroup) => boolean,
  liftedKey: string | undefined,
): ReadonlyMap<string, LabelPlace> {
  const places = new Map<string, LabelPlace>();
  for (const group of groups) {
    const { y, outside } = group;
    for (const key of group.keys) places.set(key, { state: isTagged(group) ? "folded" : "on-line", x: 4, y, outside });
  }
  for (const [key, { column, y }] of fan?.places ?? []) {
    const lineY = layout.lines.find((line) => line.key === key)?.y ?? 0;
    const outside = lineY < 0 ? "above" : lineY > layout.paneHeightPx ? "below" : null;
    places.set(key, { state: "fanned", x: (fan?.rightPx ?? 0) + column * (fan?.columnPx ?? 0), y, outside });
  }
  const lifted = layout.lines.find(({ key }) => key === liftedKey);
  if (lifted !== undefined && lifted.y !== null) {
    const y = Math.min(Math.max(lifted.y, LABEL_HEIGHT_PX / 2), layout.paneHeightPx - LABEL_HEIGHT_PX / 2);
    places.set(lifted.key, { state: "lifted", x: 4, y, outside: null });
  }
  return places;
}

export function OrderLabels({ view, lines, editor, drag, rule, consequences }: OrderLabelsProps) {
  const hintId = useId();
  const root = useRef<HTMLDivElement>(null);
  const fan = useSignal<Fan | null>(null);
  const lost = useFocusFollow(root, lines);
  const { stay, leave } = useClosing(root, fan);
  const now = lines.value;
  if (now.length === 0) return null;
  const layout = view.layout.value;
  const edit = editor.edit.value;
  const liftedKey = edit?.action === "move" ? edit.line.key : undefined;
  const space = spaceOf(layout);
  // A line that is being moved has its own label, and the fan that it came from is closed.
  const opened = liftedKey === undefined ? fan.value : null;
  const resting = layout.lines.filter(({ key }) => key !== liftedKey && !opened?.places.has(key));
  const groups = groupLabels(resting, space);
  const isEndFree = layout.paneWidthPx >= NARROW_PX && layout.endPx >= LABEL_END_PX - 4;
  const isTagged = ({ keys }: LabelGroup): boolean => keys.length > 1 || !isEndFree;
  const places = placesOf(layout, groups, opened, isTagged, liftedKey);
  const open = (group: LabelGroup): void => {
    stay();
    fan.value = openFan(group, space, layout);
  };
  const linesOf = (keys: readonly string[]): readonly OrderLine[] =>
    keys.flatMap((key) => now.filter((line) => line.key === key));
  const fanned: LabelGroup | null = opened && { keys: [...opened.places.keys()], y: opened.y, outside: null };
  return (
    <div
      ref={root}
      class={`chart-orders ${layout.paneWidthPx < NARROW_PX ? "is-narrow" : ""}`}
      style={{ right: `${layout.axisWidthPx}px`, width: `${layout.paneWidthPx}px`, height: `${layout.paneHeightPx}px` }}
      onPointerOver={(event) => {
        const isOwn = (event.target as Element).closest(".is-fanned, .chart-fan, .chart-tag.is-open") !== null;
        if (isOwn) stay();
        else if (opened !== null) leave(event);
      }}
      onPointerLeave={leave}
      onFocusIn={(event) => {
        const key = (event.target as Element).closest("[data-line]")?.getAttribute("data-line") ?? "";
        const group = groups.find(({ keys }) => keys.includes(key));
        if (group !== undefined && isTagged(group)) open(group);
        else if (!opened?.places.has(key)) fan.value = null;
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget))) fan.value = null;
      }}
    >
      {opened === null ? null : (
        <FanGround fan={opened} layout={layout} sides={new Map(now.map(({ key, order }) => [key, order.side]))} />
      )}
      <div aria-hidden="true">
        {[...groups.filter(isTagged), ...(fanned === null ? [] : [fanned])].map((group) => (
          <Tag
            key={group.keys[0]}
            group={group}
            lines={linesOf(group.keys)}
            isOpen={group === fanned}
            drag={drag}
            onOpen={() => {
              if (group !== fanned) open(group);
            }}
          />
        ))}
      </div>
      <p id={hintId} class="unseen">
        {LINES.hint}
      </p>
      <ul class="chart-lines" aria-label={LINES.list}>
        {now.map((line) => (
          <Label
            key={line.key}
            line={line}
            place={places.get(line.key)}
            edit={edit?.line.key === line.key ? edit : null}
            editor={editor}
            drag={drag}
            rule={rule}
            consequences={consequences}
            hintId={hintId}
            onFocusLost={lost}
          />
        ))}
      </ul>
    </div>
  );
}
