/**
 * The environment that the terminal needs: clock, timers, random bytes, requests and sockets. Browsers and Node have
 * all of it.
 */

export interface World {
  /** The time of the machine's clock, which may leap. */
  nowMs(): number;
  /** Never goes back. */
  elapsedMs(): number;
  /** Runs it once, later; what is returned keeps it from being run. */
  after(delayMs: number, run: () => void): () => void;
  /** From 0 to 1, for waiting times. */
  random(): number;
  /** Bytes for names that nobody can guess. */
  randomBytes(count: number): Uint8Array;
  /** The network is back, or the page is looked at again. What is returned ends the telling. */
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
