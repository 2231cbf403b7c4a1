/** The clock of a lab and its checkpoints, over HTTP. */
import type {
  Advance,
  Advanced,
  AwaitedEvent,
  Checkpoint,
  Checkpoints,
  Clock,
  ClockChange,
  ClockClient,
  ClockState,
  Moment,
  Restore,
} from "../types.ts";
import { type Admin, type KnownAccounts, LabError, type Origin, part, withAddresses } from "./admin.ts";

const LAB_CLOCK_PATH = "/v1/lab/clock";

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
    return this.#admin.ask("GET", LAB_CLOCK_PATH);
  }

  async set(change: ClockChange): Promise<ClockState> {
    // The API requires the mode in every change, but a test that sets only the time should not have to specify it.
    const mode = change.mode ?? (await this.state()).mode;
    return this.#admin.ask("POST", LAB_CLOCK_PATH, { ...change, mode });
  }

  advance(by: number | Advance): Promise<Advanced> {
    return this.#admin.ask(
      "POST",
      `${LAB_CLOCK_PATH}/advance`,
      typeof by === "number" ? { ms: by } : withAddresses(by, this.#accounts()),
    );
  }

  interrupt(): Promise<Moment> {
    return this.#admin.ask("DELETE", `${LAB_CLOCK_PATH}/advance`);
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
    const clients = `${LAB_CLOCK_PATH}/clients`;
    await this.#admin.ask("POST", clients, leads === undefined ? { name } : { name, leads });
    const release = this.#admin.hold(`${clients}/${part(name)}`);
    const done = (options: object = {}): Promise<Moment> =>
      this.#admin.ask("POST", `${LAB_CLOCK_PATH}/done`, { name, ...options });
    return {
      name,
      done,
      until: async (toMs): Promise<Moment> => {
        // The player also wakes up whenever another client acts, so it waits until the time is reached.
        let instant = await done({ untilMs: toMs });
        while (instant.nowMs < toMs) instant = await done({ untilMs: toMs });
        return instant;
      },
      leave: async (): Promise<void> => {
        await this.dismiss(name);
        release();
      },
    };
  }

  clients(): Promise<readonly string[]> {
    return this.#admin.ask("GET", `${LAB_CLOCK_PATH}/clients`);
  }

  async dismiss(name: string): Promise<void> {
    await this.#admin.send(`${LAB_CLOCK_PATH}/clients/${part(name)}`, { method: "DELETE" });
  }
}

const CHECKPOINTS_PATH = "/v1/lab/checkpoints";

export class LabCheckpoints implements Checkpoints {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  make(name: string, options: { readonly replace?: boolean } = {}): Promise<Checkpoint> {
    return this.#admin.ask("POST", CHECKPOINTS_PATH, { name, ...options });
  }

  restore(name: string, options: Restore = {}): Promise<Checkpoint> {
    return this.#admin.ask("POST", `${CHECKPOINTS_PATH}/${part(name)}/restore`, options);
  }

  reset(options: Restore = {}): Promise<Omit<Checkpoint, "name">> {
    return this.#admin.ask("POST", "/v1/lab/reset", options);
  }

  takeStart(): Promise<Omit<Checkpoint, "name">> {
    return this.#admin.ask("PUT", "/v1/lab/reset");
  }

  list(): Promise<readonly Checkpoint[]> {
    return this.#admin.ask("GET", CHECKPOINTS_PATH);
  }

  show(name: string): Promise<Record<string, unknown>> {
    return this.#admin.ask("GET", `${CHECKPOINTS_PATH}/${part(name)}`);
  }

  async delete(name: string): Promise<void> {
    await this.#admin.send(`${CHECKPOINTS_PATH}/${part(name)}`, { method: "DELETE" });
  }

  export(name: string): Promise<Uint8Array> {
    return this.#admin.send(`${CHECKPOINTS_PATH}/${part(name)}/file`, { method: "GET" });
  }

  async import(name: string, file: Uint8Array): Promise<Checkpoint> {
    const headers = { "content-type": "application/octet-stream" };
    const answer = await this.#admin.send(`${CHECKPOINTS_PATH}/${part(name)}/file`, {
      method: "POST",
      headers,
      body: file,
    });
    return JSON.parse(new TextDecoder().decode(answer)) as Checkpoint;
  }
}
