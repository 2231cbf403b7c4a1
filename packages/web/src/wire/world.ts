/** What the terminal needs of the machine beneath it. A browser and Node have all of it. */

export interface World {
  /** By the machine's clock, which may leap. */
  nowMs(): number;
  /** Never goes back. */
  elapsedMs(): number;
  /** Runs it once, later; what is returned keeps it from being run. */
  after(delayMs: number, run: () => void): () => void;
  /** From 0 to 1, for waiting times. */
  random(): number;
  /** For names that nobody can guess. */
  randomBytes(count: number): Uint8Array;
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
  fetch: (address, request) => fetch(address, request),
  openSocket: (address) => new WebSocket(address),
};
