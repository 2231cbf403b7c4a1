/**
 * Places the labels of lines at the end of the chart, beside the price axis. A label is on its line. Where lines are
 * close, their labels collapse into one tag, which fans out on demand.
 */

/** A line and its vertical position, in pixels from the top of the pane; null if the line is not in view. */
export interface PlacedLine {
  readonly key: string;
  readonly y: number | null;
}

/** The key of the line nearest to the pointer; null if none is within reach. */
export function lineAt(lines: readonly PlacedLine[], y: number, reachPx: number): string | null {
  let nearest: string | null = null;
  let nearestPx = reachPx;
  for (const line of lines) {
    if (line.y === null) continue;
    const awayPx = Math.abs(line.y - y);
    if (awayPx > nearestPx) continue;
    nearest = line.key;
    nearestPx = awayPx;
  }
  return nearest;
}

/** The space for labels: their height, and the parts of the pane above and below that stay free. */
export interface LabelSpace {
  readonly heightPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
  readonly paneHeightPx: number;
}

/** Labels at one position: a label on its line, or the tag of several lines that are too close for labels. */
export interface LabelGroup {
  /** The keys of the lines, top to bottom. */
  readonly keys: readonly string[];
  /** The vertical position of the center. */
  readonly y: number;
  /** The edge beyond which all prices of the group are; null if one is in view. */
  readonly outside: "above" | "below" | null;
}

/** The highest and the lowest position of a center. */
function boundsOf({ heightPx, topPx, bottomPx, paneHeightPx }: LabelSpace): readonly [lowPx: number, highPx: number] {
  const low = topPx + heightPx / 2;
  return [low, Math.max(low, paneHeightPx - bottomPx - heightPx / 2)];
}

/** Groups lines whose labels would overlap. A group is at the mean of its lines, and no two groups overlap. */
export function groupLabels(lines: readonly PlacedLine[], space: LabelSpace): readonly LabelGroup[] {
  const [low, high] = boundsOf(space);
  const placed = lines
    .flatMap(({ key, y }) => (y === null ? [] : [{ key, lineY: y, y: Math.min(Math.max(y, low), high) }]))
    .sort((one, other) => one.lineY - other.lineY);
  const groups: { members: typeof placed; sum: number }[] = [];
  for (const line of placed) {
    let now = { members: [line], sum: line.y };
    // A group that has grown may have come too close to the one above it.
    for (let above = groups.at(-1); above !== undefined; above = groups.at(-1)) {
      if (now.sum / now.members.length - above.sum / above.members.length >= space.heightPx) break;
      groups.pop();
      now = { members: [...above.members, ...now.members], sum: above.sum + now.sum };
    }
    groups.push(now);
  }
  return groups.map(({ members, sum }) => ({
    keys: members.map(({ key }) => key),
    y: sum / members.length,
    outside: members.every(({ lineY }) => lineY < 0)
      ? "above"
      : members.every(({ lineY }) => lineY > space.paneHeightPx)
        ? "below"
        : null,
  }));
}

/** The space of fanned labels: rows of `heightPx` in columns, counted from the axis to the left. */
export interface FanSpace extends LabelSpace {
  readonly columnPx: number;
  /** The width that the columns may take. */
  readonly widthPx: number;
}

export interface FanPlace {
  readonly column: number;
  /** The vertical position of the label's center. */
  readonly y: number;
}

/**
 * The places of `count` labels that fan out around `y`, in as few columns as they fit into. If there is not enough space
 * for all, rows overlap evenly.
 */
export function fanOut(count: number, y: number, space: FanSpace): readonly FanPlace[] {
  const [low, high] = boundsOf(space);
  const heightPx = high - low + space.heightPx;
  const columnsMax = Math.max(1, Math.floor(space.widthPx / space.columnPx));
  const columns = Math.min(columnsMax, Math.ceil(count / Math.max(1, Math.floor(heightPx / space.heightPx))));
  const rows = Math.ceil(count / columns);
  const stepPx = rows > 1 ? Math.min(space.heightPx, (high - low) / (rows - 1)) : 0;
  const first = Math.min(Math.max(y - ((rows - 1) * stepPx) / 2, low), high - (rows - 1) * stepPx);
  return Array.from({ length: count }, (_, at) => ({
    column: Math.floor(at / rows),
    y: first + (at % rows) * stepPx,
  }));
}

/**
 * Chooses which prices the axis shows, so that none covers another: `taken` are positions that others already use.
 * Earlier items have precedence.
 */
export function apart<Item extends { readonly y: number }>(
  items: readonly Item[],
  taken: readonly number[],
  heightPx: number,
): readonly Item[] {
  const used = [...taken];
  return items.filter(({ y }) => {
    const isFree = used.every((other) => Math.abs(other - y) >= heightPx);
    if (isFree) used.push(y);
    return isFree;
  });
}
