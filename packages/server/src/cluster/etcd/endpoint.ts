/**
 * One etcd member: connection limits, the errors of calls and whether a failed write may have been executed, and its
 * channels. Calls use one channel, and each stream has its own, so that a busy one does not delay others.
 */
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { Timers } from "../../platform/world/port.ts";
import { definitionOf, type Method, type Methods, type Streams } from "./protocol.ts";

export const ETCD_LIMITS = {
  /** Maximum wait for a response. Then the next member is tried. */
  callMs: 500,
  /** Pause before members are tried again if none answered. It doubles up to `maxRetryMs`. */
  retryMs: 100,
  maxRetryMs: 500,
  /** How long reads and small writes are retried. */
  patienceMs: 5_000,
  /** A batch that has certainly not been written after this time is rejected instead of retried. */
  refuseAfterMs: 2_000,
  /** Maximum size of a batch. etcd accepts 1.5 MiB per request, and a large request delays heartbeats. */
  maxBatchBytes: 1024 * 1024,
  /** Maximum size of a response: a fragment of a watch, a page of batches, or a list of keys. */
  maxAnswerBytes: 64 * 1024 * 1024,
  /**
   * Interval at which the node requests the progress of a watch, and the time without a response after which the watch
   * counts as dead.
   */
  progressMs: 250,
  silenceMs: 1_000,
  /** Interval at which the received batches are compared with the store's counter. */
  compareMs: 1_000,
  /** A watch counts as stuck if the counter has been ahead for this long and nothing has arrived. */
  stuckMs: 2_000,
  /** Maximum size of received batches that wait for processing. Above it, the stream is not read. */
  maxQueuedBytes: 32 * 1024 * 1024,
  /** How long reads that a client's request needs are retried. */
  readPatienceMs: 2_000,
  /** A lease ends if it was not renewed for this long. It is renewed six times as often. Must be whole seconds. */
  leaseMs: 6_000,
  /** Interval at which the node reads positions and the log's tail, removes batches, and checks the members. */
  lookMs: 1_000,
  cleanMs: 3_000,
  membersMs: 10_000,
  /**
   * If the batches in the store have more bytes than this, orders are rejected until nodes have fetched some batches.
   */
  maxTailBytes: 256 * 1024 * 1024,
  /** If a member has more bytes in use than this, for any reason, orders are rejected. Well below etcd's quota. */
  maxStoreBytes: 1536 * 1024 * 1024,
  /** Orders are accepted again when no member uses more than this share of `maxStoreBytes`. */
  storeRoomShare: 0.8,
  /** A node is live if its position has changed within this time. */
  liveMs: 5_000,
  /** Batches are not removed for this long if a node that does not report still lacks them. */
  awayPatienceMs: 600_000,
  /** A batch is not removed for this long if its author has not received it yet. */
  authorPatienceMs: 60_000,
  /** Minimum time between two attempts to free space, and maximum time for defragmenting one member. */
  reliefMs: 30_000,
  defragmentMs: 60_000,
};
export type EtcdLimits = Readonly<typeof ETCD_LIMITS>;

/** Why a watch was replaced by a new one. */
export type ReconnectReason = keyof Counters["reconnects"];

export type Counters = ReturnType<typeof newCounters>;

export function newCounters() {
  return {
    /**
     * Number of batches that are certainly in the log, the total time this took, and the number of attempts after the
     * first.
     */
    submitted: 0,
    submittedMs: 0,
    repeats: 0,
    /** Number of watches that were replaced by a new one, by reason. */
    reconnects: { ended: 0, silent: 0, stuck: 0, "rows missing": 0, compacted: 0 },
    duplicatesDropped: 0,
    /** The last batch that arrived, and the last batch of the store as far as is known. */
    lastDelivered: 0,
    lastKnown: 0,
    /** Number of batches that this node has removed from the store, and of times it has freed space in a full store. */
    removed: 0,
    reliefs: 0,
    /** Size of the largest database file of a member, as last reported. */
    storeBytes: 0,
  };
}

/** A failed call to etcd. `code` is the gRPC status. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly code: status;
  /** True if the call has certainly not executed a write and will not. */
  readonly isCertain: boolean;

  constructor(code: status, message: string) {
    super(message);
    this.code = code;
    this.isCertain = isCertain(code, message);
  }
}

function failureOf(url: string, { code, details, message }: ServiceError): CallFailed {
  return new CallFailed(code, `${url}: ${details || message}`);
}

/**
 * Whether the call was rejected before it was proposed to the members. A call with an error that is not listed may have
 * been executed.
 */
function isCertain(code: status, message: string): boolean {
  switch (code) {
    case status.INVALID_ARGUMENT:
    case status.FAILED_PRECONDITION:
    case status.PERMISSION_DENIED:
    case status.UNAUTHENTICATED:
    case status.UNIMPLEMENTED:
      return true;
    // 'database space exceeded' may be returned after the write was executed.
    case status.RESOURCE_EXHAUSTED:
      return message.includes("too many requests");
    case status.UNAVAILABLE:
      return message.includes("etcdserver: no leader") || message.includes("No connection established");
    default:
      return false;
  }
}

/** Whether every member would reject the same call again. */
export function isFinal({ code }: CallFailed): boolean {
  return code === status.INVALID_ARGUMENT || code === status.PERMISSION_DENIED || code === status.UNIMPLEMENTED;
}

/** Whether the login has expired, or members have restarted since. */
export function isLoginStale({ code, message }: CallFailed): boolean {
  return code === status.UNAUTHENTICATED || message.includes("revision of auth store is old");
}

export type DuplexStream<Name extends keyof Streams> = ClientDuplexStream<Streams[Name][0], Streams[Name][1]>;

/** A stream over its own channel. */
export interface Stream<Name extends keyof Streams> {
  readonly stream: DuplexStream<Name>;
  /** Closes the stream and its connection. */
  close(): void;
}

/** Members reject pings that are more frequent than every 5 s. Whether a watch is alive is checked in another way. */
const PING_MS = 15_000;
const PING_ANSWER_MS = 5_000;

export class Endpoint {
  /** The member's URL, such as `http://10.0.0.1:2379`. */
  readonly url: string;
  readonly #credentials: ChannelCredentials;
  readonly #limits: EtcdLimits;
  readonly #timers: Timers;
  readonly #calls: Client;

  constructor(url: string, credentials: ChannelCredentials, limits: EtcdLimits, timers: Timers) {
    this.url = url;
    this.#credentials = credentials;
    this.#limits = limits;
    this.#timers = timers;
    this.#calls = this.#newClient();
  }

  /** Calls a method of the member. Rejects with `CallFailed`. Members without a leader reject immediately. */
  call<Name extends Method>(
    name: Name,
    request: Methods[Name][0],
    token?: string,
    withinMs = this.#limits.callMs,
  ): Promise<Methods[Name][1]> {
    const { path, requestSerialize, responseDeserialize } = definitionOf(name);
    return new Promise((resolve, reject) => {
      let isLate = false;
      const call = this.#calls.makeUnaryRequest<Methods[Name][0], Methods[Name][1]>(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        headersOf(token),
        (error, answer) => {
          cancel();
          if (isLate)
            reject(new CallFailed(status.DEADLINE_EXCEEDED, `${this.url}: no response within ${withinMs} ms`));
          else if (error !== null) reject(failureOf(this.url, error));
          else resolve(answer as Methods[Name][1]);
        },
      );
      const cancel = this.#timers.after(withinMs, () => {
        isLate = true;
        call.cancel();
      });
    });
  }

  /** Sends one request and receives one response over a stream. Rejects with `CallFailed`. */
  exchange<Name extends keyof Streams>(
    name: Name,
    request: Streams[Name][0],
    token?: string,
    withinMs = this.#limits.callMs,
  ): Promise<Streams[Name][1]> {
    const { path, requestSerialize, responseDeserialize } = definitionOf(name);
    const stream: DuplexStream<Name> = this.#calls.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      headersOf(token),
    );
    const late = new CallFailed(status.DEADLINE_EXCEEDED, `${this.url}: no response within ${withinMs} ms`);
    return new Promise<Streams[Name][1]>((resolve, reject) => {
      const cancel = this.#timers.after(withinMs, () => {
        reject(late);
        stream.cancel();
      });
      stream.on("data", (answer: Streams[Name][1]) => {
        cancel();
        resolve(answer);
        stream.cancel();
      });
      stream.on("error", (error: ServiceError) => {
        cancel();
        reject(failureOf(this.url, error));
      });
      stream.write(request);
    });
  }

  stream<Name extends keyof Streams>(name: Name, token?: string): Stream<Name> {
    const { path, requestSerialize, responseDeserialize } = definitionOf(name);
    const client = this.#newClient();
    const stream: DuplexStream<Name> = client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      headersOf(token),
    );
    return {
      stream,
      close: () => {
        stream.cancel();
        client.close();
      },
    };
  }

  close(): void {
    this.#calls.close();
  }

  #newClient(): Client {
    const { maxAnswerBytes, retryMs, maxRetryMs } = this.#limits;
    const options: ClientOptions = {
      // gRPC must not retry, because only the caller can tell whether that is safe.
      "grpc.enable_retries": 0,
      "grpc.use_local_subchannel_pool": 1,
      "grpc.service_config_disable_resolution": 1,
      "grpc.enable_http_proxy": 0,
      "grpc.enable_channelz": 0,
      "grpc.max_receive_message_length": maxAnswerBytes,
      "grpc.initial_reconnect_backoff_ms": retryMs,
      "grpc.max_reconnect_backoff_ms": maxRetryMs,
      "grpc.keepalive_time_ms": PING_MS,
      "grpc.keepalive_timeout_ms": PING_ANSWER_MS,
    };
    return new Client(new URL(this.url).host, this.#credentials, options);
  }
}

function headersOf(token: string | undefined): Metadata {
  const headers = new Metadata();
  headers.set("hasleader", "true");
  if (token !== undefined) headers.set("token", token);
  return headers;
}
