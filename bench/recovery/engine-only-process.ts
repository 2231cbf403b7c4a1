/**
 * The baseline: the engine alone on the commands of a journal, which are in memory. argv: the folder. Prints the rate.
 */
import { type Command, decodeCommands, Engine, type Entry } from "@pricetime/engine";
import { dataPaths, JournalFile } from "@pricetime/server/data-folder";

const [folder = ""] = process.argv.slice(2);
const journal = JournalFile.openReadOnly(dataPaths(folder).journal);
const entries: Entry[] = [];
for (const { bytes, count, timeMs } of journal.read(1)) {
  const commands: readonly Command[] = decodeCommands(bytes, count);
  for (const command of commands) entries.push({ seq: entries.length + 1, timeMs, command });
}
journal.close();
const engine = new Engine();
const started = performance.now();
for (const entry of entries) engine.apply(entry);
const perSecond = (entries.length / (performance.now() - started)) * 1000;
console.log(JSON.stringify({ perSecond, seq: engine.seq, hash: engine.eventDigest() }));
