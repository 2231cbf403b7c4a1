/** Commands of the account API. */
import type { Command, Event } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import { codeRefusal } from "../sign-in/refused.ts";
import { refusalOf } from "./refused.ts";

/** Returns the events. Rejects with `CustomerRefused`, with `SignInRefused` for its code, and as `Sequencer.run` does. */
export async function carryOut(
  { sequencer }: { readonly sequencer: Sequencer },
  command: Command,
): Promise<readonly Event[]> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  if (first?.type === "rejected") {
    throw codeRefusal(first.reason, command, sequencer.nowMs()) ?? refusalOf(first.reason);
  }
  return events;
}

/** Nobody waits for it, nor is told what came of it: the answer must be the same, and as quick, for everybody. */
export function setOff({ sequencer }: { readonly sequencer: Sequencer }, command: Command): void {
  sequencer.submit(command, () => {});
}
