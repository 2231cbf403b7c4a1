/** Faults on demand, over HTTP. */
import type { Fault, FaultRule, Faults } from "../types.ts";
import { type Admin, part } from "./admin.ts";
import { type KnownAccounts, withAddresses } from "./addresses.ts";

const PATH = "/v1/lab/faults";

export class LabFaults implements Faults {
  readonly #admin: Admin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, accounts: KnownAccounts) {
    [this.#admin, this.#accounts] = [admin, accounts];
  }

  add(rule: FaultRule): Promise<Fault> {
    return this.#admin.ask("POST", PATH, withAddresses(rule, this.#accounts()));
  }

  list(): Promise<readonly Fault[]> {
    return this.#admin.ask("GET", PATH);
  }

  async remove(fault?: Fault | Fault["id"]): Promise<void> {
    const id = typeof fault === "object" ? fault.id : fault;
    await this.#admin.send(id === undefined ? PATH : `${PATH}/${part(String(id))}`, { method: "DELETE" });
  }
}
