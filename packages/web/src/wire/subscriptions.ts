/** Who listens to which stream, and what is to be asked of the node so that it sends just those. */

export interface Listener {
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

export class Subscriptions {
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
