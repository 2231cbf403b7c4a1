/** What browsers are served, as those who answer them know it: the gateway and the admin port. */

/** Not to be changed. The same object while the file is the same, so that what is made of it can be kept. */
export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Of this file alone, as its Content-Security-Policy: names and values in turn. */
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  /** Another when the bytes are others: as an ETag, without its quotes. */
  readonly tag: string;
  /** CRC-32 of the bytes. */
  readonly crc: number;
}

export interface Web {
  /** Of the program. */
  readonly version: string;
  /**
   * `accept`: the header of that name. Undefined: it is no address of a page. A promise where the pages are yet to be
   * made; it rejects with what the disk throws, and who asks again then has them made again.
   */
  find(path: string, accept: string | undefined): WebFile | Promise<WebFile> | undefined;
}
