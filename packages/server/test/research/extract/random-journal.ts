/** A random journal in memory, replayed entry by entry; with icebergs, stops, lists and replacements. */
import {
  type Command,
  DAY_MS,
  encodeCommands,
  Engine,
  type EngineView,
  type Entry,
  type Event,
  type PlaceOrder,
} from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { batchesOf, randomFlow, START_MS } from "@pricetime/testkit/journal";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { EMPTY_HEAD, type JournalReader } from "../../../src/journal/port.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";

export const SYMBOLS = ["BTCUSDT", "WIDEUSDT"] as const;

export async function randomJournal(seed: number, commands: number): Promise<JournalReader> {
  const journal = new MemoryJournal();
  for (const batch of batchesOf(seed, randomFlow(seed, commands))) await journal.append(batch);
  return journal.reader();
}

/** A bid below the market of the random flow. */
const TERMS = { priceTicks: 3_900_000, quantityLots: 5, clientOrderId: "one" };
export const ORDER: PlaceOrder = placeOrder({ accountId: 100, side: "BUY", ...TERMS });

/** A journal of batches, a day apart; one without commands is a tick. */
export async function journalOf(batches: readonly (readonly Command[])[]): Promise<JournalReader> {
  const journal = new MemoryJournal();
  const engine = new Engine();
  for (const [day, batch] of batches.entries()) {
    const commands: readonly Command[] = batch.length === 0 ? [{ type: "tick" }] : batch;
    const timeMs = START_MS + day * DAY_MS;
    const place = { firstSeq: engine.seq + 1, count: commands.length, timeMs, node: "n1" };
    await journal.append({ ...place, bytes: encodeCommands(commands), priorEventDigest: engine.eventDigest() });
    for (const command of commands) engine.apply({ seq: engine.seq + 1, timeMs, command });
  }
  return journal.reader();
}

/** What a separate replay sees, for comparison. Returns the engine at the end. */
export function replayed(
  journal: JournalReader,
  visit: (entry: Entry, events: readonly Event[], engine: EngineView) => void,
  engine = new Engine(),
): Engine {
  for (const batch of journal.after(EMPTY_HEAD)) replayBatch(engine, batch, visit);
  return engine;
}
