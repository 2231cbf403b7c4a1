/**
 * Lock step: the clock waits for its clients. It advances to the next instant only when each client has reported that
 * it is done with the current one, and not beyond the time at which a client wants to act again or receives a message.
 *
 * A client that leads is woken only at the times that it has requested, and before the other clients. Its requests at
 * an instant therefore always precede theirs.
 */
import { Rejection } from "../../people/http/answer.ts";
import type { Timers } from "../../platform/world/port.ts";
import { type LabClock, NotManual } from "./lab-clock.ts";
import { Quiet } from "./under-way.ts";

export const MAX_CLIENTS = 1_000;

/** No client of that name is registered. */
export class NoSuchClient extends Rejection {
  constructor(name: string) {
    super(404, "UNKNOWN_CLIENT", `No client ${name} is registered.`);
  }
}

interface Client {
  readonly leads: boolean;
  /**
   * When the client wants to act again, but not before its computing time has passed; Infinity if it only waits for a
   * message.
   */
  untilMs: number;
  /** The end of the client's computing time. The client is not woken before it. */
  thinksUntilMs: number;
  /** The value of `carried` when the client registered. */
  readonly carriedBefore: number;
  /** Wakes the client; set only while the client is done with the instant. */
  go: ((failure?: Error) => void) | undefined;
  /** Resolved when the clock no longer waits for the client. */
  readonly left: PromiseWithResolvers<void>;
}

export interface LockStepOptions {
  readonly clock: Pick<LabClock, "advance" | "nowMs" | "nextDueMs">;
  readonly machine: Pick<Timers, "after">;
  /** Returns the number of stream messages and answers that were sent to clients outside the lab. */
  readonly sent: () => number;
  /**
   * Returns a number that increases with each message and answer that is sent, and with each WebSocket that a client
   * opens.
   */
  readonly carried: () => number;
  readonly onBug: (error: unknown) => void;
}

export class LockStep {
  readonly #options: LockStepOptions;
  readonly #clients = new Map<string, Client>();
  readonly #quiet: Quiet;
  #isStepping = false;
  /** Clients that wait until the leaders that were woken at this instant are done with it. */
  #held: readonly Client[] = [];

  constructor(options: LockStepOptions) {
    this.#options = options;
    this.#quiet = new Quiet(options);
  }

  get names(): readonly string[] {
    return [...this.#clients.keys()];
  }

  /** Registers a client. A restarted client may register again; it is then not done with the current instant. */
  register(name: string, leads = false): void {
    this.#clients.get(name)?.go?.();
    this.#clients.get(name)?.left.resolve();
    const left = Promise.withResolvers<void>();
    const carriedBefore = this.#options.carried();
    const untilMs = Number.POSITIVE_INFINITY;
    this.#clients.set(name, { leads, untilMs, thinksUntilMs: 0, carriedBefore, go: undefined, left });
  }

  /** Resolves when the client leaves or registers again. Throws `NoSuchClient`. */
  left(name: string): Promise<void> {
    return this.#clientOf(name).left.promise;
  }

  /** Returns a function that removes the client, unless it has registered again. Throws `NoSuchClient`. */
  leaver(name: string): () => void {
    const client = this.#clientOf(name);
    return () => {
      if (this.#clients.get(name) === client) this.leave(name);
    };
  }

  /** Removes a client. Throws `NoSuchClient`. */
  leave(name: string): void {
    const client = this.#clientOf(name);
    client.go?.();
    client.left.resolve();
    this.#clients.delete(name);
    this.#stepIfDone();
  }

  /**
   * Reports that the client is done with this instant. Resolves at the next instant at which the client may act.
   * `tookMs` is its computing time: the client acts again only after that time has passed, and then receives the
   * messages sent meanwhile. Throws `NoSuchClient`; rejects with `NotManual` if the clock has become automatic.
   */
  done(name: string, untilMs = Number.POSITIVE_INFINITY, tookMs = 0): Promise<void> {
    const client = this.#clientOf(name);
    client.go?.();
    client.thinksUntilMs = this.#options.clock.nowMs() + tookMs;
    client.untilMs = Math.max(untilMs, client.thinksUntilMs);
    const went = new Promise<void>((resolve, reject) => {
      client.go = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    this.#stepIfDone();
    return went;
  }

  /**
   * Same as `done`, but only after messages have been sent since the client registered, followed by silence for
   * `quietMs` of machine time. Intended for clients that do not report when they are done. Has no effect if the client
   * has left or registered again meanwhile.
   */
  async doneWhenQuiet(name: string, quietMs: number, untilMs?: number): Promise<void> {
    const client = this.#clientOf(name);
    const isGone = (): boolean => this.#clients.get(name) !== client;
    await this.#quiet.after(client.carriedBefore, quietMs, isGone);
    if (!isGone()) await this.done(name, untilMs);
  }

  /** Releases all waiting clients. */
  stop(): void {
    this.#clients.clear();
  }

  #clientOf(name: string): Client {
    const client = this.#clients.get(name);
    if (client === undefined) throw new NoSuchClient(name);
    return client;
  }

  #stepIfDone(): void {
    const clients = [...this.#clients.values()];
    if (this.#isStepping || clients.length === 0 || clients.some(({ go }) => go === undefined)) return;
    const held = this.#held.filter((client) => clients.includes(client) && !this.#thinks(client));
    this.#held = [];
    for (const client of held) release(client);
    if (held.length > 0) return;
    this.#isStepping = true;
    this.#step(clients).then(
      (hasHeard) => {
        this.#isStepping = false;
        this.#wake(hasHeard);
      },
      (error: unknown) => {
        this.#isStepping = false;
        // The clock's mode was changed while the clients waited.
        if (error instanceof NotManual) for (const client of clients) release(client, error);
        else this.#options.onBug(error);
      },
    );
  }

  /**
   * Wakes the leaders whose time has come, or if there are none, the other clients. Clients whose computing time has
   * not passed are woken later.
   */
  #wake(hasHeard: boolean): void {
    const clients = [...this.#clients.values()].filter(({ go }) => go !== undefined);
    const others = clients.filter(({ leads }) => !leads);
    const nowMs = this.#options.clock.nowMs();
    const thinking = clients.filter((client) => this.#thinks(client));
    if (hasHeard) for (const client of thinking) if (!client.leads) client.untilMs = client.thinksUntilMs;
    const isDue = ({ leads, untilMs }: Client): boolean =>
      leads && (nowMs >= untilMs || (others.length === 0 && untilMs === Number.POSITIVE_INFINITY));
    const leaders = clients.filter((client) => isDue(client) && !thinking.includes(client));
    this.#held = leaders.length > 0 ? others : [];
    for (const client of leaders.length > 0 ? leaders : others) if (!thinking.includes(client)) release(client);
    // Advances further if no client was due.
    this.#stepIfDone();
  }

  #thinks({ thinksUntilMs }: Client): boolean {
    return this.#options.clock.nowMs() < thinksUntilMs;
  }

  /**
   * Advances to the next time at which a client or task is due. Resolves to whether messages were sent to external
   * clients meanwhile.
   */
  async #step(clients: readonly Client[]): Promise<boolean> {
    const { clock, sent } = this.#options;
    const wantedMs = Math.min(...clients.map(({ untilMs }) => untilMs));
    const thoughtMs = Math.min(...clients.map(({ thinksUntilMs }) => thinksUntilMs));
    const toMs = [wantedMs, clock.nextDueMs].find(Number.isFinite) ?? thoughtMs;
    const before = sent();
    const hasHeard = (): boolean => sent() > before;
    await clock.advance((nowMs) => Math.max(nowMs, toMs), hasHeard);
    return hasHeard();
  }
}

function release(client: Client, failure?: Error): void {
  const { go } = client;
  client.go = undefined;
  go?.(failure);
}
