/** Fewer points of the same curve: of each stretch the lowest and the highest stay, and so the curve keeps its shape. */
import type { Point } from "../course.ts";

export function thinned(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const [firstMs, lastMs] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const stretches = Math.floor(most / 2);
  const ofStretch = new Map<number, { low: Point; high: Point }>();
  for (const point of points) {
    const stretch = Math.min(stretches - 1, Math.floor(((point[0] - firstMs) / (lastMs - firstMs)) * stretches));
    const kept = ofStretch.get(stretch) ?? { low: point, high: point };
    if (point[1] < kept.low[1]) kept.low = point;
    if (point[1] > kept.high[1]) kept.high = point;
    ofStretch.set(stretch, kept);
  }
  return [...ofStretch.values()].flatMap(({ low, high }) => {
    if (low === high) return [low];
    return low[0] <= high[0] ? [low, high] : [high, low];
  });
}
