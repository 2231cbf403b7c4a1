/** Whether a node is a lab decides what of `lab/` is even read: of one that is none, nothing but this. */
import type { Config } from "../config/config.ts";
import type { LabGround } from "./lab.ts";
import { NoLab } from "./no-lab.ts";
import type { Lab } from "./port.ts";

/** `config`: as the operator gave it. */
export async function labOf(config: Config, ground: LabGround): Promise<Lab> {
  if (config.lab === null) return new NoLab(config, ground.machine);
  const { RunningLab } = await import("./lab.ts");
  return new RunningLab(config, config.lab, ground);
}
