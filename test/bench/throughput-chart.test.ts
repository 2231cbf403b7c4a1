import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { barsOf, CHART, chartOf, throughputChart } from "../../bench/throughput-chart.ts";

test("the chart of throughput shows the table of RESULTS.md: else `npm run throughput-chart`", () => {
  assert.equal(readFileSync(CHART, "utf8"), throughputChart());
});

test("the chart has a bar for each row, longer to the right for a greater ratio", () => {
  const head = "## Throughput\n\n| what | Pricetime | baseline | ratio | command |\n|---|---|---|---|---|\n";
  const bars = barsOf(`${head}| a \`ws\` | 1 | 2 | 2.00 | x |\n| b | 1 | 2 | 0.50 | x |\n\n## Delay\n\n| c | 1 |\n`);
  assert.deepEqual(bars, [
    { label: "a ws", ratio: 2 },
    { label: "b", ratio: 0.5 },
  ]);
  const [faster = [], slower = []] = [...chartOf(bars).matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(
    ([, x, width]) => [Number(x), Number(width)],
  );
  assert.ok(Math.abs((faster[1] ?? 0) - (slower[1] ?? 0)) < 0.2, "twice and half are equally far from the baseline");
  assert.ok(Math.abs((slower[0] ?? 0) + (slower[1] ?? 0) - (faster[0] ?? 0)) < 0.2, "both begin at the baseline");
  assert.throws(() => barsOf(`${head}| a | 1 | 2 | soon | x |\n\n## Delay\n`), /not on the chart/);
  assert.throws(() => chartOf([]), /no table/);
});
