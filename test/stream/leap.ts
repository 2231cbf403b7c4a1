/** For `node --import`: at SIGUSR2 the clock of the process leaps by an hour. */
const HOUR_MS = 3_600_000;
const now = Date.now;
let leaptMs = 0;
Date.now = () => now() + leaptMs;
process.on("SIGUSR2", () => (leaptMs += HOUR_MS));
