/** SVG paths: the modules of a QR code and the line of a small chart. */

/** The dark modules of a QR code as an SVG path. */
interface Modules {
  readonly size: number;
  get(x: number, y: number): boolean;
}

/** Each run of dark modules in a row is one subpath. */
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

/** The line of a small chart as an SVG path. */
export const WIDTH = 240;
export const HEIGHT = 44;
/** A line of fewer samples starts further right, so that one sample does not fill the whole width. */
const LEAST_SAMPLES = 30;

/** One subpath for each run of samples. `hour` is oldest first; the newest is at the right edge. */
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
