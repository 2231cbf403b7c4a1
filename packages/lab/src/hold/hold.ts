/**
 * `node --import pricetime/lab/hold bot.js` runs an unchanged bot by the lab's clock: the bot sees the lab's time, the
 * lab seeds its random source, and the clock waits for it (lock step). `hold/environment.ts` lists the variables.
 */
import { isMainThread } from "node:worker_threads";
import type { ClockState } from "../types.ts";
import { Activity } from "./activity.ts";
import { holdDate, holdTimers, LabTime } from "./timers.ts";
import { seedRandom } from "./random.ts";
import { HELD } from "./environment.ts";
import { LabLine, LockStep, reportSignals } from "./lock-step.ts";

/** Whether this process runs by a lab's clock. */
export const isHeld = await hold(process.env);

async function hold(env: NodeJS.ProcessEnv): Promise<boolean> {
  const url = env[HELD.url];
  if (!isMainThread) return false;
  if (url === undefined) {
    process.stderr.write(`pricetime/lab/hold: ${HELD.url} is not set. This program uses the machine's clock.\n`);
    return false;
  }
  const client = env[HELD.client] ?? "bot";
  const address = { url, token: env[HELD.token] ?? "" };
  const [line, lifeLine] = [new LabLine(address), new LabLine(address)];
  const { mode, nowMs } = await line.ask<ClockState>("GET", "/v1/lab/clock");
  if (mode !== "manual") throw new Error(`pricetime/lab/hold: the lab's clock is ${mode}, but must be manual`);
  await line.ask("POST", "/v1/lab/clock/clients", { name: client });

  const time = new LabTime(nowMs);
  const activity = new Activity(holdTimers(time));
  for (const each of [line, lifeLine]) each.onSocket = (socket) => activity.ignore(socket);
  holdDate(time);
  seedRandom(`${env[HELD.seed] ?? "1"}/${client}`);
  const signalsFile = env[HELD.signalsFile];
  if (signalsFile !== undefined) reportSignals(Number(signalsFile));
  const lockStep = new LockStep({ line, time, activity, client, tookMs: tookMs(env[HELD.tookMs]) });
  process.once("exit", () => {
    lockStep.stop();
    activity.sends.all();
  });
  // This connection closes whenever the process ends for any reason, and the lab then stops waiting for it.
  lifeLine.keepAlive(false);
  lifeLine.ask("GET", `/v1/lab/clock/clients/${encodeURIComponent(client)}`).catch(() => {});
  lockStep.run().catch((error: Error) => {
    // Without its lab, no timer would ever fire again, so the bot exits instead of hanging.
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  return true;
}

function tookMs(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const ms = Number(text);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError(`pricetime/lab/hold: ${HELD.tookMs} must be a whole number of milliseconds, not "${text}"`);
}
