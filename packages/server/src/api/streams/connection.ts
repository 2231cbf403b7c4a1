/** A stream connection: its subscriptions and the control messages of its client. Interface 10.1, 10.2. */
import { eventInMicroseconds, INVALID_TIME_UNIT } from "@pricetime/protocol";
import { timeUnitOf } from "../edge/time-unit.ts";
import {
  type ControlRequest,
  noSuchStream,
  readControl,
  resultBody,
  tooManyStreams,
  unknownStream,
} from "./control.ts";
import type { Hub, Subscriber } from "./hub.ts";
import type { StreamLimits } from "../edge/limits.ts";
import { CLOSE, type FrameSink, type StreamPeer, serverShutdown } from "../edge/sockets/socket.ts";
import type { SocketEndpoint } from "../edge/sockets/sockets.ts";
import type { MarketStreams } from "./market/market-streams.ts";
import { LISTEN_KEY } from "./port.ts";
import type { UserStreams } from "./user/user-streams.ts";

// The streams that a socket's address names. Interface 10.1, including unusual forms that clients use.

interface StreamAddress {
  readonly names: readonly string[];
  /** Whether events are sent in the combined form, `{stream, data}`. */
  readonly isCombined: boolean;
  /** The value as sent; null if it was not sent. */
  readonly timeUnit: string | null;
}

/**
 * Query parameters with stream names. Both parameters are read at both paths, because a stream whose name is ignored
 * would never send a message.
 */
const NAMING: readonly string[] = ["streams", "stream"];
const RAW = "/ws";
const COMBINED = "/stream";
/** ccxt numbers its connections, so a bare number is not the name of a stream. */
const BARE_NUMBER = /^[0-9]+$/;

/**
 * Reads the streams from an address. `query` is the text after the `?`. Returns null if the path is not that of
 * streams. Malformed escapes remain unchanged.
 */
export function readStreamAddress(path: string, query: string): StreamAddress | null {
  // A `+` is part of a name, as in `@kline_1d@+08:00`, and not a space.
  const parameters = new URLSearchParams(query.replaceAll("+", "%2B"));
  const timeUnit = parameters.get("timeUnit");
  const inQuery = [...parameters].flatMap(([name, list]) => (NAMING.includes(name) ? namesIn(list) : []));
  if (path === COMBINED || path === `${COMBINED}/`) return { names: inQuery, isCombined: true, timeUnit };
  if (path !== RAW && !path.startsWith(`${RAW}/`)) return null;
  const inPath = namesIn(unescaped(path.slice(RAW.length + 1))).filter((name) => !BARE_NUMBER.test(name));
  return { names: [...inPath, ...inQuery], isCombined: false, timeUnit };
}

function namesIn(list: string): string[] {
  return list.split("/").filter((name) => name !== "");
}

function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface StreamContext {
  readonly hub: Hub;
  readonly listenKeys: Pick<UserStreams, "isOpen">;
  readonly names: Pick<MarketStreams, "isStream">;
  readonly limits: StreamLimits;
  readonly announcesShutdown: boolean;
  /** Resolves when this node knows all listen keys that other nodes have opened. Absent on a single node. */
  readonly latest?: (() => Promise<unknown>) | undefined;
}

/** The endpoint at a stream address; null if the path is not that of streams. */
export function streamEndpoint(path: string, query: string, context: StreamContext): SocketEndpoint | null {
  const address = readStreamAddress(path, query);
  if (address === null) return null;
  const isPrivate = address.names.some((name) => LISTEN_KEY.test(name));
  return { isRated: true, isPrivate, accept: (socket) => new StreamConnection(socket, address, context) };
}

class StreamConnection implements FrameSink, Subscriber {
  isCombined: boolean;
  readonly inMicroseconds: boolean;
  readonly #socket: StreamPeer;
  readonly #context: StreamContext;
  /** Stream names in the order of subscription. */
  readonly #names = new Set<string>();

  constructor(socket: StreamPeer, address: StreamAddress, context: StreamContext) {
    this.#socket = socket;
    this.#context = context;
    this.isCombined = address.isCombined;
    this.inMicroseconds = timeUnitOf(address.timeUnit) === "MICROSECOND";
    const { latest } = context;
    const closedKeys = address.names.filter((name) => this.#isClosedKey(name));
    if (closedKeys.length > 0 && latest === undefined) {
      this.#refuseKey();
      return;
    }
    this.#open(address);
    if (closedKeys.length > 0) void this.#lookFor(closedKeys);
  }

  /**
   * Checks listen keys that another node may have opened. Meanwhile, the subscriptions are active, because the client
   * may place orders and must receive their events. If `latest` fails, this node's current state decides.
   */
  async #lookFor(keys: readonly string[]): Promise<void> {
    await this.#context.latest?.().catch(() => {});
    if (keys.some((key) => this.#names.has(key) && this.#isClosedKey(key))) this.#refuseKey();
  }

  #isClosedKey(name: string): boolean {
    return LISTEN_KEY.test(name) && !this.#context.listenKeys.isOpen(name);
  }

  #refuseKey(): void {
    this.#socket.close(CLOSE.policy, "This listenKey does not exist.");
  }

  #open({ names, timeUnit }: StreamAddress): void {
    const socket = this.#socket;
    const unknown = this.#unknown(names);
    if (timeUnitOf(timeUnit) === null) {
      socket.close(CLOSE.policy, INVALID_TIME_UNIT.msg);
    } else if (unknown !== undefined) {
      socket.close(CLOSE.policy, unknownStream(unknown));
    } else if (!this.#subscribe(names)) {
      socket.close(CLOSE.policy, `at most ${this.#context.limits.maxStreams} streams on a connection`);
    }
  }

  receive(text: string): void {
    const request = readControl(text);
    if ("error" in request) this.#socket.send(request.error);
    else this.#socket.send(this.#answer(request));
  }

  receiveBinary(): void {
    this.#socket.close(CLOSE.unsupported, "messages are text");
  }

  closed(): void {
    for (const name of this.#names) this.#context.hub.unsubscribe(name, this);
    this.#names.clear();
  }

  shutdownMessage(timeMs: number): string | undefined {
    if (!this.#context.announcesShutdown) return undefined;
    const written = serverShutdown(timeMs);
    const event = this.inMicroseconds ? eventInMicroseconds(written) : written;
    return this.isCombined ? `{"stream":"!serverShutdown","data":${event}}` : event;
  }

  deliver(frames: Buffer, messages: number): void {
    this.#socket.write(frames, messages);
  }

  whenRead(): Promise<unknown> | undefined {
    return this.#socket.whenRead?.();
  }

  hold(): boolean {
    return this.#socket.hold();
  }

  release(): void {
    this.#socket.release();
  }

  streamEnded(name: string, reason: string): void {
    this.#names.delete(name);
    if (this.#names.size === 0) this.#socket.close(CLOSE.normal, reason);
  }

  cut(code: number | undefined): void {
    if (code === undefined) this.#socket.cut?.();
    else this.#socket.close(code, "");
  }

  #answer(request: ControlRequest): string {
    const { id } = request;
    switch (request.method) {
      case "SUBSCRIBE":
        return this.#answerSubscribe(request.names, id);
      case "UNSUBSCRIBE":
        this.#unsubscribe(request.names);
        return resultBody("null", id);
      case "LIST_SUBSCRIPTIONS":
        return resultBody(JSON.stringify([...this.#names]), id);
      case "SET_PROPERTY":
        this.isCombined = request.isCombined;
        return resultBody("null", id);
      case "GET_PROPERTY":
        return resultBody(String(this.isCombined), id);
    }
  }

  #answerSubscribe(names: readonly string[], id: string): string {
    const unknown = this.#unknown(names);
    if (unknown !== undefined) return noSuchStream(id, unknown);
    return this.#subscribe(names) ? resultBody("null", id) : tooManyStreams(id, this.#context.limits.maxStreams);
  }

  /**
   * Returns the first name that can never have a message. A name in the form of a listen key may become one later
   * (Interface S.14), but a page of another site cannot use it.
   */
  #unknown(unread: readonly string[]): string | undefined {
    const { names, limits } = this.#context;
    const mayBeKey = (name: string): boolean => !this.#socket.isForeign && LISTEN_KEY.test(name);
    return unread.find((name) => name.length > limits.maxNameLength || !(mayBeKey(name) || names.isStream(name)));
  }

  /** Subscribes to all names. If that would exceed the limit, subscribes to none and returns false. */
  #subscribe(names: readonly string[]): boolean {
    const { hub, limits } = this.#context;
    const added = new Set(names.filter((name) => !this.#names.has(name)));
    if (this.#names.size + added.size > limits.maxStreams) return false;
    for (const name of added) {
      this.#names.add(name);
      hub.subscribe(name, this);
    }
    return true;
  }

  #unsubscribe(names: readonly string[]): void {
    for (const name of names) if (this.#names.delete(name)) this.#context.hub.unsubscribe(name, this);
  }
}
