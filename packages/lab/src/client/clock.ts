/** The clock of a lab, over HTTP. */
import type { Advance, Advanced, AwaitedEvent, Clock, ClockChange, ClockClient, ClockState, Moment } from "../types.ts";
import { type Admin, part } from "./admin.ts";
import { type KnownAccounts, withAddresses } from "./addresses.ts";
import { LabError, type Origin } from "./refusal.ts";

const PATH = "/v1/lab/clock";

export class LabClock implements Clock {
  readonly #admin: Admin;
  readonly #origin: Origin;
  readonly #accounts: KnownAccounts;

  constructor(admin: Admin, origin: Origin, accounts: KnownAccounts) {
    [this.#admin, this.#origin, this.#accounts] = [admin, origin, accounts];
  }

  async now(): Promise<number> {
    return (await this.state()).nowMs;
  }

  state(): Promise<ClockState> {
    return this.#admin.ask("GET", PATH);
  }

  async set(change: ClockChange): Promise<ClockState> {
    // The mode is part of every change; a test that sets the time alone does not mean to change it.
    const mode = change.mode ?? (await this.state()).mode;
    return this.#admin.ask("POST", PATH, { ...change, mode });
  }

  advance(by: number | Advance): Promise<Advanced> {
    return this.#admin.ask(
      "POST",
      `${PATH}/advance`,
      typeof by === "number" ? { ms: by } : withAddresses(by, this.#accounts()),
    );
  }

  interrupt(): Promise<Moment> {
    return this.#admin.ask("DELETE", `${PATH}/advance`);
  }

  untilIdle(options: { readonly maxMs?: number } = {}): Promise<Advanced> {
    return this.advance({ untilIdle: true, ...options });
  }

  async untilEvent(event: AwaitedEvent, options: { readonly maxMs?: number } = {}): Promise<Advanced> {
    const advanced = await this.advance({ untilEvent: event, ...options });
    if (advanced.reached !== false) return advanced;
    const message = `${JSON.stringify(event)} did not occur until ${new Date(advanced.nowMs).toISOString()}`;
    throw new LabError({ status: 200, code: "NOT_REACHED", message }, this.#origin);
  }

  async join(name: string, { leads }: { readonly leads?: boolean } = {}): Promise<ClockClient> {
    const clients = `${PATH}/clients`;
    await this.#admin.ask("POST", clients, leads === undefined ? { name } : { name, leads });
    const letGo = this.#admin.hold(`${clients}/${part(name)}`);
    const done = (options: object = {}): Promise<Moment> =>
      this.#admin.ask("POST", `${PATH}/done`, { name, ...options });
    return {
      name,
      done,
      until: async (toMs): Promise<Moment> => {
        // It is woken whenever another client is.
        let moment = await done({ untilMs: toMs });
        while (moment.nowMs < toMs) moment = await done({ untilMs: toMs });
        return moment;
      },
      leave: async (): Promise<void> => {
        await this.dismiss(name);
        letGo();
      },
    };
  }

  clients(): Promise<readonly string[]> {
    return this.#admin.ask("GET", `${PATH}/clients`);
  }

  async dismiss(name: string): Promise<void> {
    await this.#admin.send(`${PATH}/clients/${part(name)}`, { method: "DELETE" });
  }
}
