/** One pending request: the command, and its expected outcome once it is known to have been executed. */
import type { Command, InterfaceName } from "@pricetime/engine";
import type { Happening } from "@pricetime/testkit/models";
import type { ClientRequest } from "../world/request.ts";

export interface Ticket {
  readonly id: number;
  /** As requested. The IDs that the gateway generates are filled in when it submits the command. */
  command: Command;
  /** Undefined for a command submitted inside the process. */
  readonly request: ClientRequest | undefined;
  /** The interface of the venue that it was sent to. */
  interface: InterfaceName;
  /** The last time at which today's interface may carry it out. */
  untilMs: number;
  state: "sent" | "waiting" | "applied" | "refused" | "unknown";
  timeMs: number;
  seq: number;
  happened: readonly Happening[];
  /** The expected outcome for keys, which the model does not cover. */
  keyOutcome: string | undefined;
  /** The node submitted it on its own. */
  isOwn: boolean;
}

export function newTicket(id: number, command: Command, request: ClientRequest | undefined): Ticket {
  const ended = { timeMs: 0, seq: 0, happened: [], keyOutcome: undefined, isOwn: false };
  return { id, command, request, interface: "2019", untilMs: Number.POSITIVE_INFINITY, state: "sent", ...ended };
}
