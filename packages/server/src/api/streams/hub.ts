/**
 * Passes messages from publishers to subscribers. Each message is encoded at most four times, regardless of the number
 * of subscribers: raw and combined with the name of its stream, each in both units of time. The messages of a stream in
 * a turn of the event loop are sent together at its end.
 */
import { eventInMicroseconds } from "@pricetime/protocol";
import { textFrames } from "../edge/sockets/frames.ts";
import type { SendQueue } from "../edge/send-queue.ts";
import type { Audience, Publisher, StreamFaults, StreamLine } from "./port.ts";

export interface Subscriber {
  /** Whether the subscriber receives the combined form, `{stream, data}`. */
  readonly isCombined: boolean;
  /** Whether times are in microseconds. */
  readonly inMicroseconds?: boolean;
  /** Writes complete frames with `messages` messages. The buffer is shared and must not be changed. */
  deliver(frames: Buffer, messages: number): void;
  /**
   * Buffers deliveries until `release`, so that they are sent together. Returns false if they were already buffered.
   */
  hold(): boolean;
  release(): void;
  /** Called when the stream has ended. */
  streamEnded(name: string, reason: string): void;
  /**
   * Resolves when the client has read everything delivered; undefined if it already has. Absent if this cannot be
   * determined.
   */
  whenRead?(): Promise<unknown> | undefined;
  /** Closes the connection with this close code; undefined: without a close frame. Used by a lab. */
  cut?(code: number | undefined): void;
}

interface Stream {
  readonly name: string;
  readonly subscribers: Set<Subscriber>;
  /** Payloads to be sent at the end of this turn. */
  pending: string[];
  /** Receives the messages into which a lab injects faults. */
  line?: StreamLine;
}

export class Hub implements Publisher {
  readonly #sendQueue: SendQueue;
  readonly #streams = new Map<string, Stream>();
  readonly #audiences: Audience[] = [];
  #dirty: Stream[] = [];
  #faults: StreamFaults | undefined;

  /** `faults` is given only in a lab. */
  constructor(sendQueue: SendQueue, faults?: StreamFaults) {
    this.#sendQueue = sendQueue;
    this.#faults = faults;
  }

  /**
   * Replaces the faults and the audiences, which are notified of a stream's first and last subscriber. The new
   * audiences are notified of every open stream.
   */
  watchInstead(audiences: readonly Audience[], faults = this.#faults): void {
    this.#faults = faults;
    this.#audiences.splice(0, this.#audiences.length, ...audiences);
    for (const name of this.#streams.keys()) for (const audience of audiences) audience.opened(name);
  }

  hasSubscribers(name: string): boolean {
    return this.#streams.has(name);
  }

  subscribe(name: string, subscriber: Subscriber): void {
    const stream = this.#streams.get(name);
    if (stream !== undefined) {
      stream.subscribers.add(subscriber);
      for (const audience of this.#audiences) audience.joined?.(name);
      return;
    }
    this.#streams.set(name, { name, subscribers: new Set([subscriber]), pending: [] });
    for (const audience of this.#audiences) audience.opened(name);
  }

  unsubscribe(name: string, subscriber: Subscriber): void {
    const stream = this.#streams.get(name);
    if (stream?.subscribers.delete(subscriber) === true && stream.subscribers.size === 0) this.#drop(stream);
  }

  publish(name: string, payload: string): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    if (this.#faults === undefined) this.#push(stream, payload);
    else this.#faults.pass({ stream: name, payload }, (stream.line ??= this.#lineOf(stream)));
  }

  #lineOf(stream: Stream): StreamLine {
    return {
      send: (payload) => {
        if (this.#streams.get(stream.name) === stream) this.#push(stream, payload);
      },
      cut: (code) => {
        for (const subscriber of stream.subscribers) subscriber.cut?.(code);
      },
    };
  }

  #push(stream: Stream, payload: string): void {
    if (stream.pending.length === 0) {
      if (this.#dirty.length === 0) this.#sendQueue.stream(this.#flush);
      this.#dirty.push(stream);
    }
    stream.pending.push(payload);
  }

  whenRead(name: string): Promise<unknown> | undefined {
    const subscribers = [...(this.#streams.get(name)?.subscribers ?? [])];
    const reads = subscribers.map((subscriber) => subscriber.whenRead?.()).filter((read) => read !== undefined);
    return reads.length === 0 ? undefined : Promise.all(reads);
  }

  end(name: string, reason: string): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    send(stream);
    this.#drop(stream);
    for (const subscriber of stream.subscribers) subscriber.streamEnded(name, reason);
  }

  #drop(stream: Stream): void {
    this.#streams.delete(stream.name);
    for (const audience of this.#audiences) audience.closed(stream.name);
  }

  readonly #flush = (): void => {
    const dirty = this.#dirty;
    this.#dirty = [];
    const [only] = dirty;
    if (dirty.length === 1 && only !== undefined) {
      send(only);
      return;
    }
    const held: Subscriber[] = [];
    for (const stream of dirty) {
      if (stream.pending.length === 0) continue;
      for (const subscriber of stream.subscribers) if (subscriber.hold()) held.push(subscriber);
      send(stream);
    }
    for (const subscriber of held) subscriber.release();
  };
}

/** Sends the pending messages of a stream. Each form is encoded at most once. */
function send(stream: Stream): void {
  const { name, pending, subscribers } = stream;
  if (pending.length === 0) return;
  stream.pending = [];
  const forms = new Forms(name, pending);
  let converted: Forms | undefined;
  for (const subscriber of subscribers) {
    let used = forms;
    if (subscriber.inMicroseconds === true) used = converted ??= new Forms(name, pending.map(eventInMicroseconds));
    subscriber.deliver(used.of(subscriber), pending.length);
  }
}

/** The frames of messages in both forms. */
class Forms {
  readonly #name: string;
  readonly #payloads: readonly string[];
  #raw: Buffer | undefined;
  #combined: Buffer | undefined;

  constructor(name: string, payloads: readonly string[]) {
    this.#name = name;
    this.#payloads = payloads;
  }

  of({ isCombined }: Subscriber): Buffer {
    if (isCombined) return (this.#combined ??= combinedFrames(this.#name, this.#payloads));
    return (this.#raw ??= textFrames(this.#payloads));
  }
}

function combinedFrames(name: string, payloads: readonly string[]): Buffer {
  const start = `{"stream":${JSON.stringify(name)},"data":`;
  return textFrames(payloads.map((payload) => `${start}${payload}}`));
}
