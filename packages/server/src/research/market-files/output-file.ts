/**
 * An output file whose name ends in `.part` until it is complete. Written synchronously, so that only one chunk is in
 * memory. `-` is standard output.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Number of characters buffered before a write. */
const PIECE_LENGTH = 1 << 16;
const STDOUT = 1;
/** The pause before retrying a write to a full pipe. */
const FULL_PIPE_MS = 2;

/** The file cannot be written; the message is one line with the path. */
export class OutputRefused extends Error {
  override readonly name = "OutputRefused";
}

export class OutputFile {
  readonly path: string;
  readonly #part: string;
  #file: number;
  #text = "";

  /** Creates the file. Throws `OutputRefused` if it exists and must not be overwritten, or if it cannot be created. */
  constructor(path: string, { overwrite }: { readonly overwrite: boolean }) {
    this.path = path;
    this.#part = `${path}.part`;
    if (path === "-") this.#file = STDOUT;
    else {
      checkAbsent(path, overwrite);
      this.#file = this.#told(() => openSync(this.#part, "w", 0o600));
    }
  }

  addText(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_LENGTH) this.#flush();
  }

  /** Appends bytes. Throws `OutputRefused` on a write error. */
  addBytes(bytes: Uint8Array): void {
    this.#flush();
    this.#write(bytes);
  }

  /** Completes the file and gives it its final name. */
  finish(): void {
    this.#flush();
    if (this.#file === STDOUT) return;
    this.#told(() => {
      fsyncSync(this.#file);
      closeSync(this.#file);
      this.#file = -1;
      renameSync(this.#part, this.path);
    });
  }

  /** Deletes the incomplete file. */
  abandon(): void {
    if (this.#file === STDOUT) return;
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
    rmSync(this.#part, { force: true });
  }

  #flush(): void {
    if (this.#text === "") return;
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    this.#write(bytes);
  }

  /** Writes all bytes. A write to a nearly full disk may be partial; only the next write fails. */
  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += this.#told(() => this.#writeSome(bytes, at));
  }

  #writeSome(bytes: Uint8Array, at: number): number {
    try {
      return writeSync(this.#file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
      return 0;
    }
  }

  #told<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const name = this.path === "-" ? "standard output" : this.path;
      throw new OutputRefused(`${name} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Checks that a file can be created. Throws `OutputRefused` if it exists and must not be overwritten. */
export function checkAbsent(path: string, overwrite: boolean): void {
  if (overwrite || path === "-" || !existsSync(path)) return;
  throw new OutputRefused(`${path} exists already. Choose another file, or use --overwrite.`);
}
