/** The clocks of the machine, each with its own weakness. */
import os from "node:os";

export interface MachineClocks {
  /** Of the day: anybody may set it, and it may leap. */
  wallMs(): number;
  /** Cannot be set and does not leap. On Linux it stands while the machine sleeps. */
  steadyMs(): number;
  /** Since the machine was switched on, sleep and all. Coarse: up to a second. */
  uptimeMs(): number;
}

export const MACHINE_CLOCKS: MachineClocks = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: () => os.uptime() * 1000,
};
