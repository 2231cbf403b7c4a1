/** A file of a market that cannot be used; the message is one line that begins with the file's name. */
import { basename } from "node:path";

export class BadMarketFile extends Error {
  override readonly name = "BadMarketFile";

  /** `line`: from 1; absent when the whole file is meant. */
  constructor(path: string, line: number | undefined, why: string, options?: ErrorOptions) {
    super(`${basename(path)}${line === undefined ? "" : `, line ${line}`}: ${why}`, options);
  }
}
