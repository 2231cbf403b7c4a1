/** What the node tells pages of a demo: its public accounts, to a browser on the demo's own machine only. */
import { useAsked } from "./asked.ts";
import type { Desk } from "./desk.ts";

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface Facts {
  readonly demo: boolean;
  readonly accounts: readonly DemoAccount[];
}

/** Null: the node is no demo, or it is not known yet. */
export function useDemo(desk: Desk): Facts | null {
  const { value } = useAsked(desk, "facts", (wire) => wire.exchange<Facts>("GET", "/terminal.json"), { isStill: true });
  return value?.demo === true ? value : null;
}
