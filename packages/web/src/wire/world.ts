/**
 * The environment of the terminal: clock, timers, random numbers, requests and sockets. Browsers and Node both provide
 * it.
 */

export interface World {
  /** The machine's clock, which may jump. */
  nowMs(): number;
  /** A monotonic clock. */
  elapsedMs(): number;
  /** Calls `run` once after a delay. The returned function cancels the call. */
  after(delayMs: number, run: () => void): () => void;
  /** A random number from 0 to 1, for jitter. */
  random(): number;
  /** Cryptographically secure random bytes, for IDs that cannot be guessed. */
  randomBytes(count: number): Uint8Array;
  /** Calls `run` each time the network is back or the page becomes visible. The returned function stops this. */
  onWake(run: () => void): () => void;
  /** Calls `run` each time another page of this site has changed a stored value. The returned function stops this. */
  onStored(name: string, run: () => void): () => void;
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
    // Node has neither of these events.
    if (typeof window === "undefined") return () => {};
    const seen = (): void => void (document.visibilityState === "visible" && run());
    window.addEventListener("online", run);
    document.addEventListener("visibilitychange", seen);
    return () => {
      window.removeEventListener("online", run);
      document.removeEventListener("visibilitychange", seen);
    };
  },
  onStored(name, run) {
    if (typeof window === "undefined") return () => {};
    // The key is null if the whole storage was cleared.
    const changed = ({ key }: StorageEvent): void => void ((key === name || key === null) && run());
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  },
  fetch: (address, request) => fetch(address, request),
  openSocket: (address) => new WebSocket(address),
};

/** The parameters of a request. Undefined values are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Encodes query or form parameters. Undefined values are omitted. */
export function queryText(query: Query): string {
  return Object.entries(query)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
