/** Tickets of requests: the auditor knows the expected outcome of each command from its ticket. */
import type { Command } from "@pricetime/engine";
import type { Ids } from "@pricetime/server/parts";
import { newTicket, type Ticket } from "../audit/ticket.ts";
import type { ClientRequest } from "./request.ts";

export class Tickets {
  /** The ticket of the request that is passed to a node now; undefined if a node acts on its own. */
  current: Ticket | undefined;
  /** The ids that the gateway has generated for the current request. */
  generated: string[] = [];
  #ids = 0;
  #count = 0;

  readonly ids: Ids = {
    clientOrderId: () => this.#generate(`c${++this.#ids}`.padEnd(22, "x")),
    listenKey: () => this.#generate(`k${++this.#ids}`.padEnd(64, "x")),
    withdrawalId: () => this.#generate(`5eed${(++this.#ids).toString(16).padStart(28, "0")}`),
  };

  /** `request` is absent for a command from inside the process. */
  add(command: Command, request?: ClientRequest): Ticket {
    return newTicket(++this.#count, command, request);
  }

  /** Passes a request with this ticket to a node. */
  with(ticket: Ticket, act: () => void): void {
    this.current = ticket;
    this.generated = [];
    act();
    this.current = undefined;
  }

  #generate(id: string): string {
    this.generated.push(id);
    return id;
  }
}
