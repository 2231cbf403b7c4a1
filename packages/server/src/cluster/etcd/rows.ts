/**
 * Batches of the shared log in the store: their encoding, reading them from a watch or from the store itself, and the
 * check that the store was not restored from a backup.
 */
import { type LogPlace, type LogRow, LogTrimmed, type LooseBatch } from "../../journal/port.ts";
import { CallFailed, type Counters } from "./endpoint.ts";
import { StoreUnfit } from "../port.ts";
import type { EpochKeys, OpenEpoch } from "./epoch.ts";
import {
  type KeyValue,
  numberOf,
  type RangeRequest,
  type RangeResponse,
  type TxnResponse,
  type WatchEvent,
  type WatchResponse,
} from "./protocol.ts";
import type { Members } from "./members.ts";

// The encoding of a batch in the store: version (1 byte), time (float64, little-endian), count (uint32), length of the
// node's name (1 byte), the name, and the commands. The batch's id is its key.

const VERSION = 1;
const HEAD_BYTES = 14;

/** Encodes a batch. Throws if the node's name is longer than 255 bytes. */
export function encodeBatch({ timeMs, count, node, bytes }: LooseBatch): Buffer {
  const nodeBytes = Buffer.byteLength(node);
  const value = Buffer.allocUnsafe(HEAD_BYTES + nodeBytes + bytes.length);
  value.writeUInt8(VERSION, 0);
  value.writeDoubleLE(timeMs, 1);
  value.writeUInt32LE(count, 9);
  value.writeUInt8(nodeBytes, 13);
  value.write(node, HEAD_BYTES);
  value.set(bytes, HEAD_BYTES + nodeBytes);
  return value;
}

/** Returns undefined if the value is not a batch. */
function decodeBatch(id: string, value: Buffer): LooseBatch | undefined {
  if (value.length < HEAD_BYTES || value[0] !== VERSION) return undefined;
  const bodyAt = HEAD_BYTES + value.readUInt8(13);
  if (value.length < bodyAt) return undefined;
  return {
    id,
    timeMs: value.readDoubleLE(1),
    count: value.readUInt32LE(9),
    node: value.toString("utf8", HEAD_BYTES, bodyAt),
    bytes: value.subarray(bodyAt),
  };
}

// Converts the events of a watch to batches, with all checks: a revision may be delivered twice or in parts, or be
// written by another program. Each batch has one revision that also updates the counter, and the counter's version
// numbers all batches without gaps.

/** Batches are missing. This watch cannot be trusted, but another one may deliver them. */
export class RowsMissing extends Error {
  override readonly name = "RowsMissing";
}

/** The position that a node has reached in the log. */
export interface Reached {
  /** The number of the last batch. */
  readonly number: number;
  readonly revision: number;
  /** The id of the last batch; empty if unknown. */
  readonly id: string;
  /** The revision up to which there are no further batches: that of the last batch, or of a later read of the store. */
  readonly seenRevision: number;
}

export class RowAssembler {
  readonly #epoch: string;
  readonly #keys: EpochKeys;
  readonly #counters: Counters;
  #reached: Reached;
  /** Events of a revision that has not arrived completely. */
  #pieces: WatchEvent[] = [];

  constructor(epoch: string, keys: EpochKeys, reached: Reached, counters: Counters) {
    this.#epoch = epoch;
    this.#keys = keys;
    this.#reached = reached;
    this.#counters = counters;
  }

  get reached(): Reached {
    return this.#reached;
  }

  /** Discards incomplete revisions, because a new watch starts. */
  restart(): void {
    this.#pieces = [];
  }

  /**
   * Yields new batches. Throws `RowsMissing`, or `StoreUnfit` if no node can have written the events. Batches yielded
   * before the error are valid.
   */
  *take({ events, fragment }: WatchResponse): Generator<LogRow> {
    const pieces = [...this.#pieces, ...events];
    // The last revision of a fragment may continue in the next one.
    this.#pieces = fragment ? pieces.splice(pieces.findLastIndex(({ kv }) => !isLast(kv, pieces)) + 1) : [];
    for (let at = 0; at < pieces.length; ) {
      const revision = numberOf(pieces[at]!.kv.modRevision);
      const group: WatchEvent[] = [];
      for (; at < pieces.length && numberOf(pieces[at]!.kv.modRevision) === revision; at++) group.push(pieces[at]!);
      if (revision <= this.#reached.seenRevision) this.#counters.duplicatesDropped++;
      else yield this.#rowOf(revision, group);
    }
  }

  /** Records that the store was read up to `revision` and has no later batches. */
  seeUpTo(revision: number): void {
    this.#reached = { ...this.#reached, seenRevision: Math.max(this.#reached.seenRevision, revision) };
  }

  /** Adds a batch that was read from the store. Throws the same errors as `take`. */
  add(number: number, batch: KeyValue): LogRow {
    return this.#row(number, numberOf(batch.modRevision), this.#keys.idOf(batch.key), batch);
  }

  #rowOf(revision: number, group: readonly WatchEvent[]): LogRow {
    const stranger = (): never => {
      const keys = group.map(({ type, kv }) => `${type} ${kv.key.toString("utf8")}`).join(", ");
      throw new StoreUnfit(`another program writes to the nodes' keys in etcd: revision ${revision} has ${keys}`);
    };
    const [one, other] = group;
    if (group.length !== 2 || one?.type !== "PUT" || other?.type !== "PUT") return stranger();
    const [batch, counter] = other.kv.key.equals(this.#keys.counter) ? [one.kv, other.kv] : [other.kv, one.kv];
    const id = this.#keys.idOf(batch.key);
    if (!counter.key.equals(this.#keys.counter) || id === undefined) return stranger();
    if (batch.version !== "1" || counter.value.toString("utf8") !== id) return stranger();
    return this.#row(numberOf(counter.version), revision, id, batch);
  }

  #row(number: number, revision: number, id: string | undefined, { value }: KeyValue): LogRow {
    const { number: last } = this.#reached;
    const batch = id === undefined ? undefined : decodeBatch(id, value);
    if (batch === undefined) throw new StoreUnfit(`revision ${revision} of etcd has a batch that no node wrote`);
    if (number !== last + 1) throw new RowsMissing(`batch ${number} of the shared log followed batch ${last}`);
    this.#reached = { number, revision, id: batch.id, seenRevision: revision };
    return { ...batch, place: { epoch: this.#epoch, number, revision } };
  }
}

/** Whether the key has the same revision as the last event. */
function isLast({ modRevision }: KeyValue, events: readonly WatchEvent[]): boolean {
  return modRevision === events.at(-1)?.kv.modRevision;
}

// Detects a store that was restored from a backup. Such a store keeps its ids but loses changes.

export type PlaceCheck = "compacted" | { readonly clusterId: string; readonly lastNumber: number };

/**
 * Reads the store linearizably, and compares its state just after the batch that the node has reached. Returns
 * "compacted" if the store no longer has that state. Throws `StoreUnfit` if that state differs or does not exist.
 */
export async function checkPlace(members: Members, epoch: OpenEpoch, reached: Reached): Promise<PlaceCheck> {
  const { keys, record } = epoch;
  const now = { range: { key: keys.counter } };
  const then = { range: { key: keys.counter, revision: reached.seenRevision } };
  let answer: TxnResponse;
  try {
    answer = await members.call("KV/Txn", {
      compare: [{ result: "EQUAL", target: "MOD", key: epoch.key, modRevision: epoch.revision }],
      success: [now, then],
    });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.message.includes("future revision"))
      throw new StoreUnfit(wentBack(`its revision is below ${reached.seenRevision}`), { cause: error });
    if (error.message.includes("has been compacted")) return "compacted";
    throw error;
  }
  if (!answer.succeeded) throw new StoreUnfit(`etcd no longer has epoch ${record.epoch}`);
  const [counter, past] = answer.responses.map(({ range }) => counterOf(range));
  const isSame =
    past !== undefined &&
    past.number === reached.number &&
    (reached.id === "" || past.id === reached.id) &&
    (past.number === 0 || past.revision === reached.revision);
  if (!isSame) throw new StoreUnfit(wentBack(`batch ${reached.number} is not the one that this node received`));
  const lastNumber = counter?.number ?? 0;
  if (lastNumber < reached.number) throw new StoreUnfit(wentBack(`its log ends with batch ${lastNumber}`));
  return { clusterId: answer.header.clusterId, lastNumber };
}

export const wentBack = (how: string): string => `etcd was restored or replaced: ${how}`;

function counterOf(range: RangeResponse | undefined): Omit<Reached, "seenRevision"> {
  const kv = range?.kvs[0];
  if (kv === undefined) return { number: 0, revision: 0, id: "" };
  return { number: numberOf(kv.version), revision: numberOf(kv.modRevision), id: kv.value.toString("utf8") };
}

// Reads the batches after a position from the store itself. Used by a node whose position was compacted while the
// batches still exist. Their numbers follow from the counter, provided that no batch is missing.

/** Number of batches read per call. */
const PAGE = 32;

export interface StoredRows {
  /** Once all of `pages` were read, the batches are complete up to this revision, and a watch may start after it. */
  readonly revision: number;
  /** All batches in order, as of one instant. Throws `LogTrimmed` if some are removed meanwhile. */
  readonly pages: AsyncIterable<readonly StoredRow[]>;
}

export interface StoredRow {
  readonly number: number;
  readonly batch: KeyValue;
}

/** Reads the batches after `reached` from the store. Throws `LogTrimmed` if some of them were removed. */
export async function readStoredRows(members: Members, epoch: OpenEpoch, reached: Reached): Promise<StoredRows> {
  const { keys } = epoch;
  const trimmed = (): LogTrimmed =>
    new LogTrimmed(`the log does not hold the rows after row ${reached.number} any more: this node needs a backup`);
  const list: RangeRequest = {
    ...keys.batches,
    ...{ keysOnly: true, sortOrder: "ASCEND", sortTarget: "MOD", minModRevision: reached.revision + 1 },
  };
  const answer = await members.call("KV/Txn", {
    compare: [],
    success: [{ range: { key: keys.counter } }, { range: list }],
  });
  const [counter, batches] = answer.responses.map(({ range }) => range?.kvs ?? []);
  const last = counter?.[0] === undefined ? 0 : numberOf(counter[0].version);
  const lastId = counter?.[0]?.value.toString("utf8");
  const isAnother = last === reached.number && reached.id !== "" && lastId !== reached.id;
  if (last < reached.number || isAnother) throw new StoreUnfit(wentBack(`its log ends with batch ${last}, ${lastId}`));
  if (batches === undefined || batches.length !== last - reached.number) throw trimmed();
  return { revision: numberOf(answer.header.revision), pages: pagesOf(members, batches, reached.number, trimmed) };
}

async function* pagesOf(
  members: Members,
  batches: readonly KeyValue[],
  before: number,
  trimmed: () => LogTrimmed,
): AsyncGenerator<StoredRow[]> {
  for (let at = 0; at < batches.length; at += PAGE) {
    const success = batches.slice(at, at + PAGE).map(({ key }) => ({ range: { key } }));
    const { responses } = await members.call("KV/Txn", { compare: [], success });
    yield responses.map(({ range }, i) => {
      const batch = range?.kvs[0];
      if (batch === undefined) throw trimmed();
      return { number: before + at + i + 1, batch };
    });
  }
}

/**
 * Whether the batch is at this position. Returns undefined if the store has compacted the position. `place` must be in
 * the epoch of the keys.
 */
export async function isRowAt(
  members: Members,
  { counter: key }: Pick<EpochKeys, "counter">,
  { number, revision }: LogPlace,
  id: string,
): Promise<boolean | undefined> {
  const isIt = (counter: KeyValue | undefined): boolean =>
    counter !== undefined &&
    numberOf(counter.version) === number &&
    numberOf(counter.modRevision) === revision &&
    counter.value.toString("utf8") === id;
  const { kvs: now } = await members.call("KV/Range", { key });
  if (now[0] === undefined || numberOf(now[0].modRevision) <= revision) return isIt(now[0]);
  try {
    const { kvs: then } = await members.call("KV/Range", { key, revision });
    return isIt(then[0]);
  } catch (error) {
    if (error instanceof CallFailed && error.message.includes("has been compacted")) return undefined;
    throw error;
  }
}
