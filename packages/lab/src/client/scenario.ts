/** The scenario that is played on a lab, over HTTP. */
import type { ToldScenario, ToldScenarios } from "../types.ts";
import type { Admin } from "./admin.ts";

const PATH = "/v1/lab/scenario";

export class LabScenario implements ToldScenarios {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  state(): Promise<ToldScenario | null> {
    return this.#admin.ask("GET", PATH);
  }

  tell(told: ToldScenario): Promise<ToldScenario> {
    return this.#admin.ask("PUT", PATH, told);
  }

  async end(): Promise<void> {
    await this.#admin.send(PATH, { method: "DELETE" });
  }
}
