/**
 * Determines which figures of several seeds are outside of their bands: each seed's, or their mean if one week has few
 * events.
 */
import { type Figure, isJudged, isWithin } from "./figures.ts";
import * as of from "./statistics.ts";

export interface Judged {
  readonly row: Figure;
  /** The mean over the seeds. */
  readonly value: number;
  /** The values of the seeds. */
  readonly found: readonly number[];
  /** The number of values outside of the band. */
  readonly wrong: number;
}

/** `all` contains the same figures in the same order for each seed. */
export function judge(all: readonly (readonly Figure[])[]): Judged[] {
  return (all[0] ?? []).map((row, index) => {
    const found = all.map((figures) => figures[index]?.value ?? Number.NaN);
    const value = of.mean(found);
    const judged = row.isOfMean || row.missed !== undefined ? [value] : found;
    return { row, value, found, wrong: judged.filter((one) => !isWithin(row.band, one)).length };
  });
}

/** Contradictions to the bands as text: a figure outside of its band, and one listed as missed that is inside. */
export function contradictions(rows: readonly Judged[]): string[] {
  return rows.filter(({ row, wrong }) => isJudged(row) && wrong > 0 !== (row.missed !== undefined)).map(inWords);
}

function inWords({ row, value, found, wrong }: Judged): string {
  const said = `${row.name}: ${value.toFixed(3)} (${found.map((one) => one.toFixed(3)).join(" ")})`;
  return wrong > 0 ? said : `${said} lies in the band that it is said to miss`;
}
