/** What browsers are served, as seen by the gateway and the admin port, which answer them. */

/** An immutable file. The object stays the same while the file does, so that derived data can be cached. */
export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Headers of this file alone, such as its Content-Security-Policy: names and values in turn. */
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  /** An ETag without its quotes: it changes with the bytes. */
  readonly tag: string;
  /** The CRC-32 of the bytes. */
  readonly crc: number;
}

export interface Web {
  /** The program's version. */
  readonly version: string;
  /**
   * `accept` is the header of that name. Undefined: this is not the address of a page. A promise where the pages are
   * yet to be made; it rejects with errors of the disk, and the next request then makes them again.
   */
  find(path: string, accept: string | undefined): WebFile | Promise<WebFile> | undefined;
}
