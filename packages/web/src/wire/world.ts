/**
 * The environment that the terminal needs: clock, timers, random bytes, requests and sockets. Browsers and Node provide
 * all of it.
 */

export interface World {
  /** The machine's time, which may jump. */
  nowMs(): number;
  /** A monotonic time. */
  elapsedMs(): number;
  /** Runs `run` once, later. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** From 0 to 1, for jitter. */
  random(): number;
  /** Bytes for IDs that cannot be guessed. */
  randomBytes(count: number): Uint8Array;
  /** Calls `run` when the network is back or the page becomes visible. The returned function stops it. */
  onWake(run: () => void): () => void;
  fetch(address: string, request: RequestInit): Promise<Response>;
  openSocket(address: string): WebSocket;
}

export const MACHINE: World = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  onWake(run) {
    // Node has neither.
    if (typeof window === "undefined") return () => {};
    const seen = (): void => void (document.visibilityState === "visible" && run());
    window.addEventListener("online", run);
    document.addEventListener("visibilitychange", seen);
    return () => {
      window.removeEventListener("online", run);
      document.removeEventListener("visibilitychange", seen);
    };
  },
  fetch: (address, request) => fetch(address, request),
  openSocket: (address) => new WebSocket(address),
};

/** The parameters of a request. Undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Encodes form or query parameters. Undefined values are omitted. */
export function queryText(query: Query): string {
  return Object.entries(query)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
