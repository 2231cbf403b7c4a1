/** What of the data folder cannot be written just now. It is tried again; nothing is lost, the journal has it. */
export interface Trouble {
  readonly part: "history" | "snapshots";
  /** Null: it works again. */
  readonly message: string | null;
}
