/** Events of accounts and markets of a lab, and the scenario that is played on it, over HTTP. */
import type { Told, ToldScenario, ToldScenarios, Watch, Watched, WatchRecord } from "../types.ts";
import type { Admin, KnownAccounts } from "./admin.ts";

const WATCH_PATH = "/v1/lab/watch";

export class LabWatch implements Watch {
  readonly #admin: Admin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, accounts: KnownAccounts) {
    [this.#admin, this.#accounts] = [admin, accounts];
  }

  begin({ accounts = [], symbols = [] }: Watched): Promise<Pick<Told, "last">> {
    const known = new Map(this.#accounts().map(({ name, email }) => [name, email]));
    const addresses = accounts.map((account) => known.get(account) ?? account);
    return this.#admin.ask("PUT", WATCH_PATH, { accounts: addresses, symbols });
  }

  async look(after = 0): Promise<Told> {
    const records: WatchRecord[] = [];
    let lost = 0;
    // One answer does not hold any number of records.
    for (let seen = after; ; ) {
      const told = await this.#admin.ask<Told>("GET", `${WATCH_PATH}?after=${seen}`);
      for (const record of told.records) records.push(record);
      lost += told.lost;
      seen = told.records.at(-1)?.number ?? told.last;
      if (seen >= told.last) return { records, last: told.last, lost };
    }
  }

  async end(): Promise<void> {
    await this.#admin.send(WATCH_PATH, { method: "DELETE" });
  }
}

const SCENARIO_PATH = "/v1/lab/scenario";

export class LabScenario implements ToldScenarios {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  state(): Promise<ToldScenario | null> {
    return this.#admin.ask("GET", SCENARIO_PATH);
  }

  tell(told: ToldScenario): Promise<ToldScenario> {
    return this.#admin.ask("PUT", SCENARIO_PATH, told);
  }

  async end(): Promise<void> {
    await this.#admin.send(SCENARIO_PATH, { method: "DELETE" });
  }
}
