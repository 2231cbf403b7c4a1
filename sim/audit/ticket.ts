/** One request on its way: what was asked for, and what must come of it once it is known to have been carried out. */
import type { Command } from "@pricetime/engine";
import type { Happening } from "@pricetime/testkit/models";
import type { ClientRequest } from "../world/request.ts";

export interface Ticket {
  readonly id: number;
  /** As it was meant; ids that the gateway makes are filled in when it submits. */
  command: Command;
  /** Undefined: the sequencer was asked from inside the process. */
  readonly request: ClientRequest | undefined;
  state: "sent" | "waiting" | "applied" | "refused" | "unknown";
  timeMs: number;
  seq: number;
  happened: readonly Happening[];
  /** About keys, which the model does not know. */
  said: string | undefined;
  /** The node submitted it by itself. */
  isOwn: boolean;
}

export function newTicket(id: number, command: Command, request: ClientRequest | undefined): Ticket {
  return { id, command, request, state: "sent", timeMs: 0, seq: 0, happened: [], said: undefined, isOwn: false };
}
