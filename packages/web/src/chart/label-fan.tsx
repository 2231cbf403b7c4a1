/** Where the labels of orders are on the chart: on their lines, in the tags of close lines, or fanned out. */
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LINES, lineTag } from "../words/words.ts";
import type { Layout } from "./chart-view.ts";
import { fanOut, type FanPlace, groupLabels, type LabelGroup, type LabelSpace } from "./label-layout.ts";
import type { LineDrag } from "./line-drag.ts";
import { lineWords } from "./line-edit.ts";
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
/** The width that labels need between the newest candle and the axis, so that they cover no candle. */
export function endWidthPx(paneWidthPx: number): number {
  return paneWidthPx < NARROW_PX ? TAG_END_PX : LABEL_END_PX;
}

/** Fanned labels. They stay in place while the fan is open, so that no button moves below the pointer. */
export interface Fan {
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

/** The state and position of a label. A folded label is behind its group's tag, and is visible only to screen readers. */
export interface LabelPlace {
  readonly state: "on-line" | "folded" | "fanned" | "lifted";
  readonly x: number;
  readonly y: number;
  readonly outside: LabelGroup["outside"];
}

/** The labels at one point in time, and the fan that the user has opened. */
export interface Labels {
  readonly places: ReadonlyMap<string, LabelPlace>;
  readonly tags: readonly LabelGroup[];
  readonly fan: Fan | null;
  /** The tag of the open fan. */
  readonly fanned: LabelGroup | null;
  readonly isNarrow: boolean;
  open(group: LabelGroup): void;
  /** Opens the fan of the group in which the label of a line is folded, and closes the fan that it is not in. */
  show(key: string): void;
  close(): void;
}

/** `liftedKey`: the line that is being moved. It has its own label, and the fan that it came from is closed. */
export function labelsOf(layout: Layout, liftedKey: string | undefined, fan: Signal<Fan | null>): Labels {
  const space = spaceOf(layout);
  const opened = liftedKey === undefined ? fan.value : null;
  const resting = layout.lines.filter(({ key }) => key !== liftedKey && !opened?.places.has(key));
  const groups = groupLabels(resting, space);
  const isNarrow = layout.paneWidthPx < NARROW_PX;
  const isEndFree = !isNarrow && layout.endPx >= LABEL_END_PX - 4;
  const isTagged = ({ keys }: LabelGroup): boolean => keys.length > 1 || !isEndFree;
  const open = (group: LabelGroup): void => {
    fan.value = openFan(group, space, layout);
  };
  return {
    places: placesOf(layout, groups, opened, isTagged, liftedKey),
    tags: groups.filter(isTagged),
    fan: opened,
    fanned: opened && { keys: [...opened.places.keys()], y: opened.y, outside: null },
    isNarrow,
    open,
    show(key) {
      const group = groups.find(({ keys }) => keys.includes(key));
      if (group !== undefined && isTagged(group)) open(group);
      else if (!opened?.places.has(key)) fan.value = null;
    },
    close: () => {
      fan.value = null;
    },
  };
}

/** Closes the fan: a moment after a mouse has left it, or at once by a press elsewhere. */
export function useClosing(root: RefObject<HTMLElement | null>, fan: Signal<Fan | null>) {
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

// Tags of lines that are close together. They are for pointers: the labels behind them can be focused.

interface TagProps {
  readonly group: LabelGroup;
  readonly lines: readonly OrderLine[];
  readonly isOpen?: boolean;
  readonly drag: LineDrag;
  readonly onOpen?: () => void;
}

export function Tag({ group, lines, isOpen = false, drag, onOpen }: TagProps) {
  const [first] = lines;
  // An order with two prices has two lines.
  const orders = [...new Set(lines.map(({ order }) => order))];
  const count = (side: "BUY" | "SELL"): number => orders.filter((order) => order.side === side).length;
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
        if (event.pointerType === "mouse") onOpen?.();
      }}
      onPointerDown={(event) => {
        if (lines.length === 1) drag.take(event, first);
      }}
      onClick={onOpen}
    >
      {group.outside === null ? null : <span>{group.outside === "above" ? "↑" : "↓"}</span>}
      {orders.length === 1 ? (
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
export function FanGround({
  fan,
  layout,
  sides,
}: {
  fan: Fan;
  layout: Layout;
  sides: ReadonlyMap<string, "BUY" | "SELL">;
}) {
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
