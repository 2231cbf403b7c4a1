/** For `node --import`: at SIGUSR2 the machine of the process has slept for an hour. */
import os from "node:os";

const HOUR_MS = 3_600_000;
const { now } = Date;
const { uptime } = os;
let sleptMs = 0;
Date.now = () => now() + sleptMs;
os.uptime = () => uptime() + sleptMs / 1000;
process.on("SIGUSR2", () => (sleptMs += HOUR_MS));
