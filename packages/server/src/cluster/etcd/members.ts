/** The members of an etcd cluster. Uses the member that answered last, and the next one if it fails. */
import { ChannelCredentials } from "@grpc/grpc-js";
import type { Dice, Timers } from "../../platform/world/port.ts";
import { CallFailed, Endpoint, type EtcdLimits, isFinal, isLoginStale, type Stream } from "./endpoint.ts";
import type { Method, Methods, Streams } from "./protocol.ts";

/** Addresses and credentials of etcd. */
export interface EtcdAccess {
  /** URLs of the members, such as `http://10.0.0.1:2379` or `https://…`, all with the same scheme. */
  readonly endpoints: readonly string[];
  /** Certificates for `https` in PEM; null to use the machine's certificate authorities and no client certificate. */
  readonly tls: {
    readonly ca: string | null;
    readonly client: { readonly cert: string; readonly key: string } | null;
  } | null;
  /** Null if etcd requires no authentication. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface MembersOptions {
  readonly access: EtcdAccess;
  readonly limits: EtcdLimits;
  readonly world: Timers & Dice & { readonly steadyMs: () => number };
}

export class Members {
  readonly endpoints: readonly Endpoint[];
  readonly #options: MembersOptions;
  /** The index of the member that is tried first. */
  #current: number;
  #session: Promise<string> | undefined;
  #isClosed = false;

  constructor(options: MembersOptions) {
    const { access, limits, world } = options;
    this.#options = options;
    const credentials = credentialsOf(access);
    this.endpoints = access.endpoints.map((url) => new Endpoint(url, credentials, limits, world));
    // Start at a random member, to distribute the nodes over the members.
    this.#current = world.randomBytes(1).readUInt8() % this.endpoints.length;
  }

  get current(): Endpoint {
    return this.endpoints[this.#current]!;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Makes one attempt at the current member. If it fails, the next attempt is made at another member. */
  async attempt<Name extends Method>(
    name: Name,
    request: Methods[Name][0],
    withinMs?: number,
  ): Promise<Methods[Name][1]> {
    const endpoint = this.current;
    try {
      return await this.callAt(endpoint, name, request, withinMs);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (isLoginStale(error)) this.#session = undefined;
      else if (!isFinal(error)) this.turnFrom(endpoint);
      throw error;
    }
  }

  /**
   * Retries the call until a member answers, for at most `patienceMs`. Only for calls that may be executed twice.
   * Rejects with `CallFailed`.
   */
  async call<Name extends Method>(
    name: Name,
    request: Methods[Name][0],
    patienceMs = this.#options.limits.patienceMs,
  ): Promise<Methods[Name][1]> {
    const { world } = this.#options;
    const endMs = world.steadyMs() + patienceMs;
    for (let failures = 1; ; failures++) {
      try {
        return await this.attempt(name, request);
      } catch (error) {
        if (!(error instanceof CallFailed) || isFinal(error) || isRefusedRead(error)) throw error;
        if (this.#isClosed || world.steadyMs() >= endMs) throw error;
      }
      await world.pause(this.pauseMs(failures));
    }
  }

  /** Makes one attempt at the given member. Rejects with `CallFailed`. */
  async callAt<Name extends Method>(
    endpoint: Endpoint,
    name: Name,
    request: Methods[Name][0],
    withinMs?: number,
  ): Promise<Methods[Name][1]> {
    return endpoint.call(name, request, await this.#login(endpoint), withinMs);
  }

  /** The pause after this many consecutive failures; 0 if some member has not been tried. */
  pauseMs(failures: number): number {
    const { retryMs, maxRetryMs } = this.#options.limits;
    const rounds = Math.floor(failures / this.endpoints.length);
    return rounds === 0 ? 0 : Math.min(retryMs * 2 ** (rounds - 1), maxRetryMs);
  }

  /** Sends one request over a stream to the current member. Rejects with `CallFailed`. */
  async exchange<Name extends keyof Streams>(name: Name, request: Streams[Name][0]): Promise<Streams[Name][1]> {
    const endpoint = this.current;
    return endpoint.exchange(name, request, await this.#login(endpoint));
  }

  /** Opens a stream to the member with the node's login. */
  async stream<Name extends keyof Streams>(endpoint: Endpoint, name: Name): Promise<Stream<Name>> {
    return endpoint.stream(name, await this.#login(endpoint));
  }

  /** Switches to the next member after a failure of this one, unless it is no longer the current one. */
  turnFrom(endpoint: Endpoint): void {
    if (this.current === endpoint) this.#current = (this.#current + 1) % this.endpoints.length;
  }

  close(): void {
    this.#isClosed = true;
    for (const endpoint of this.endpoints) endpoint.close();
  }

  async #login(endpoint: Endpoint): Promise<string | undefined> {
    const { login } = this.#options.access;
    if (login === null) return undefined;
    const { user: name, password } = login;
    const session = (this.#session ??= endpoint
      .call("Auth/Authenticate", { name, password })
      .then((answer) => answer.token));
    try {
      return await session;
    } catch (error) {
      if (this.#session === session) this.#session = undefined;
      throw error;
    }
  }
}

function credentialsOf({ endpoints, tls }: EtcdAccess): ChannelCredentials {
  if (!endpoints.every((url) => url.startsWith("https:"))) return ChannelCredentials.createInsecure();
  const pem = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text));
  return ChannelCredentials.createSsl(pem(tls?.ca ?? undefined), pem(tls?.client?.key), pem(tls?.client?.cert));
}

/** Whether a read failed because the store does not have the requested past revision. */
function isRefusedRead({ message }: CallFailed): boolean {
  return message.includes("required revision");
}
