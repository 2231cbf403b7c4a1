/** Pages that the program or an example writes to a file: the report of a scenario, and the study of a market. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startExchange } from "@pricetime/lab";
import { PRICETIME, ROOT } from "@pricetime/testkit/venue";
import { PYTHON } from "../tools.ts";

const MAKER = ["node", join(ROOT, "examples/scenarios/market-maker.mjs"), "--every", "5000"];
const STUDY = join(ROOT, "examples/study/market_page.py");
const STUDIED_MS = 10 * 60_000;
export const STUDIED = "BTCUSDT";

const run = promisify(execFile);
const pricetime = (...args: readonly string[]) => run(process.execPath, [...PRICETIME, ...args], { cwd: ROOT });

/** Runs a scenario with the market maker. Writes `report.html` and `report.json` to the folder. */
export async function playInto(folder: string, scenario: string): Promise<string> {
  await pricetime("lab", "run-scenario", scenario, "--report", folder, "--", ...MAKER);
  return join(folder, "report.html");
}

/** Exports ten minutes of the demo's market, and draws them. */
export async function studyInto(folder: string): Promise<string> {
  const [data, extract, page] = ["data", "extract", "market.html"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const exchange = await startExchange({ bots: "on", seed: 3, symbols: [STUDIED], data });
  await exchange.clock.advance(STUDIED_MS);
  await exchange.stop();
  for (const what of ["trades", "book"])
    await pricetime("export", what, "--symbol", STUDIED, "--data", data, "--to-folder", extract);
  await run(PYTHON, [STUDY, extract, STUDIED, page]);
  assert.ok(existsSync(page));
  return page;
}
