/** One WebSocket for all streams: counted subscriptions, and a connection that is restored automatically. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Connection } from "../market/port.ts";
import { WIRE } from "../words/words.ts";
import { waitBefore } from "./pacing.ts";
import type { World } from "./world.ts";

// The listeners of each stream, and the requests that make the node send exactly the streams with listeners.

interface Listener {
  message(data: unknown): void;
  /** The stream is on: nothing that happens from now on is missed. Again after each lost connection. */
  opened?(): void;
  /** The connection is gone, and what happens meanwhile is missed. */
  lost?(): void;
  /** The node has no such stream. */
  refused?(why: string): void;
}

interface Stream {
  readonly name: string;
  readonly listeners: Set<Listener>;
  state: "off" | "asked" | "on" | "refused";
  /** It was asked for among others, of which one was refused: it is asked for alone. */
  isAlone: boolean;
}

interface Control {
  readonly method: "SUBSCRIBE" | "UNSUBSCRIBE";
  readonly params: readonly string[];
  readonly id: number;
}

/** Streams that are asked for in one message. */
const MOST_AT_ONCE = 100;

class Subscriptions {
  readonly #streams = new Map<string, Stream>();
  readonly #asked = new Map<number, readonly Stream[]>();
  readonly #changed: () => void;
  #isTelling = false;
  #lastId = 0;

  /** `changed` is called when there may be something to send; the calls of one turn are one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  add(name: string, listener: Listener): () => void {
    const stream = this.#streams.get(name) ?? { name, listeners: new Set(), state: "off", isAlone: false };
    this.#streams.set(name, stream);
    stream.listeners.add(listener);
    if (stream.state === "on") {
      queueMicrotask(() => stream.state === "on" && stream.listeners.has(listener) && listener.opened?.());
    }
    this.#tellChanged();
    return () => {
      if (stream.listeners.delete(listener) && stream.listeners.size === 0) this.#left(stream);
    };
  }

  #left(stream: Stream): void {
    const isUseless = stream.state === "off" || stream.state === "refused";
    if (isUseless && this.#streams.get(stream.name) === stream) this.#streams.delete(stream.name);
    this.#tellChanged();
  }

  #tellChanged(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      this.#changed();
    });
  }

  /** Returns the next request to send, and counts it as sent. */
  next(): Control | null {
    const all = [...this.#streams.values()];
    const unwanted = all.filter(({ state, listeners }) => state === "on" && listeners.size === 0);
    if (unwanted.length > 0) {
      for (const { name } of unwanted) this.#streams.delete(name);
      return this.#control("UNSUBSCRIBE", unwanted);
    }
    const wanted = all.filter(({ state, listeners }) => state === "off" && listeners.size > 0);
    const together = wanted.filter(({ isAlone }) => !isAlone).slice(0, MOST_AT_ONCE);
    const chosen = together.length > 0 ? together : wanted.slice(0, 1);
    if (chosen.length === 0) return null;
    for (const stream of chosen) stream.state = "asked";
    const control = this.#control("SUBSCRIBE", chosen);
    this.#asked.set(control.id, chosen);
    return control;
  }

  #control(method: Control["method"], streams: readonly Stream[]): Control {
    return { method, params: streams.map(({ name }) => name), id: ++this.#lastId };
  }

  /** `fault`: what the node has against it; null: nothing. */
  answered(id: number, fault: string | null): void {
    const streams = this.#asked.get(id);
    if (streams === undefined) return;
    this.#asked.delete(id);
    for (const stream of streams) {
      if (fault === null) this.#on(stream);
      else this.#refused(stream, fault, streams.length);
    }
    this.#tellChanged();
  }

  #on(stream: Stream): void {
    stream.state = "on";
    for (const listener of [...stream.listeners]) listener.opened?.();
  }

  #refused(stream: Stream, fault: string, among: number): void {
    stream.state = among > 1 ? "off" : "refused";
    stream.isAlone = true;
    if (stream.listeners.size === 0) this.#streams.delete(stream.name);
    else if (among === 1) for (const listener of [...stream.listeners]) listener.refused?.(fault);
  }

  tell(name: string, data: unknown): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    for (const listener of [...stream.listeners]) listener.message(data);
  }

  /** The connection is gone: the next one knows of nothing. */
  lost(): void {
    this.#asked.clear();
    for (const stream of [...this.#streams.values()]) {
      stream.state = "off";
      stream.isAlone = false;
      if (stream.listeners.size === 0) this.#streams.delete(stream.name);
      for (const listener of [...stream.listeners]) listener.lost?.();
    }
  }
}

// The connection.

/**
 * A connection may send five messages a second (Interface 10.5). Two may follow at once, so that a page that opens, or
 * changes to another market, does not wait; then four are sent in a second at most, and one is left to pongs.
 */
const BURST = 2;
const BURST_GAP_MS = 625;
const OPEN_WITHIN_MS = 10_000;
/** After so long without a message, the page asks the node for one, because a page does not see pings. */
const QUIET_MS = 8000;
const ANSWER_PROBE_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 2000;
/** A connection that lasted as long was a good one: the next is tried at once again. */
const GOOD_AFTER_MS = 10_000;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5_000;
const PROBE_ID = 0;

interface Message {
  readonly stream?: string;
  readonly data?: unknown;
  readonly id?: number | null;
  readonly code?: number;
  readonly msg?: string;
}

export class Streams {
  readonly #address: string;
  readonly #world: World;
  readonly #state = signal<Connection>({ state: "connecting" });
  readonly #subscriptions = new Subscriptions(() => this.#pump());
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isClosed = false;
  #openedMs = 0;
  #heardMs = 0;
  #probedMs: number | null = null;
  #attempt = 0;
  #isResting = false;
  /** When the last messages were sent, up to `BURST` of them. */
  #sentMs: readonly number[] = [];
  #cancelTimers: (() => void)[] = [];
  #cancelRetry: (() => void) | null = null;
  readonly #endWakes: () => void;
  #lastWordMs: number;

  /** `address` is that of `/stream`. */
  constructor(address: string, world: World) {
    this.#address = address;
    this.#world = world;
    this.#lastWordMs = world.nowMs();
    this.#endWakes = world.onWake(() => this.retryNow());
    this.#connect();
  }

  get state(): ReadonlySignal<Connection> {
    return this.#state;
  }

  /** When the last message came, by the machine's clock; shown data were true until then. */
  get lastWordMs(): number {
    return this.#lastWordMs;
  }

  /** The first subscriber of a stream asks the node for it, and the last that goes ends it. */
  subscribe(name: string, listener: Listener): () => void {
    return this.#subscriptions.add(name, listener);
  }

  /** Does not wait for the next attempt: the machine has woken up, or its network is back. */
  retryNow(): void {
    if (this.#cancelRetry === null) return;
    this.#cancelRetry();
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#endWakes();
    this.#cancelRetry?.();
    this.#drop();
  }

  #connect(): void {
    this.#cancelRetry = null;
    const socket = this.#world.openSocket(this.#address);
    this.#socket = socket;
    const isOurs = (): boolean => this.#socket === socket;
    socket.onopen = () => isOurs() && this.#opened();
    socket.onmessage = ({ data }: MessageEvent) => isOurs() && this.#heard(String(data));
    socket.onclose = ({ code, reason }: CloseEvent) => isOurs() && this.#lost(WIRE.closed(code, reason));
    // A close follows, which says as much as a page may know.
    socket.onerror = () => {};
    this.#cancelTimers = [
      this.#world.after(OPEN_WITHIN_MS, () => isOurs() && !this.#isOpen && this.#lost(WIRE.unreachable)),
    ];
  }

  #opened(): void {
    this.#isOpen = true;
    this.#openedMs = this.#heardMs = this.#world.elapsedMs();
    this.#state.value = { state: "live" };
    this.#look();
    this.#pump();
  }

  /** Looks from time to time whether the node is still there. */
  #look(): void {
    const nowMs = this.#world.elapsedMs();
    if (this.#probedMs !== null && nowMs - this.#probedMs > ANSWER_PROBE_WITHIN_MS) return this.#lost(WIRE.silent);
    if (this.#probedMs === null && nowMs - this.#heardMs > QUIET_MS) this.#pump();
    if (nowMs - this.#openedMs > GOOD_AFTER_MS) this.#attempt = 0;
    this.#cancelTimers = [this.#world.after(LOOK_EVERY_MS, () => this.#look())];
  }

  #heard(text: string): void {
    this.#heardMs = this.#world.elapsedMs();
    this.#lastWordMs = this.#world.nowMs();
    this.#probedMs = null;
    const { stream, data, id, code, msg } = JSON.parse(text) as Message;
    if (stream !== undefined) this.#subscriptions.tell(stream, data);
    else if (typeof id === "number") this.#subscriptions.answered(id, code === undefined ? null : (msg ?? ""));
  }

  #lost(reason: string): void {
    this.#drop();
    if (this.#isClosed) return;
    const since = this.#state.value;
    const sinceMs = since.state === "down" ? since.sinceMs : this.#world.nowMs();
    this.#state.value = { state: "down", sinceMs, reason };
    const waitMs = waitBefore(this.#attempt++, this.#world, FIRST_RETRY_MS, LONGEST_RETRY_MS);
    this.#cancelRetry = this.#world.after(waitMs, () => this.#connect());
    this.#subscriptions.lost();
  }

  #drop(): void {
    for (const cancel of this.#cancelTimers) cancel();
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#probedMs = null;
    socket?.close();
  }

  /** Sends the next control message, and no other for a while. */
  #pump(): void {
    if (!this.#isOpen || this.#isResting) return;
    const message = this.#subscriptions.next() ?? this.#probe();
    if (message === null) return;
    this.#socket?.send(JSON.stringify(message));
    this.#rest();
  }

  #rest(): void {
    const nowMs = this.#world.elapsedMs();
    this.#sentMs = [...this.#sentMs, nowMs].slice(-BURST);
    const [firstMs = nowMs] = this.#sentMs;
    const restMs = this.#sentMs.length < BURST ? 0 : firstMs + BURST_GAP_MS - nowMs;
    if (restMs <= 0) return this.#pump();
    this.#isResting = true;
    this.#world.after(restMs, () => {
      this.#isResting = false;
      this.#pump();
    });
  }

  #probe(): object | null {
    const nowMs = this.#world.elapsedMs();
    if (this.#probedMs !== null || nowMs - this.#heardMs <= QUIET_MS) return null;
    this.#probedMs = nowMs;
    return { method: "LIST_SUBSCRIPTIONS", id: PROBE_ID };
  }
}
