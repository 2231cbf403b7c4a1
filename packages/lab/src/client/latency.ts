/** The latency of a lab, over HTTP. */
import type { Latency, LatencySetting } from "../types.ts";
import type { Admin } from "./admin.ts";

const PATH = "/v1/lab/latency";

export class LabLatency implements Latency {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  state(): Promise<LatencySetting> {
    return this.#admin.ask("GET", PATH);
  }

  set(setting: LatencySetting): Promise<LatencySetting> {
    return this.#admin.ask("POST", PATH, setting);
  }
}
