/** Loads the rest of `lab/` only when the node is a lab; for other nodes this file is all that is read. */
import type { Config } from "../platform/config/config.ts";
import type { LabGround } from "./lab.ts";
import { NoLab } from "./no-lab.ts";
import type { Lab } from "./port.ts";

/** `config`: as the operator gave it. */
export async function labOf(config: Config, ground: LabGround): Promise<Lab> {
  if (config.lab === null) return new NoLab(config, ground.machine);
  const { RunningLab } = await import("./lab.ts");
  return new RunningLab(config, config.lab, ground);
}
