/** Which figures of several seeds lie out of their bands: each seed's, or their mean where one week has few events. */
import { type Figure, isJudged, isWithin } from "./figures.ts";
import * as of from "./statistics.ts";

export interface Judged {
  readonly row: Figure;
  /** The mean over the seeds. */
  readonly value: number;
  /** What was found with each seed. */
  readonly found: readonly number[];
  /** How often it lies out of its band. */
  readonly wrong: number;
}

/** `all`: the same figures, in the same order, of each seed. */
export function judge(all: readonly (readonly Figure[])[]): Judged[] {
  return (all[0] ?? []).map((row, index) => {
    const found = all.map((figures) => figures[index]?.value ?? Number.NaN);
    const value = of.mean(found);
    const judged = row.isOfMean || row.missed !== undefined ? [value] : found;
    return { row, value, found, wrong: judged.filter((one) => !isWithin(row.band, one)).length };
  });
}

/** What contradicts the figures' bands, in words: a figure out of its band, and one that is said to be and is not. */
export function contradictions(rows: readonly Judged[]): string[] {
  return rows.filter(({ row, wrong }) => isJudged(row) && wrong > 0 !== (row.missed !== undefined)).map(inWords);
}

function inWords({ row, value, found, wrong }: Judged): string {
  const said = `${row.name}: ${value.toFixed(3)} (${found.map((one) => one.toFixed(3)).join(" ")})`;
  return wrong > 0 ? said : `${said} lies in the band that it is said to miss`;
}
