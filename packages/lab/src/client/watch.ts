/** What accounts and markets of a lab live through, over HTTP. */
import type { Told, Watch, Watched, WatchRecord } from "../types.ts";
import type { KnownAccounts } from "./addresses.ts";
import type { Admin } from "./admin.ts";

const PATH = "/v1/lab/watch";

export class LabWatch implements Watch {
  readonly #admin: Admin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, accounts: KnownAccounts) {
    [this.#admin, this.#accounts] = [admin, accounts];
  }

  begin({ accounts = [], symbols = [] }: Watched): Promise<Pick<Told, "last">> {
    const known = new Map(this.#accounts().map(({ name, email }) => [name, email]));
    const addresses = accounts.map((account) => known.get(account) ?? account);
    return this.#admin.ask("PUT", PATH, { accounts: addresses, symbols });
  }

  async look(after = 0): Promise<Told> {
    const records: WatchRecord[] = [];
    let lost = 0;
    // One answer does not hold any number of records.
    for (let seen = after; ; ) {
      const told = await this.#admin.ask<Told>("GET", `${PATH}?after=${seen}`);
      for (const record of told.records) records.push(record);
      lost += told.lost;
      seen = told.records.at(-1)?.number ?? told.last;
      if (seen >= told.last) return { records, last: told.last, lost };
    }
  }

  async end(): Promise<void> {
    await this.#admin.send(PATH, { method: "DELETE" });
  }
}
