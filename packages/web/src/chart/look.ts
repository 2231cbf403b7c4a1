/** The colours of the theme for the canvas: read from the CSS variables, and again when the theme changes. */

export interface Look {
  readonly up: string;
  readonly down: string;
  /** See-through, for areas. */
  readonly upArea: string;
  readonly downArea: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly strongLine: string;
  readonly panel: string;
  readonly accent: string;
  /** Lines of indicators, in the order in which they are drawn. */
  readonly series: readonly string[];
  readonly fontFamily: string;
}

const SERIES_COLOURS = 6;

/** Any colour of CSS as `rgba(...)`: the chart library reads no others than the old forms. */
function plainColour(colour: string, canvas: OffscreenCanvasRenderingContext2D | null): string {
  if (canvas === null) return colour;
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${Math.round((alpha / 255) * 1000) / 1000})`;
}

const AREA_ALPHA = 0.3;

/** `plain` is `rgba(…)`, or what the browser could not draw, which stays as it is. */
function seeThrough(plain: string): string {
  const comma = plain.lastIndexOf(",");
  return comma < 0 ? plain : `${plain.slice(0, comma)}, ${AREA_ALPHA})`;
}

/** As they are at that place of the page. */
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
    upArea: seeThrough(colour("--up")),
    downArea: seeThrough(colour("--down")),
    text: colour("--text"),
    muted: colour("--muted"),
    line: colour("--line"),
    strongLine: colour("--line-strong"),
    panel: colour("--panel"),
    accent: colour("--accent"),
    series: Array.from({ length: SERIES_COLOURS }, (_, at) => colour(`--chart-${at + 1}`)),
    fontFamily: getComputedStyle(place).fontFamily,
  };
  probe.remove();
  return look;
}

/** Calls when the theme or its colours may have changed. Gives what ends it. */
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
