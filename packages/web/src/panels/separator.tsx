/** The line between two panes: dragged, or moved by arrows; where it stands is remembered. */
import type { Layout, Preferences } from "../preferences.ts";
import { FIRST_LAYOUT } from "../preferences.ts";
import { say } from "../words/words.ts";

/** What a pane may be, in pixels. */
const SIZE_MIN_PX = 140;
const SIZE_MAX_PX = 900;
const KEY_STEP_PX = 16;

interface Props {
  readonly preferences: Preferences;
  readonly of: keyof Layout;
  readonly label: string;
  /** The way in which the line itself runs. */
  readonly runs: "vertical" | "horizontal";
}

function bounded(sizePx: number): number {
  return Math.round(Math.min(SIZE_MAX_PX, Math.max(SIZE_MIN_PX, sizePx)));
}

/** All panes that are sized stand after their line: dragging it to the left or up makes them greater. */
export function Separator({ preferences, of, label, runs }: Props) {
  const { layout } = preferences;
  const set = (sizePx: number): void => {
    layout.value = { ...layout.peek(), [of]: bounded(sizePx) };
  };

  function hold(event: PointerEvent): void {
    const line = event.currentTarget as HTMLElement;
    const place = (at: PointerEvent): number => (runs === "vertical" ? at.clientX : at.clientY);
    const fromPx = place(event);
    const sizePx = layout.peek()[of];
    line.setPointerCapture(event.pointerId);
    line.classList.add("held");
    const drag = (at: PointerEvent): void => set(sizePx + fromPx - place(at));
    const release = (): void => {
      line.classList.remove("held");
      line.removeEventListener("pointermove", drag);
      line.removeEventListener("lostpointercapture", release);
    };
    line.addEventListener("pointermove", drag);
    line.addEventListener("lostpointercapture", release);
  }

  function press(event: KeyboardEvent): void {
    const [more, less] = runs === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === more) set(layout.peek()[of] + KEY_STEP_PX);
    else if (event.key === less) set(layout.peek()[of] - KEY_STEP_PX);
    else if (event.key === "Home") set(FIRST_LAYOUT[of]);
    else return;
    event.preventDefault();
  }

  return (
    <div
      class="separator"
      role="separator"
      tabIndex={0}
      aria-orientation={runs}
      aria-label={say.resize(label)}
      aria-valuenow={layout.value[of]}
      aria-valuemin={SIZE_MIN_PX}
      aria-valuemax={SIZE_MAX_PX}
      onPointerDown={hold}
      onKeyDown={press}
      onDblClick={() => set(FIRST_LAYOUT[of])}
    />
  );
}
