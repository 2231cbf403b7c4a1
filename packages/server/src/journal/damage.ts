/** What is wrong with a journal, and where. The message is one line for the operator. */

export class JournalDamaged extends Error {
  override readonly name = "JournalDamaged";
  readonly seq: number;

  constructor(seq: number, what: string, options?: ErrorOptions) {
    super(`the journal is damaged at entry ${seq}: ${what}`, options);
    this.seq = seq;
  }
}

/** The file is not a journal, or of a format that this release does not know. */
export class JournalUnreadable extends Error {
  override readonly name = "JournalUnreadable";
}
