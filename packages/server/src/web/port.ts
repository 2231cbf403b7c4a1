/** What browsers are served, as those who answer them know it: the gateway and the admin port. */

export interface WebFile {
  readonly status: number;
  readonly contentType: string;
  /** Of this file alone, as its Content-Security-Policy: names and values in turn. */
  readonly headers: readonly string[];
  /** Not to be changed. The same object while the file is the same, so that what is made of it can be kept. */
  readonly bytes: Buffer;
}

export interface Web {
  /** Of the program. */
  readonly version: string;
  /** `accept`: the header of that name. Undefined: it is no address of a page. */
  find(path: string, accept: string | undefined): WebFile | undefined;
}
