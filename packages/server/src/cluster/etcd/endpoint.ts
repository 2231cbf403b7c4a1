/** Calls to one member: a channel for calls, and one for each stream, so that a busy one holds up no other. */
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
import { CallFailed, failureOf } from "./failure.ts";
import type { EtcdLimits } from "./limits.ts";
import { definitionOf, type Method, type Methods, type Streams } from "./protocol.ts";

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
