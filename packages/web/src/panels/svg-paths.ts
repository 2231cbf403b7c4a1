/** SVG paths of QR codes and small charts. */

/** The modules of a QR code; `get` is true for dark ones. */
interface Modules {
  readonly size: number;
  get(x: number, y: number): boolean;
}

/** The dark modules as an SVG path. Each run of dark modules in a row is one subpath. */
export function pathOf(code: Modules): string {
  const { size } = code;
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!code.get(x, y)) continue;
      const from = x;
      while (x + 1 < size && code.get(x + 1, y)) x++;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  return path;
}

/** The size of a small chart. */
export const WIDTH = 240;
export const HEIGHT = 44;
/** The number of samples that fill the width. A line with fewer samples starts further right. */
const LEAST_SAMPLES = 30;

/**
 * The line of a small chart as an SVG path. `hour` has the samples, oldest first; the newest is at the right edge. Null
 * samples interrupt the line.
 */
export function linesOf(hour: readonly (number | null)[]): string {
  const known = hour.filter((one): one is number => one !== null);
  const most = Math.max(...known, 0);
  const least = Math.min(...known, 0);
  const span = most - least || 1;
  const samples = Math.max(hour.length, LEAST_SAMPLES);
  let path = "";
  let isDrawing = false;
  for (const [place, value] of hour.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = WIDTH - ((hour.length - 1 - place) * WIDTH) / (samples - 1);
    const y = HEIGHT - 2 - ((value - least) / span) * (HEIGHT - 4);
    // A sample without a neighbor is drawn as a dot.
    path += isDrawing ? `L${x.toFixed(1)} ${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}h0.1`;
    isDrawing = true;
  }
  return path;
}

/** The size of a bar chart. */
export const BARS_WIDTH = 300;
export const BARS_HEIGHT = 72;
/** The share of a period's width that its bar takes. */
const BAR_SHARE = 0.72;
/** The least height of a bar that is not zero, so that it is seen. */
const LEAST_BAR = 1.5;

/**
 * The line through a figure whose changes matter more than its size, and the area below the line, as SVG paths. The
 * scale begins below the smallest value, so that the changes are seen.
 */
export function lineOf(values: readonly number[]): { readonly line: string; readonly area: string } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const slot = BARS_WIDTH / Math.max(1, values.length);
  const x = (at: number): string => ((at + 0.5) * slot).toFixed(2);
  const points = values.map((value, at) => {
    const y = BARS_HEIGHT * (0.85 - (0.75 * (value - least)) / span);
    return `${x(at)} ${y.toFixed(2)}`;
  });
  const line = `M${points.join("L")}`;
  return { line, area: `${line}V${BARS_HEIGHT}H${x(0)}z` };
}

/** The place of a period in the chart, as a thin bar over its full height. */
export function markOf(at: number, count: number): string {
  const x = ((at + 0.5) * BARS_WIDTH) / Math.max(1, count);
  return `M${(x - 0.4).toFixed(2)} 0h0.8v${BARS_HEIGHT}h-0.8z`;
}

/** The bars of a chart as SVG paths, oldest first. Values below zero have no bar. */
export function barsOf(values: readonly number[]): string[] {
  const most = Math.max(...values, 0);
  const slot = BARS_WIDTH / Math.max(1, values.length);
  const width = slot * BAR_SHARE;
  return values.map((value, at) => {
    if (value <= 0 || most <= 0) return "";
    const height = Math.max(LEAST_BAR, (value / most) * (BARS_HEIGHT - 2));
    const x = at * slot + (slot - width) / 2;
    return `M${x.toFixed(2)} ${BARS_HEIGHT}v${(-height).toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}z`;
  });
}
