/** Recorded markets on a lab, over HTTP. */
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Replay, Replays, ReplayWanted } from "../types.ts";
import { type Admin, part } from "./admin.ts";
import { LabError, type Origin } from "./refusal.ts";

const PATH = "/v1/lab/replays";
/** How often to ask how far the look at large files is; machine time. */
const LOOK_MS = 100;

type Named = Replay | Replay["id"];

export class LabReplays implements Replays {
  readonly #admin: Pick<Admin, "ask" | "send">;
  readonly #origin: Origin;

  constructor(admin: Pick<Admin, "ask" | "send">, origin: Origin) {
    [this.#admin, this.#origin] = [admin, origin];
  }

  async play(wanted: ReplayWanted): Promise<Replay> {
    const files = wanted.files.map((file) => resolve(file));
    let replay = await this.#admin.ask<Replay>("POST", PATH, { ...wanted, files });
    while (replay.state === "checking") {
      await pause(LOOK_MS);
      const { id } = replay;
      replay = (await this.list()).find((one) => one.id === id) ?? this.#fail("UNKNOWN_REPLAY", "It was removed.");
    }
    return replay.state === "failed" ? this.#fail("BAD_FILE", replay.error ?? "") : replay;
  }

  list(): Promise<readonly Replay[]> {
    return this.#admin.ask("GET", PATH);
  }

  pause(replay: Named): Promise<Replay> {
    return this.#admin.ask("POST", pathOf(replay), { state: "paused" });
  }

  resume(replay: Named): Promise<Replay> {
    return this.#admin.ask("POST", pathOf(replay), { state: "playing" });
  }

  setSpeed(replay: Named, speed: number): Promise<Replay> {
    return this.#admin.ask("POST", pathOf(replay), { speed });
  }

  step(replay: Named, rows = 1): Promise<Replay> {
    return this.#admin.ask("POST", `${pathOf(replay)}/step`, { rows });
  }

  async remove(replay: Named): Promise<void> {
    await this.#admin.send(pathOf(replay), { method: "DELETE" });
  }

  /** It was accepted, and then came to nothing. */
  #fail(code: string, message: string): never {
    throw new LabError({ status: 200, code, message }, this.#origin);
  }
}

const pathOf = (replay: Named): string => `${PATH}/${part(String(typeof replay === "object" ? replay.id : replay))}`;
