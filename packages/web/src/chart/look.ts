/** The theme's colors for the canvas, read from CSS variables and again each time the theme changes. */

export interface Look {
  readonly up: string;
  readonly down: string;
  /** The color below white text. */
  readonly upFill: string;
  readonly downFill: string;
  /** The transparent color for areas. */
  readonly upArea: string;
  readonly downArea: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly strongLine: string;
  readonly panel: string;
  readonly accent: string;
  readonly accentArea: string;
  /** The colors of indicator lines, in drawing order. */
  readonly series: readonly string[];
  readonly fontFamily: string;
}

const SERIES_COLOURS = 6;

/** Converts any CSS color to `rgba(...)`, because the chart library supports only older notations. */
function plainColour(colour: string, canvas: OffscreenCanvasRenderingContext2D | null): string {
  if (canvas === null) return colour;
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${Math.round((alpha / 255) * 1000) / 1000})`;
}

const AREA_ALPHA = 0.3;

/** Makes a color transparent. If `plain` is not in the form `rgba(…)`, it is returned unchanged. */
function seeThrough(plain: string): string {
  const comma = plain.lastIndexOf(",");
  return comma < 0 ? plain : `${plain.slice(0, comma)}, ${AREA_ALPHA})`;
}

/** The colors that apply at an element of the page. */
export function readLook(place: HTMLElement): Look {
  const probe = document.createElement("span");
  probe.hidden = true;
  place.append(probe);
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return plainColour(getComputedStyle(probe).color, canvas);
  };
  const look: Look = {
    up: colour("--up"),
    down: colour("--down"),
    upFill: colour("--up-fill"),
    downFill: colour("--down-fill"),
    upArea: seeThrough(colour("--up")),
    downArea: seeThrough(colour("--down")),
    text: colour("--text"),
    muted: colour("--muted"),
    line: colour("--line"),
    strongLine: colour("--line-strong"),
    panel: colour("--panel"),
    accent: colour("--accent"),
    accentArea: seeThrough(colour("--accent")),
    series: Array.from({ length: SERIES_COLOURS }, (_, at) => colour(`--chart-${at + 1}`)),
    fontFamily: getComputedStyle(place).fontFamily,
  };
  probe.remove();
  return look;
}

/** Calls `onChange` when the theme or its colors may have changed. The returned function stops this. */
export function watchLook(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-colours", "class"] });
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    scheme.removeEventListener("change", onChange);
  };
}
