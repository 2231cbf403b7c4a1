/**
 * One member of etcd: the numbers of the line to it, how calls fail and what a failure says of a write, and its
 * channels: one for calls, and one for each stream, so that a busy one holds up no other.
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

export interface EtcdLimits {
  /** The longest wait for the answer to one call; then the next member is asked. */
  readonly callMs: number;
  /** The pause before members are asked again when none could answer; it doubles up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** How long reads and small writes try until they fail. */
  readonly patienceMs: number;
  /** A batch that for so long has certainly not been written is refused instead of tried again. */
  readonly refuseAfterMs: number;
  /** The largest batch: etcd takes 1.5 MiB a request, and a large one holds up heartbeats. */
  readonly maxBatchBytes: number;
  /** The largest answer: a fragment of a watch, a page of rows, a list of keys. */
  readonly maxAnswerBytes: number;
  /** How often the node asks a watch for a sign of life, and after how much silence it takes the watch for dead. */
  readonly progressMs: number;
  readonly silenceMs: number;
  /** How often what has come is compared with the store's counter. */
  readonly compareMs: number;
  /** The watch is taken for stuck when the counter has been ahead for so long and nothing came. */
  readonly stuckMs: number;
  /** Rows that wait to be taken: with more the stream is not read. */
  readonly maxQueuedBytes: number;
  /** How long reads that requests wait for try. */
  readonly readPatienceMs: number;
  /** A lease ends when it was not kept for so long; it is kept six times as often. Whole seconds. */
  readonly leaseMs: number;
  /** How often the node looks at the others and the tail, removes rows, and checks the members. */
  readonly lookMs: number;
  readonly cleanMs: number;
  readonly membersMs: number;
  /** Rows of more bytes in the store, and orders are refused until nodes have taken some. */
  readonly maxTailBytes: number;
  /** A member that has more bytes in use, whoever wrote them, and orders are refused: well below etcd's quota. */
  readonly maxStoreBytes: number;
  /** Orders are taken again when no member has more than this part of them in use. */
  readonly storeRoomShare: number;
  /** A node lives whose position has changed within this. */
  readonly liveMs: number;
  /** Rows wait this long for a node that reports nothing. */
  readonly awayPatienceMs: number;
  /** A row waits this long for its author. */
  readonly authorPatienceMs: number;
  /** A store that is full is helped no more often than this, and one member's part takes no longer than the second. */
  readonly reliefMs: number;
  readonly defragmentMs: number;
}

export const ETCD_LIMITS: EtcdLimits = {
  callMs: 500,
  retryMs: 100,
  maxRetryMs: 500,
  patienceMs: 5_000,
  refuseAfterMs: 2_000,
  maxBatchBytes: 1024 * 1024,
  maxAnswerBytes: 64 * 1024 * 1024,
  progressMs: 250,
  silenceMs: 1_000,
  compareMs: 1_000,
  stuckMs: 2_000,
  maxQueuedBytes: 32 * 1024 * 1024,
  readPatienceMs: 2_000,
  leaseMs: 6_000,
  lookMs: 1_000,
  cleanMs: 3_000,
  membersMs: 10_000,
  maxTailBytes: 256 * 1024 * 1024,
  maxStoreBytes: 1536 * 1024 * 1024,
  storeRoomShare: 0.8,
  liveMs: 5_000,
  awayPatienceMs: 600_000,
  authorPatienceMs: 60_000,
  reliefMs: 30_000,
  defragmentMs: 60_000,
};

/** Why a watch was given up for another one. */
export type ReconnectReason = "ended" | "silent" | "stuck" | "rows missing" | "compacted";

export interface Counters {
  /** Batches that are in the log for certain, how long that took in all, and attempts after the first. */
  submitted: number;
  submittedMs: number;
  repeats: number;
  readonly reconnects: Record<ReconnectReason, number>;
  duplicatesDropped: number;
  /** The last row that came, and the last that the store has, as far as is known. */
  lastDelivered: number;
  lastKnown: number;
  /** Rows that this node has removed from the store, and how often it has helped a full one. */
  removed: number;
  reliefs: number;
  /** The largest file of a member, as told last. */
  storeBytes: number;
}

export function newCounters(): Counters {
  return {
    submitted: 0,
    submittedMs: 0,
    repeats: 0,
    reconnects: { ended: 0, silent: 0, stuck: 0, "rows missing": 0, compacted: 0 },
    duplicatesDropped: 0,
    lastDelivered: 0,
    lastKnown: 0,
    removed: 0,
    reliefs: 0,
    storeBytes: 0,
  };
}

/** `code`: of gRPC. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly code: status;
  /** A write by this call was certainly not done, and will not be. */
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

/** Was it refused before it was proposed to the members? Everything that is not listed may have been done. */
function isCertain(code: status, message: string): boolean {
  switch (code) {
    case status.INVALID_ARGUMENT:
    case status.FAILED_PRECONDITION:
    case status.PERMISSION_DENIED:
    case status.UNAUTHENTICATED:
    case status.UNIMPLEMENTED:
      return true;
    // 'database space exceeded' may be told after the write was done.
    case status.RESOURCE_EXHAUSTED:
      return message.includes("too many requests");
    case status.UNAVAILABLE:
      return message.includes("etcdserver: no leader") || message.includes("No connection established");
    default:
      return false;
  }
}

/** Whether any member would refuse the same call again. */
export function isFinal({ code }: CallFailed): boolean {
  return code === status.INVALID_ARGUMENT || code === status.PERMISSION_DENIED || code === status.UNIMPLEMENTED;
}

/** The login has expired, or members have restarted since. */
export function isLoginStale({ code, message }: CallFailed): boolean {
  return code === status.UNAUTHENTICATED || message.includes("revision of auth store is old");
}

export type DuplexStream<Name extends keyof Streams> = ClientDuplexStream<Streams[Name][0], Streams[Name][1]>;

/** A stream with a channel of its own. */
export interface Stream<Name extends keyof Streams> {
  readonly stream: DuplexStream<Name>;
  /** Ends it and its connection. */
  close(): void;
}

/** Members refuse pings that come more often than every 5 s; whether a watch lives is asked by other means. */
const PING_MS = 15_000;
const PING_ANSWER_MS = 5_000;

export class Endpoint {
  /** `http://10.0.0.1:2379`. */
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

  /** Rejects with `CallFailed`. Members without a leader refuse it at once. */
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

  /** One request and one answer over a stream. Rejects with `CallFailed`. */
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
      // Only callers may repeat a call: they know whether that is safe.
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
