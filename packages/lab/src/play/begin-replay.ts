/** Begins a recorded market of a scenario, whose files are known to be good then. */
import { setTimeout as pause } from "node:timers/promises";
import type { Admin } from "../client/admin.ts";

const PATH = "/v1/lab/replays";
/** How often to ask how far the look at large files is; machine time. */
const LOOK_MS = 100;

interface Listed {
  readonly id: number;
  readonly state: string;
  readonly error?: string;
}

/** Rejects with `LabError` when the node refuses, and with the node's words when it has found a bad row. */
export async function beginReplay(api: Pick<Admin, "ask">, settings: object): Promise<void> {
  const { id, ...begun } = await api.ask<Listed>("POST", PATH, settings);
  let replay: Pick<Listed, "state" | "error"> | undefined = begun;
  while (replay?.state === "checking") {
    await pause(LOOK_MS);
    replay = (await api.ask<Listed[]>("GET", PATH)).find((one) => one.id === id);
  }
  if (replay?.state === "failed") throw new Error(replay.error);
}
