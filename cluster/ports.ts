/** Ports on loopback for the parts of a cluster. */
import { createServer } from "node:net";

export const HOST = "127.0.0.1";
/** Below the ephemeral ports, so that a port is still free when a part restarts. */
const HIGHEST_PORT = 32_000;
const LOWEST_PORT = 10_000;

/** Whether the port is free. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", () => done(false));
    server.listen(port, HOST, () => server.close(() => done(true)));
  });
}

/** Returns free ports from `first` on, a different one at each call; `taken` are ports that other parts will use. */
export class FreePorts {
  readonly #taken: Set<number>;
  #next: number;

  /**
   * Starts at the clients' port + 1; without one at a random port, so that two clusters that start together rarely
   * conflict.
   */
  constructor(first: number | undefined, taken: Iterable<number>) {
    this.#taken = new Set(taken);
    this.#next = first ?? LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT - 1000));
  }

  async take(): Promise<number> {
    for (;;) {
      const port = this.#next;
      this.#next = port >= 65_535 ? LOWEST_PORT : port + 1;
      if (this.#taken.has(port) || !(await isFree(port))) continue;
      this.#taken.add(port);
      return port;
    }
  }
}
