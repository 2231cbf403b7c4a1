/** For `node --import`: at SIGUSR2 the machine of the process has slept for an hour. */
import { moveUptime } from "@pricetime/testkit/uptime";

const HOUR_MS = 3_600_000;
const { now } = Date;
let sleptMs = 0;
Date.now = () => now() + sleptMs;
moveUptime(() => sleptMs);
process.on("SIGUSR2", () => (sleptMs += HOUR_MS));
