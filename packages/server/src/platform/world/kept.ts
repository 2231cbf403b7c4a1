/** What a room keeps beside the journal, as plain JSON: a lab's checkpoint holds it. */
export type KeptValue =
  | null
  | boolean
  | number
  | string
  | readonly KeptValue[]
  | { readonly [name: string]: KeptValue };

/** A room with such state. `kept()` at a settled moment; a room made with what `kept` gave goes on as if nothing had happened. */
export interface Keeping {
  kept(): KeptValue;
}
