/** Whether a market trades, in a word and a colour. */
import { TRADING } from "./symbol.ts";

export function StatusTag({ status }: { status: string }) {
  return <span class={`tag ${status === TRADING ? "good" : "warn"}`}>{status}</span>;
}
