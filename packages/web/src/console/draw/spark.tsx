/** A small line of the last hour. Where nothing was told there is no line. */
import { HEIGHT, linesOf, WIDTH } from "./spark-line.ts";

export function Spark({ hour, label }: { hour: readonly (number | null)[]; label: string }) {
  const path = linesOf(hour);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="base" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
      {path !== "" && <path class="line" d={path} />}
    </svg>
  );
}
