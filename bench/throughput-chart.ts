/** Draws `throughput.svg` from the table in RESULTS.md. `npm run throughput-chart` writes it; a test compares it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const CHART = join(import.meta.dirname, "throughput.svg");
const RESULTS = join(import.meta.dirname, "RESULTS.md");

interface Bar {
  readonly label: string;
  readonly ratio: number;
}

const [WIDTH, LABEL_WIDTH, FIGURE_WIDTH, ROW_HEIGHT, TOP] = [860, 330, 60, 24, 40];
/** The axis is logarithmic: twice as fast and half as fast are equally far from the baseline. */
const MARKS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32];
const LEAST = MARKS[0] as number;
const MOST = MARKS.at(-1) as number;

export const throughputChart = (): string => chartOf(barsOf(readFileSync(RESULTS, "utf8")));

/** The rows of the section "Throughput": the label, and the ratio in the fourth column. */
export function barsOf(markdown: string): Bar[] {
  const section = /^## Throughput\n([\s\S]*?)(?=^## )/m.exec(markdown)?.[1] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => {
    const [, label = "", , , ratio = ""] = row.split("|").map((cell) => cell.trim());
    assert.ok(Number(ratio) >= LEAST && Number(ratio) <= MOST, `the ratio of this row is not on the chart: ${row}`);
    return { label: label.replaceAll("`", ""), ratio: Number(ratio) };
  });
}

export function chartOf(bars: readonly Bar[]): string {
  assert.ok(bars.length > 0, "there is no table to draw");
  const bottom = TOP + bars.length * ROW_HEIGHT;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 16}" font-family="sans-serif" font-size="13">`,
    "<title>Throughput as a ratio to each baseline</title>",
    `<rect width="${WIDTH}" height="${bottom + 16}" fill="#fff"/>`,
    ...MARKS.map((mark) => scaleMark(mark, bottom)),
    ...bars.map(({ label, ratio }, at) => bar(label, ratio, TOP + at * ROW_HEIGHT)),
    "</svg>",
  ].join("\n")}\n`;
}

function scaleMark(mark: number, bottom: number): string {
  const x = xOf(mark);
  const line = `<path d="M${x} ${TOP - 8}V${bottom}" stroke="${mark === 1 ? "#333" : "#ddd"}"/>`;
  const text = mark === 1 ? "baseline" : `${mark} x`;
  return `${line}<text x="${x}" y="${TOP - 16}" text-anchor="middle" fill="#555">${text}</text>`;
}

function bar(label: string, ratio: number, top: number): string {
  const [from, to] = [xOf(Math.min(ratio, 1)), xOf(Math.max(ratio, 1))];
  const middle = top + ROW_HEIGHT / 2 + 4;
  return [
    `<text x="${LABEL_WIDTH - 10}" y="${middle}" text-anchor="end" fill="#222">${escaped(label)}</text>`,
    `<rect x="${from}" y="${top + 4}" width="${round(to - from)}" height="${ROW_HEIGHT - 8}" fill="${ratio < 1 ? "#e0a030" : "#3078c0"}"/>`,
    `<text x="${WIDTH - 8}" y="${middle}" text-anchor="end" font-weight="bold" fill="#222">${ratio.toFixed(2)}</text>`,
  ].join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function xOf(ratio: number): number {
  const share = Math.log(ratio / LEAST) / Math.log(MOST / LEAST);
  return round(LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - FIGURE_WIDTH));
}

if (import.meta.main) writeFileSync(CHART, throughputChart());
