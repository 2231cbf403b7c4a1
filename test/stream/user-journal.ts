/** What each account was to be told, made again from the journal alone, by the program's own parts. */
import { Engine, type Entry, type Event } from "@pricetime/engine";
import { MACHINE, type Publisher, UserStreams } from "@pricetime/server/parts";
import { dataPaths, JournalFile, replayBatch } from "@pricetime/server/data-folder";
import type { Message } from "./user-ear.ts";

const nobody: Publisher = { hasSubscribers: () => false, publish: () => {}, end: () => {} };

/** Messages by mail address, from the opening of each account. The program that writes the journal must be gone. */
export function toldByJournal(dataFolder: string): Map<string, Message[]> {
  const engine = new Engine();
  const streams = new UserStreams({ engine, publisher: nobody, nowMs: () => engine.timeMs, timers: MACHINE });
  const told = new Map<string, Message[]>();
  const journal = JournalFile.open(dataPaths(dataFolder).journal);
  const visit = (_: Entry, events: readonly Event[]): void => {
    for (const event of events) {
      if (event.type !== "accountOpened") continue;
      const messages: Message[] = [];
      told.set(engine.account(event.accountId)?.email ?? "", messages);
      streams.subscribe(event.accountId, (text) => messages.push(JSON.parse(text) as Message));
    }
    streams.applied(events);
  };
  try {
    for (const batch of journal.read(1)) replayBatch(engine, batch, visit);
  } finally {
    journal.close();
  }
  return told;
}
