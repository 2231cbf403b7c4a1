/** The markets of a lab over HTTP: moves of a symbol's market, agents, and replays of recorded markets. */
import type {
  AgentGroup,
  Agents,
  AgentsWanted,
  Market,
  MarketState,
  Replay,
  Replays,
  ReplayWanted,
  Swing,
  When,
} from "../types.ts";
import { type Admin, LabError, type Origin, part } from "./admin.ts";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

type Answer = Record<string, unknown>;

const MARKETS_PATH = "/v1/lab/markets";

export const marketsOf = (admin: Admin): Promise<readonly MarketState[]> => admin.ask("GET", MARKETS_PATH);

export class LabMarket implements Market {
  readonly symbol: string;
  readonly #admin: Admin;

  constructor(admin: Admin, symbol: string) {
    this.#admin = admin;
    this.symbol = symbol;
  }

  state(): Promise<MarketState> {
    return this.#admin.ask("GET", this.#path);
  }

  move(move: Readonly<Answer>): Promise<Answer> {
    return this.#admin.ask("POST", this.#path, move);
  }

  fairPrice(price: string, when: When = {}): Promise<Answer> {
    return this.move({ ...when, fairPrice: price });
  }

  crash(options: Swing & When): Promise<Answer> {
    return this.#swing("crash", options);
  }

  spike(options: Swing & When): Promise<Answer> {
    return this.#swing("spike", options);
  }

  dryUp({ side, forMs, ...when }: { readonly side: "BUY" | "SELL"; readonly forMs: number } & When): Promise<Answer> {
    return this.move({ ...when, dryUp: { side, forMs } });
  }

  halt(when: When = {}): Promise<Answer> {
    return this.move({ ...when, halt: true });
  }

  resume(when: When = {}): Promise<Answer> {
    return this.move({ ...when, resume: true });
  }

  async clear(id?: number): Promise<void> {
    await this.#admin.send(id === undefined ? this.#path : `${this.#path}/${id}`, { method: "DELETE" });
  }

  #swing(kind: "crash" | "spike", { percent, overMs, recoverMs, ...when }: Swing & When): Promise<Answer> {
    return this.move({ ...when, [kind]: { percent, overMs, ...(recoverMs !== undefined && { recoverMs }) } });
  }

  get #path(): string {
    return `${MARKETS_PATH}/${part(this.symbol)}`;
  }
}

const AGENTS_PATH = "/v1/lab/agents";

type GroupOrId = AgentGroup | AgentGroup["id"];

export class LabAgents implements Agents {
  readonly #admin: Admin;

  constructor(admin: Admin) {
    this.#admin = admin;
  }

  add(wanted: AgentsWanted): Promise<AgentGroup> {
    return this.#admin.ask("POST", AGENTS_PATH, wanted);
  }

  list(): Promise<readonly AgentGroup[]> {
    return this.#admin.ask("GET", AGENTS_PATH);
  }

  turnOff(group: GroupOrId): Promise<AgentGroup> {
    return this.#admin.ask("POST", pathOfAgents(group), { isOn: false });
  }

  turnOn(group: GroupOrId): Promise<AgentGroup> {
    return this.#admin.ask("POST", pathOfAgents(group), { isOn: true });
  }

  async remove(group: GroupOrId): Promise<void> {
    await this.#admin.send(pathOfAgents(group), { method: "DELETE" });
  }
}

const pathOfAgents = (group: GroupOrId): string =>
  `${AGENTS_PATH}/${part(String(typeof group === "object" ? group.id : group))}`;

const REPLAYS_PATH = "/v1/lab/replays";
/** The polling interval, in real time, for the progress of the check of large files. */
const LOOK_MS = 100;

type ReplayOrId = Replay | Replay["id"];

export class LabReplays implements Replays {
  readonly #admin: Pick<Admin, "ask" | "send">;
  readonly #origin: Origin;

  constructor(admin: Pick<Admin, "ask" | "send">, origin: Origin) {
    [this.#admin, this.#origin] = [admin, origin];
  }

  async play(wanted: ReplayWanted): Promise<Replay> {
    const files = wanted.files.map((file) => resolve(file));
    let replay = await this.#admin.ask<Replay>("POST", REPLAYS_PATH, { ...wanted, files });
    while (replay.state === "checking") {
      await pause(LOOK_MS);
      const { id } = replay;
      replay = (await this.list()).find((one) => one.id === id) ?? this.#fail("UNKNOWN_REPLAY", "It was removed.");
    }
    return replay.state === "failed" ? this.#fail("BAD_FILE", replay.error ?? "") : replay;
  }

  list(): Promise<readonly Replay[]> {
    return this.#admin.ask("GET", REPLAYS_PATH);
  }

  pause(replay: ReplayOrId): Promise<Replay> {
    return this.#admin.ask("POST", pathOfReplay(replay), { state: "paused" });
  }

  resume(replay: ReplayOrId): Promise<Replay> {
    return this.#admin.ask("POST", pathOfReplay(replay), { state: "playing" });
  }

  setSpeed(replay: ReplayOrId, speed: number): Promise<Replay> {
    return this.#admin.ask("POST", pathOfReplay(replay), { speed });
  }

  step(replay: ReplayOrId, rows = 1): Promise<Replay> {
    return this.#admin.ask("POST", `${pathOfReplay(replay)}/step`, { rows });
  }

  async remove(replay: ReplayOrId): Promise<void> {
    await this.#admin.send(pathOfReplay(replay), { method: "DELETE" });
  }

  /** Throws the error of a request that was first accepted and then failed. */
  #fail(code: string, message: string): never {
    throw new LabError({ status: 200, code, message }, this.#origin);
  }
}

const pathOfReplay = (replay: ReplayOrId): string =>
  `${REPLAYS_PATH}/${part(String(typeof replay === "object" ? replay.id : replay))}`;
