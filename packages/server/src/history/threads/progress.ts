/**
 * The positions of the serving replica and of history, in memory shared by both threads, so that a batch can be
 * reported to the projector without a message.
 */

const PUBLISHED = 0;
const PROJECTED = 1;

const SIGNAL = 0;
const STOPPING = 1;
const AWAITED = 2;

const POSITIONS_BYTES = 2 * BigInt64Array.BYTES_PER_ELEMENT;
const FLAGS_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

export class Progress {
  readonly memory: SharedArrayBuffer;
  readonly #positions: BigInt64Array<SharedArrayBuffer>;
  readonly #flags: Int32Array<SharedArrayBuffer>;

  constructor(memory = new SharedArrayBuffer(POSITIONS_BYTES + FLAGS_BYTES)) {
    this.memory = memory;
    this.#positions = new BigInt64Array(memory, 0, 2);
    this.#flags = new Int32Array(memory, POSITIONS_BYTES, 3);
  }

  /** The last entry that the serving replica has applied. */
  get publishedSeq(): number {
    return Number(Atomics.load(this.#positions, PUBLISHED));
  }
  /**
   * Publishes an entry. The projector polls every few milliseconds; a query that waits for history wakes it earlier.
   */
  publish(seq: number): void {
    Atomics.store(this.#positions, PUBLISHED, BigInt(seq));
    if (this.isAwaited) this.#signal();
  }

  /** The last entry that history includes. */
  get projectedSeq(): number {
    return Number(Atomics.load(this.#positions, PROJECTED));
  }
  project(seq: number): void {
    Atomics.store(this.#positions, PROJECTED, BigInt(seq));
  }

  /** Whether the projector must process the published entries and then exit. */
  get isStopping(): boolean {
    return Atomics.load(this.#flags, STOPPING) === 1;
  }
  stop(): void {
    Atomics.store(this.#flags, STOPPING, 1);
    this.#signal();
  }

  /** Whether a query is waiting for history. The projector then reports each step. */
  get isAwaited(): boolean {
    return Atomics.load(this.#flags, AWAITED) === 1;
  }
  setAwaited(awaited: boolean): void {
    Atomics.store(this.#flags, AWAITED, awaited ? 1 : 0);
    if (awaited) this.#signal();
  }

  get signals(): number {
    return Atomics.load(this.#flags, SIGNAL);
  }
  /** Blocks this thread until a signal is sent after signal number `seen`, or until the timeout. */
  waitForSignal(seen: number, timeoutMs: number): void {
    Atomics.wait(this.#flags, SIGNAL, seen, timeoutMs);
  }

  #signal(): void {
    Atomics.add(this.#flags, SIGNAL, 1);
    Atomics.notify(this.#flags, SIGNAL);
  }
}
