/** Reads journal entries for operators and verifies the chain hashes of their rows on the way. */
import assert from "node:assert/strict";
import { type Command, decodeCommands, innerCommand } from "@pricetime/engine";
import {
  type Batch,
  type EntriesQuery,
  type EntryFilter,
  headAfter,
  JournalDamaged,
  type JournalEntries,
  type JournalEntry,
  type JournalHead,
  type JournalReader,
} from "../port.ts";
import type { DataPaths } from "./data-folder.ts";
import { openReader } from "./open-journal.ts";

/** Number of entries searched per request if there is a filter. */
const LOOKED_THROUGH = 20_000;
/** Replaces secrets, which are never shown, not even encrypted. */
const SEALED = "(sealed)";
/** Fields with encrypted secrets, listen keys, or hashes of secrets in email links. */
const SECRETS: ReadonlySet<string> = new Set([
  ...["sealedSecret", "totpSecret", "listenKey", "confirmationHash"],
  ...["sealedPassword", "was", "secretHash", "newSecretHash"],
]);

/**
 * Maximum size of the commands in a response, as JSON in characters. Commands with imported candles are long, and the
 * response passes through the thread that serves customers. At least one command is returned, regardless of its length.
 */
export const MAX_TOLD_CHARACTERS = 1 << 20;

/**
 * Returns at most `limit` entries starting with `from`, or the last ones before `before`. With a filter, searches
 * `lookedThrough` entries. Returns fewer if the entries are long, or if few of the searched ones match. Successive
 * pages, by `prior` and `next`, have no gaps and no duplicates. Throws `JournalUnreadable`.
 */
export function journalEntries(
  paths: Pick<DataPaths, "journal">,
  question: EntriesQuery,
  lookedThrough = LOOKED_THROUGH,
): JournalEntries {
  const reader = openReader(paths.journal);
  try {
    const { lastSeq } = reader.head();
    const span = spanOf(question, lastSeq, lookedThrough);
    const { found, isCut, ...read } = readSpan(reader, span, question);
    const entries = found.map(({ entry }) => entry);
    const looked = lookedOf(span, isCut, entries, read.toSeq);
    const nextSeq = span.isBackwards ? span.end : looked.toSeq + 1;
    const isNextRead = span.isBackwards || read.chain.isWhole;
    return {
      entries,
      lastSeq,
      prior: looked.fromSeq > 1 && lastSeq > 0 ? looked.fromSeq : null,
      next: isNextRead && nextSeq <= lastSeq ? nextSeq : null,
      looked,
      chain: read.chain,
    };
  } finally {
    reader.close();
  }
}

/**
 * The entries to search: those from `first` up to, but not including, `end`. Forwards, the first matches are returned;
 * backwards, the last.
 */
interface Span {
  readonly first: number;
  readonly end: number;
  readonly isBackwards: boolean;
}

function spanOf({ from, before, limit, only }: EntriesQuery, lastSeq: number, lookedThrough: number): Span {
  assert(from === undefined || before === undefined, "entries are asked for from one on or before one");
  const most = only === undefined ? limit : lookedThrough;
  const beyond = lastSeq + 1;
  if (from !== undefined) return { first: from, end: Math.min(beyond, from + most), isBackwards: false };
  const end = Math.min(beyond, before ?? beyond);
  return { first: Math.max(1, end - most), end, isBackwards: true };
}

interface Found {
  readonly entry: JournalEntry;
  /** The length of the entry's command as JSON. */
  readonly characters: number;
}

interface SpanRead {
  /** The entries to return. */
  readonly found: readonly Found[];
  /** Whether more entries matched than are returned. */
  readonly isCut: boolean;
  /** The last entry that was read. */
  readonly toSeq: number;
  readonly chain: JournalEntries["chain"];
}

/** Reads the rows of the span up to the first damaged one. Forwards, it reads no further than needed. */
function readSpan(reader: JournalReader, span: Span, { limit, only }: EntriesQuery): SpanRead {
  const { first, end, isBackwards } = span;
  const [row] = reader.read(first);
  const prior = row === undefined ? reader.head() : reader.headAt(row.firstSeq - 1);
  if (prior === undefined) {
    const chain = broken({ fromSeq: first, toSeq: first - 1 }, first, "its rows do not follow");
    return { found: [], isCut: false, toSeq: first - 1, chain };
  }
  const kept = isBackwards ? lastOf : firstOf;
  let head: JournalHead = prior;
  let found: readonly Found[] = [];
  let isCut = false;
  const told = (): Omit<SpanRead, "chain"> => ({ found, isCut, toSeq: head.lastSeq });
  const rows = { fromSeq: prior.lastSeq + 1, priorHash: prior.chainHash };
  try {
    for (const batch of first < end ? reader.after(prior) : []) {
      const all = [...found, ...foundIn(batch, span, only)];
      found = kept(all, limit);
      isCut ||= found.length < all.length;
      head = headAfter(batch);
      const isFull = isCut || found.length === limit;
      if (head.lastSeq + 1 >= end || (isFull && !isBackwards)) break;
    }
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return { ...told(), chain: broken({ ...rows, toSeq: head.lastSeq }, error.seq, error.message) };
  }
  return { ...told(), chain: { isWhole: true, ...rows, toSeq: head.lastSeq, hash: head.chainHash } };
}

/** The part of the span for which all matching entries are returned. */
function lookedOf(
  { first, end, isBackwards }: Span,
  isCut: boolean,
  entries: readonly JournalEntry[],
  readTo: number,
): JournalEntries["looked"] {
  const whole = { fromSeq: first, toSeq: Math.max(first, Math.min(end, readTo + 1)) - 1 };
  if (!isCut) return whole;
  return isBackwards
    ? { ...whole, fromSeq: entries[0]?.seq ?? first }
    : { ...whole, toSeq: entries.at(-1)?.seq ?? whole.toSeq };
}

/** The first entries, as many as fit one response. */
function firstOf(found: readonly Found[], limit: number): readonly Found[] {
  let sum = 0;
  const end = found.findIndex(({ characters }, n) => {
    sum += characters;
    return n >= limit || (n > 0 && sum > MAX_TOLD_CHARACTERS);
  });
  return end === -1 ? found : found.slice(0, end);
}

/** The last entries, as many as fit one response. */
function lastOf(found: readonly Found[], limit: number): readonly Found[] {
  return firstOf(found.toReversed(), limit).toReversed();
}

function broken<Chain extends object>(chain: Chain, seq: number, fault: string): Chain & JournalEntries["chain"] {
  return { priorHash: "", hash: "", fromSeq: seq, toSeq: seq, ...chain, isWhole: false, fault };
}

function foundIn({ firstSeq, count, timeMs, node, bytes }: Batch, span: Span, only: EntryFilter = {}): Found[] {
  let commands: Command[];
  try {
    commands = decodeCommands(bytes, count);
  } catch (error) {
    throw new JournalDamaged(firstSeq, (error as Error).message, { cause: error });
  }
  const wanted = Object.entries(only) as [keyof EntryFilter, unknown][];
  return commands.flatMap((command, n) => {
    const seq = firstSeq + n;
    if (seq < span.first || seq >= span.end) return [];
    const about = aboutOf(command);
    if (!wanted.every(([name, value]) => about[name] === value)) return [];
    const text = JSON.stringify(command, shown);
    const told = JSON.parse(text) as JournalEntry["command"];
    return [{ entry: { seq, timeMs, node, ...about, command: told }, characters: text.length }];
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
