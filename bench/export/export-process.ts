/**
 * One side of the benchmark in a process of its own. argv: the data folder, the target, what to write, and the format;
 * `replay` is the baseline, which writes nothing. Prints its cost as JSON.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { dataPaths, extract, EMPTY_HEAD, JournalFile, replayBatch } from "@pricetime/server/data-folder";
import { MACHINE } from "@pricetime/server/parts";
import { Engine } from "@pricetime/engine";

const [data = "", to = "", what = "", format = "csv", by = "level"] = process.argv.slice(2);
const reader = JournalFile.openReadOnly(dataPaths(data).journal);
const before = process.cpuUsage();
const rows = what === "replay" ? replay() : write();
const { user, system } = process.cpuUsage(before);
reader.close();
const bytes = readdirSync(to).reduce((sum, name) => sum + statSync(join(to, name)).size, 0);
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ rows, cpuSeconds: (user + system) / 1e6, bytes, peakBytes }));

function replay(): number {
  const engine = new Engine();
  for (const batch of reader.after(EMPTY_HEAD)) replayBatch(engine, batch);
  return engine.seq;
}

function write(): number {
  const request = {
    ...{ subject: what as "orders", symbols: what === "ledger" ? [] : ["BTCUSDT"], fromMs: 0 },
    ...{ toMs: Number.POSITIVE_INFINITY, format: format as "csv", by: by as "level", interval: "1m" as const },
    ...{ layout: "full" as const, levels: 10, withAccounts: false, toFolder: to, overwrite: false },
  };
  return extract(reader, request, { dice: MACHINE }).rows;
}
