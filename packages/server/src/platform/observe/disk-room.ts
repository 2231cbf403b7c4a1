/** How much room the disk of the data folder has. */
import { statfs } from "node:fs/promises";

export interface DiskState {
  /** What this process may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export class DiskRoom {
  readonly #folder: string;
  #isLooking = false;
  #last: DiskState | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As it was when somebody last looked; null: nobody has, or the system does not tell. */
  get last(): DiskState | null {
    return this.#last;
  }

  /** Asks the system, which may take its time: another look begins once the last one is over. */
  look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const told = (state: DiskState | null): void => {
      this.#isLooking = false;
      this.#last = state;
    };
    statfs(this.#folder).then(
      ({ bavail, blocks, bsize }) => told({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
      () => told(null),
    );
  }
}
