/**
 * Lock step: the clock waits for its clients. It goes on to the next moment only when each of them has said that it is
 * done with this one, and then no further than to where one of them wants to act again, or hears something.
 *
 * A client that leads is woken only at the times that it has named, and before the others: its acts at a moment come
 * before theirs, however quick either is.
 */
import type { Timers } from "../../platform/world/port.ts";
import { type LabClock, NotManual } from "./lab-clock.ts";
import { Quiet } from "./under-way.ts";

export const MAX_CLIENTS = 1_000;

/** There is no client of that name. */
export class NoSuchClient extends Error {
  override readonly name = "NoSuchClient";
}

interface Client {
  readonly leads: boolean;
  /** When it wants to act again, no earlier than it has thought; Infinity: when it hears something. */
  untilMs: number;
  /** Nothing wakes it before. */
  thinksUntilMs: number;
  /** `carried` when it came. */
  readonly carriedBefore: number;
  /** Set while it is done. */
  go: ((failure?: Error) => void) | undefined;
  /** Resolved when the clock does not wait for it any more. */
  readonly left: PromiseWithResolvers<void>;
}

export interface LockStepOptions {
  readonly clock: Pick<LabClock, "advance" | "nowMs" | "nextDueMs">;
  readonly machine: Pick<Timers, "after">;
  /** Counts what clients outside were sent: messages of streams and answers. */
  readonly sent: () => number;
  /** Grows with what they are sent, and with WebSockets that they open. */
  readonly carried: () => number;
  readonly onBug: (error: unknown) => void;
}

export class LockStep {
  readonly #options: LockStepOptions;
  readonly #clients = new Map<string, Client>();
  readonly #quiet: Quiet;
  #isStepping = false;
  /** Those that are not woken at this moment before the leaders that were woken at it are done with it. */
  #held: readonly Client[] = [];

  constructor(options: LockStepOptions) {
    this.#options = options;
    this.#quiet = new Quiet(options);
  }

  get names(): readonly string[] {
    return [...this.#clients.keys()];
  }

  /** Registering again is no error: a client that was restarted comes anew, and is not done. */
  register(name: string, leads = false): void {
    this.#clients.get(name)?.go?.();
    this.#clients.get(name)?.left.resolve();
    const left = Promise.withResolvers<void>();
    const carriedBefore = this.#options.carried();
    const untilMs = Number.POSITIVE_INFINITY;
    this.#clients.set(name, { leads, untilMs, thinksUntilMs: 0, carriedBefore, go: undefined, left });
  }

  /** Resolves when the client has left, or comes anew. Throws `NoSuchClient`. */
  left(name: string): Promise<void> {
    return this.#clientOf(name).left.promise;
  }

  /** Makes the client leave, unless it has come anew meanwhile. Throws `NoSuchClient`. */
  leaver(name: string): () => void {
    const client = this.#clientOf(name);
    return () => {
      if (this.#clients.get(name) === client) this.leave(name);
    };
  }

  /** Throws `NoSuchClient`. */
  leave(name: string): void {
    const client = this.#clientOf(name);
    client.go?.();
    client.left.resolve();
    this.#clients.delete(name);
    this.#stepIfDone();
  }

  /**
   * The client is done with this moment. Resolves at the next one at which it may act. `tookMs`: how long it has
   * thought: what it did counts from now on, it acts again no earlier, and hears then what it was sent meanwhile. Throws
   * `NoSuchClient`; rejects with `NotManual` when the clock goes by itself by now.
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
   * As `done`, once anything was carried since this client came, and then nothing for `quietMs` of the machine: for one
   * that does not say by itself when it is done. A client that left meanwhile, or came anew, is not.
   */
  async doneWhenQuiet(name: string, quietMs: number, untilMs?: number): Promise<void> {
    const client = this.#clientOf(name);
    const isGone = (): boolean => this.#clients.get(name) !== client;
    await this.#quiet.after(client.carriedBefore, quietMs, isGone);
    if (!isGone()) await this.done(name, untilMs);
  }

  /** Lets all clients go. */
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
        // Somebody has set the clock going since the clients came.
        if (error instanceof NotManual) for (const client of clients) release(client, error);
        else this.#options.onBug(error);
      },
    );
  }

  /** The leaders whose time has come; the others otherwise. Whoever thinks hears later. */
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
    // Nobody was to be woken.
    this.#stepIfDone();
  }

  #thinks({ thinksUntilMs }: Client): boolean {
    return this.#options.clock.nowMs() < thinksUntilMs;
  }

  /** Resolves to whether clients outside were sent anything on the way. */
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
