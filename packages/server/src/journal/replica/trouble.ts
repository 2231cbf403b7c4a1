/** A part of the data folder that cannot be written at the moment. It is retried; the journal has everything. */
export interface Trouble {
  readonly part: "history" | "snapshots";
  /** Null: it works again. */
  readonly message: string | null;
}
