/** A lab's clock, as a test holds it. */

/** Where the clock stands, and how it moves: by itself, by itself at another speed, or by the test alone. */
export interface ClockState {
  readonly mode: ClockMode;
  readonly nowMs: number;
  /** 1 where a second lasts a second. */
  readonly speed: number;
}
export type ClockMode = "real" | "scaled" | "manual";

export interface ClockChange {
  readonly mode?: ClockMode;
  readonly speed?: number;
  readonly nowMs?: number;
}

/** A moment of the exchange: its time, and the number of the last entry of its journal. */
export interface Moment {
  readonly nowMs: number;
  readonly seq: number;
}

/** The events that an advance may wait for. */
export type AwaitedEvent =
  | { readonly fill: { readonly account?: string; readonly symbol?: string } }
  | { readonly price: { readonly symbol: string; readonly atLeast?: string; readonly atMost?: string } }
  | { readonly deposit: { readonly account?: string; readonly coin?: string } };

/** How far to go. `maxMs` bounds the way, a day by default. */
export type Advance =
  | { readonly ms: number }
  | { readonly toMs: number }
  | { readonly untilIdle: true; readonly maxMs?: number }
  | { readonly untilEvent: AwaitedEvent; readonly maxMs?: number };

export interface Advanced extends Moment {
  /** Whether the awaited event has come; absent when none was awaited. */
  readonly reached?: boolean;
  /** Somebody has ended it on the way: `interrupt`, or a change of the clock. */
  readonly interrupted?: true;
}

export interface Clock {
  /** The exchange's time. */
  now(): Promise<number>;
  state(): Promise<ClockState>;
  /** Changes what is given. Time never goes back. */
  set(change: ClockChange): Promise<ClockState>;
  /** Resolves when all that falls due on the way has happened. A number is milliseconds. */
  advance(by: number | Advance): Promise<Advanced>;
  /** Ends a running advance after the current instant. */
  interrupt(): Promise<Moment>;
  /** Goes on until nothing is due any more, or `maxMs` are over. */
  untilIdle(options?: { readonly maxMs?: number }): Promise<Advanced>;
  /** Goes on until it has happened; rejects with `LabError` `NOT_REACHED` when it did not come before the end. */
  untilEvent(event: AwaitedEvent, options?: { readonly maxMs?: number }): Promise<Advanced>;
  /**
   * Makes the clock wait for a client: lock step. `leads`: the client is woken only at its own times, and before the
   * others, so that its acts at a moment come before theirs.
   */
  join(name: string, options?: { readonly leads?: boolean }): Promise<ClockClient>;
  /** Names of the clients for which the clock waits. */
  clients(): Promise<readonly string[]>;
  /** The clock waits for this client no longer, whoever it is. */
  dismiss(name: string): Promise<void>;
}

/** A client in lock step: no moment passes before it is done with it. */
export interface ClockClient {
  readonly name: string;
  /**
   * Resolves at the client's next moment: at `untilMs`, by default when anything is due; never before the `tookMs` of
   * its thinking are over. `quietMs`: it is done when nobody was sent anything for so long, by the machine's clock;
   * not together with `tookMs`.
   */
  done(options?: { readonly untilMs?: number; readonly tookMs?: number; readonly quietMs?: number }): Promise<Moment>;
  /** Is done with every moment until then: for a test that lets bots live for a while. */
  until(toMs: number): Promise<Moment>;
  /** The clock waits for it no longer. */
  leave(): Promise<void>;
}
