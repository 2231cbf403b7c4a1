/** Entries of the journal for people to read, with the chain of the rows that hold them recomputed on the way. */
import { type Command, decodeCommands, innerCommand } from "@pricetime/engine";
import { type Batch, type JournalHead, JournalDamaged } from "../../journal/port.ts";
import type { DataPaths } from "../../storage/data-paths.ts";
import { openReader } from "../../storage/open-journal.ts";
import { AUDIT_LIMITS } from "./limits.ts";
import type { EntriesQuestion, EntryFilter, JournalEntries, JournalEntry } from "./port.ts";

/** What stands for a secret, which nobody is shown, not even sealed. */
const SEALED = "(sealed)";
/** Fields that hold secrets, sealed, or what opens a stream of an account or comes from the link in a letter. */
const SECRETS: ReadonlySet<string> = new Set([
  ...["sealedSecret", "totpSecret", "listenKey", "confirmationHash"],
  ...["sealedPassword", "was", "secretHash", "newSecretHash"],
]);

/**
 * The commands of one answer, as JSON: recorded candles make commands long, and the thread that serves customers passes the
 * answer on. One command is told whatever its length.
 */
export const MAX_TOLD_CHARACTERS = 1 << 20;

/**
 * At most `limit` entries from `from` on; from the newest backwards when it is undefined. Fewer where they are long, and
 * where few of those that are looked through are wanted. Throws `JournalUnreadable`.
 */
export function journalEntries(
  paths: Pick<DataPaths, "journal">,
  { from, limit, only }: EntriesQuestion,
): JournalEntries {
  const reader = openReader(paths.journal);
  try {
    const { lastSeq } = reader.head();
    const mostSeen = only === undefined ? limit : AUDIT_LIMITS.lookedThrough;
    const first = Math.max(1, from ?? lastSeq - mostSeen + 1);
    const entries: JournalEntry[] = [];
    const [row] = reader.read(first);
    const prior = row === undefined ? reader.head() : reader.headAt(row.firstSeq - 1);
    const chain = { isWhole: true, fromSeq: first, toSeq: first - 1 };
    if (prior === undefined)
      return { entries, lastSeq, next: null, chain: broken(chain, first, "its rows do not follow") };
    let head: JournalHead = prior;
    try {
      for (const batch of reader.after(prior)) {
        if (batch.firstSeq - first >= mostSeen) break;
        entries.push(...entriesOf(batch, only).filter(({ seq }) => seq >= first));
        head = { lastSeq: batch.firstSeq + batch.count - 1, lastTimeMs: batch.timeMs, chainHash: batch.chainHash };
        if (from !== undefined && entries.length >= limit) break;
      }
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      const read = { ...chain, fromSeq: prior.lastSeq + 1, toSeq: head.lastSeq, priorHash: prior.chainHash };
      const before = firstOf(entries.slice(0, limit));
      const isCut = before.length < Math.min(entries.length, limit);
      const next = isCut ? (before.at(-1)?.seq ?? 0) + 1 : null;
      return { entries: before, lastSeq, next, chain: broken(read, error.seq, error.message) };
    }
    const told =
      from === undefined ? firstOf(entries.slice(-limit).toReversed()).toReversed() : firstOf(entries.slice(0, limit));
    const isCut = from !== undefined && told.length < entries.length;
    const next = (isCut ? (told.at(-1)?.seq ?? head.lastSeq) : head.lastSeq) + 1;
    const hashes = { priorHash: prior.chainHash, hash: head.chainHash };
    return {
      entries: told,
      lastSeq,
      next: next > lastSeq ? null : next,
      chain: { isWhole: true, fromSeq: prior.lastSeq + 1, toSeq: head.lastSeq, ...hashes },
    };
  } finally {
    reader.close();
  }
}

/** As many as one answer tells. */
function firstOf(entries: readonly JournalEntry[]): JournalEntry[] {
  let characters = 0;
  const end = entries.findIndex(({ command }, n) => {
    characters += JSON.stringify(command).length;
    return n > 0 && characters > MAX_TOLD_CHARACTERS;
  });
  return entries.slice(0, end === -1 ? entries.length : end);
}

function broken<Chain extends object>(chain: Chain, seq: number, fault: string): Chain & JournalEntries["chain"] {
  return { priorHash: "", hash: "", fromSeq: seq, toSeq: seq, ...chain, isWhole: false, fault };
}

function entriesOf({ firstSeq, count, timeMs, node, bytes }: Batch, only: EntryFilter = {}): JournalEntry[] {
  let commands: Command[];
  try {
    commands = decodeCommands(bytes, count);
  } catch (error) {
    throw new JournalDamaged(firstSeq, (error as Error).message, { cause: error });
  }
  const wanted = Object.entries(only) as [keyof EntryFilter, unknown][];
  return commands.flatMap((command, n) => {
    const about = aboutOf(command);
    if (!wanted.every(([name, value]) => about[name] === value)) return [];
    const told = JSON.parse(JSON.stringify(command, shown)) as JournalEntry["command"];
    return [{ seq: firstSeq + n, timeMs, node, ...about, command: told }];
  });
}

function aboutOf(command: Command): Required<EntryFilter> {
  const inner = innerCommand(command) as { readonly type: string } & Partial<Record<keyof EntryFilter, unknown>>;
  const { type, by, accountId, symbolId } = inner;
  return {
    type,
    by: typeof by === "string" ? by : null,
    accountId: typeof accountId === "number" ? accountId : null,
    symbolId: typeof symbolId === "number" ? symbolId : null,
  };
}

function shown(key: string, value: unknown): unknown {
  if (SECRETS.has(key) && value !== null) return SEALED;
  return typeof value === "bigint" ? String(value) : value;
}
