/** A small line of the last hour. Where nothing was told there is no line. */
const WIDTH = 240;
const HEIGHT = 44;
const MOST_SAMPLES = 360;

/** One subpath for each run of samples. `hour` is oldest first; the newest stands at the right edge. */
export function linesOf(hour: readonly (number | null)[]): string {
  const known = hour.filter((one): one is number => one !== null);
  const most = Math.max(...known, 0);
  const least = Math.min(...known, 0);
  const span = most - least || 1;
  let path = "";
  let isDrawing = false;
  for (const [place, value] of hour.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    const x = WIDTH - ((hour.length - 1 - place) * WIDTH) / (MOST_SAMPLES - 1);
    const y = HEIGHT - 2 - ((value - least) / span) * (HEIGHT - 4);
    // A sample without a neighbour is a dot.
    path += isDrawing ? `L${x.toFixed(1)} ${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}h0.1`;
    isDrawing = true;
  }
  return path;
}

export function Spark({ hour, label }: { hour: readonly (number | null)[]; label: string }) {
  const path = linesOf(hour);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="base" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
      {path !== "" && <path class="line" d={path} />}
    </svg>
  );
}
