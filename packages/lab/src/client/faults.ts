/** Fault injection and latency, over HTTP. */
import type { Fault, FaultRule, Faults, Latency, LatencySetting } from "../types.ts";
import { type Admin, type KnownAccounts, part, withAddresses } from "./admin.ts";

const FAULTS_PATH = "/v1/lab/faults";

export class LabFaults implements Faults {
  readonly #admin: Admin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, accounts: KnownAccounts) {
    [this.#admin, this.#accounts] = [admin, accounts];
  }

  add(rule: FaultRule): Promise<Fault> {
    return this.#admin.ask("POST", FAULTS_PATH, withAddresses(rule, this.#accounts()));
  }

  list(): Promise<readonly Fault[]> {
    return this.#admin.ask("GET", FAULTS_PATH);
  }

  async remove(fault?: Fault | Fault["id"]): Promise<void> {
    const id = typeof fault === "object" ? fault.id : fault;
    await this.#admin.send(id === undefined ? FAULTS_PATH : `${FAULTS_PATH}/${part(String(id))}`, { method: "DELETE" });
  }
}

const LATENCY_PATH = "/v1/lab/latency";

export class LabLatency implements Latency {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  state(): Promise<LatencySetting> {
    return this.#admin.ask("GET", LATENCY_PATH);
  }

  set(setting: LatencySetting): Promise<LatencySetting> {
    return this.#admin.ask("POST", LATENCY_PATH, setting);
  }
}
