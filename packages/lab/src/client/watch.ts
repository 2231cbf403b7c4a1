/** Events of the accounts and markets of a lab, and the status of the running scenario, over HTTP. */
import type { WatchPage, ScenarioStatus, ScenarioReporting, Watch, Watched, WatchRecord } from "../types.ts";
import type { Admin, KnownAccounts } from "./admin.ts";

const WATCH_PATH = "/v1/lab/watch";

export class LabWatch implements Watch {
  readonly #admin: Admin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, accounts: KnownAccounts) {
    [this.#admin, this.#accounts] = [admin, accounts];
  }

  begin({ accounts = [], symbols = [] }: Watched): Promise<Pick<WatchPage, "last">> {
    const known = new Map(this.#accounts().map(({ name, email }) => [name, email]));
    const addresses = accounts.map((account) => known.get(account) ?? account);
    return this.#admin.ask("PUT", WATCH_PATH, { accounts: addresses, symbols });
  }

  async look(after = 0): Promise<WatchPage> {
    const records: WatchRecord[] = [];
    let lost = 0;
    // One answer has a limited number of records, so requests are repeated until none is left.
    for (let seen = after; ; ) {
      const page = await this.#admin.ask<WatchPage>("GET", `${WATCH_PATH}?after=${seen}`);
      for (const record of page.records) records.push(record);
      lost += page.lost;
      seen = page.records.at(-1)?.number ?? page.last;
      if (seen >= page.last) return { records, last: page.last, lost };
    }
  }

  async end(): Promise<void> {
    await this.#admin.send(WATCH_PATH, { method: "DELETE" });
  }
}

const SCENARIO_PATH = "/v1/lab/scenario";

export class LabScenario implements ScenarioReporting {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  state(): Promise<ScenarioStatus | null> {
    return this.#admin.ask("GET", SCENARIO_PATH);
  }

  tell(status: ScenarioStatus): Promise<ScenarioStatus> {
    return this.#admin.ask("PUT", SCENARIO_PATH, status);
  }

  async end(): Promise<void> {
    await this.#admin.send(SCENARIO_PATH, { method: "DELETE" });
  }
}
