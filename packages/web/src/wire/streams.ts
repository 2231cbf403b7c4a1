/** One WebSocket for all streams, with reference-counted subscriptions and automatic reconnects. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Connection } from "../market/port.ts";
import { WIRE } from "../words/words.ts";
import { waitBefore } from "./pacing.ts";
import type { World } from "./world.ts";

// The listeners of each stream, and the requests that subscribe to exactly the streams that have listeners.

interface Listener {
  message(data: unknown): void;
  /** Called when the stream is subscribed: no event is missed from then on. Called again after each reconnect. */
  opened?(): void;
  /** Called when the connection is lost. Events are missed until `opened` is called again. */
  lost?(): void;
  /** Called if the node rejects the subscription. */
  refused?(why: string): void;
}

interface Stream {
  readonly name: string;
  readonly listeners: Set<Listener>;
  state: "off" | "requested" | "on" | "refused";
  /**
   * Set after a request for several streams was rejected because of one of them. The stream is then requested
   * separately.
   */
  isAlone: boolean;
}

interface Control {
  readonly method: "SUBSCRIBE" | "UNSUBSCRIBE";
  readonly params: readonly string[];
  readonly id: number;
}

/** Maximum number of streams in one subscription request. */
const MOST_AT_ONCE = 100;

class Subscriptions {
  readonly #streams = new Map<string, Stream>();
  readonly #requested = new Map<number, readonly Stream[]>();
  readonly #changed: () => void;
  #isNotifying = false;
  #lastId = 0;

  /** `changed` is called when there may be a request to send, at most once per event loop turn. */
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
    this.#notifyChanged();
    return () => {
      if (stream.listeners.delete(listener) && stream.listeners.size === 0) this.#left(stream);
    };
  }

  #left(stream: Stream): void {
    const isUseless = stream.state === "off" || stream.state === "refused";
    if (isUseless && this.#streams.get(stream.name) === stream) this.#streams.delete(stream.name);
    this.#notifyChanged();
  }

  #notifyChanged(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      this.#changed();
    });
  }

  /** Returns the next request to send and marks it as sent; null if there is none. */
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
    for (const stream of chosen) stream.state = "requested";
    const control = this.#control("SUBSCRIBE", chosen);
    this.#requested.set(control.id, chosen);
    return control;
  }

  #control(method: Control["method"], streams: readonly Stream[]): Control {
    return { method, params: streams.map(({ name }) => name), id: ++this.#lastId };
  }

  /** Handles the response to a request. `fault` is the node's error; null if the request succeeded. */
  answered(id: number, fault: string | null): void {
    const streams = this.#requested.get(id);
    if (streams === undefined) return;
    this.#requested.delete(id);
    for (const stream of streams) {
      if (fault === null) this.#on(stream);
      else this.#refused(stream, fault, streams.length);
    }
    this.#notifyChanged();
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

  deliver(name: string, data: unknown): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    for (const listener of [...stream.listeners]) listener.message(data);
  }

  /** Resets the subscriptions after the connection was lost. The next connection starts without any. */
  lost(): void {
    this.#requested.clear();
    for (const stream of [...this.#streams.values()]) {
      stream.state = "off";
      stream.isAlone = false;
      if (stream.listeners.size === 0) this.#streams.delete(stream.name);
      for (const listener of [...stream.listeners]) listener.lost?.();
    }
  }
}

// The WebSocket connection.

/**
 * A connection may send five messages a second (Interface 10.5). Two may be sent in a row, so that opening a page or
 * switching markets causes no delay. At most four are sent per second, which leaves one for pongs.
 */
const BURST = 2;
const BURST_GAP_MS = 625;
const OPEN_WITHIN_MS = 10_000;
/** After this time without a message, the page sends a request to test the connection, because browsers hide pings. */
const QUIET_MS = 8000;
const ANSWER_PROBE_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 2000;
/** If a connection lasted at least this long, the first reconnect is immediate. */
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
  readonly state: ReadonlySignal<Connection> = this.#state;
  readonly #subscriptions = new Subscriptions(() => this.#pump());
  #socket: WebSocket | null = null;
  #isOpen = false;
  #isClosed = false;
  #openedMs = 0;
  #newestMessageMs = 0;
  #probedMs: number | null = null;
  #attempt = 0;
  #isResting = false;
  /** When the last messages were sent, at most `BURST` times. */
  #sentMs: readonly number[] = [];
  #cancelTimers: (() => void)[] = [];
  #cancelRetry: (() => void) | null = null;
  readonly #endWakes: () => void;
  #lastMessageMs: number;

  /** `address` is the URL of `/stream`. */
  constructor(address: string, world: World) {
    this.#address = address;
    this.#world = world;
    this.#lastMessageMs = world.nowMs();
    this.#endWakes = world.onWake(() => this.retryNow());
    this.#connect();
  }

  /** When the last message arrived, by this machine's clock. The shown data was current until then. */
  get lastMessageMs(): number {
    return this.#lastMessageMs;
  }

  /**
   * Adds a listener. The node is asked to subscribe for a stream's first listener, and to unsubscribe after the last.
   */
  subscribe(name: string, listener: Listener): () => void {
    return this.#subscriptions.add(name, listener);
  }

  /** Reconnects at once, after the machine has woken up or its network is back. */
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
    socket.onmessage = ({ data }: MessageEvent) => isOurs() && this.#onMessage(String(data));
    socket.onclose = ({ reason }: CloseEvent) => isOurs() && this.#lost(reason);
    // A `close` event follows, which has all the details that browsers reveal.
    socket.onerror = () => {};
    this.#cancelTimers = [
      this.#world.after(OPEN_WITHIN_MS, () => isOurs() && !this.#isOpen && this.#lost(WIRE.unreachable)),
    ];
  }

  #opened(): void {
    this.#isOpen = true;
    this.#openedMs = this.#newestMessageMs = this.#world.elapsedMs();
    this.#state.value = { state: "live" };
    this.#look();
    this.#pump();
  }

  /** Checks at intervals whether the node still responds. */
  #look(): void {
    const nowMs = this.#world.elapsedMs();
    if (this.#probedMs !== null && nowMs - this.#probedMs > ANSWER_PROBE_WITHIN_MS) return this.#lost(WIRE.silent);
    if (this.#probedMs === null && nowMs - this.#newestMessageMs > QUIET_MS) this.#pump();
    if (nowMs - this.#openedMs > GOOD_AFTER_MS) this.#attempt = 0;
    this.#cancelTimers = [this.#world.after(LOOK_EVERY_MS, () => this.#look())];
  }

  #onMessage(text: string): void {
    this.#newestMessageMs = this.#world.elapsedMs();
    this.#lastMessageMs = this.#world.nowMs();
    this.#probedMs = null;
    const { stream, data, id, code, msg } = JSON.parse(text) as Message;
    if (stream !== undefined) this.#subscriptions.deliver(stream, data);
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

  /** Sends the next control message if the rate limit allows, otherwise later. */
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
    if (this.#probedMs !== null || nowMs - this.#newestMessageMs <= QUIET_MS) return null;
    this.#probedMs = nowMs;
    return { method: "LIST_SUBSCRIPTIONS", id: PROBE_ID };
  }
}
