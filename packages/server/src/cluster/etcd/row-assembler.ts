/**
 * Makes rows of what a watch delivers, and believes nothing: a revision may come twice, in pieces, or from a stranger.
 * Each batch came with its counter in one revision, and the counter's version numbers all batches without gaps.
 */
import type { LogRow } from "../../journal/port.ts";
import { decodeBatch } from "./batch-codec.ts";
import type { Counters } from "./counters.ts";
import { StoreUnfit } from "../port.ts";
import type { EpochKeys } from "./keys.ts";
import { numberOf, type KeyValue, type WatchEvent, type WatchResponse } from "./protocol.ts";

/** Rows were left out: this watch cannot be trusted, another one may deliver them. */
export class RowsMissing extends Error {
  override readonly name = "RowsMissing";
}

/** How far a node has got in the log. */
export interface Reached {
  /** The last row. */
  readonly number: number;
  readonly revision: number;
  /** The id of its batch; empty when it is not known. */
  readonly id: string;
  /** No row follows up to here: the row's own revision, or that of a later read of the store. */
  readonly seenRevision: number;
}

export class RowAssembler {
  readonly #epoch: string;
  readonly #keys: EpochKeys;
  readonly #counters: Counters;
  #reached: Reached;
  /** The events of a revision that is not complete yet. */
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

  /** A new watch begins: pieces of the one before are worth nothing. */
  restart(): void {
    this.#pieces = [];
  }

  /**
   * Yields the rows that are new. Throws `RowsMissing`, or `StoreUnfit` when no node can have written this: the rows that
   * it yielded before count all the same.
   */
  *take({ events, fragment }: WatchResponse): Generator<LogRow> {
    const pieces = [...this.#pieces, ...events];
    // The last revision of a piece may go on in the next one.
    this.#pieces = fragment ? pieces.splice(pieces.findLastIndex(({ kv }) => !isLast(kv, pieces)) + 1) : [];
    for (let at = 0; at < pieces.length; ) {
      const revision = numberOf(pieces[at]!.kv.modRevision);
      const group: WatchEvent[] = [];
      for (; at < pieces.length && numberOf(pieces[at]!.kv.modRevision) === revision; at++) group.push(pieces[at]!);
      if (revision <= this.#reached.seenRevision) this.#counters.duplicatesDropped++;
      else yield this.#rowOf(revision, group);
    }
  }

  /** The store was read, and has no rows after the last one up to `revision`. */
  seeUpTo(revision: number): void {
    this.#reached = { ...this.#reached, seenRevision: Math.max(this.#reached.seenRevision, revision) };
  }

  /** Adds a row that was read from the store instead. Throws as `take`. */
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

/** Whether it is of the same revision as the last event. */
function isLast({ modRevision }: KeyValue, events: readonly WatchEvent[]): boolean {
  return modRevision === events.at(-1)?.kv.modRevision;
}
