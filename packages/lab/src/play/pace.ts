/** How time passes in a scenario: in lock step with its bot, or at a scaled speed. */
import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "@pricetime/server/scenarios";
import { part } from "../client/admin.ts";
import type { RunningLab } from "../start/exchange.ts";
import type { ClockClient } from "../types.ts";
import { type Bot, STOP_PATIENCE_MS } from "./bot.ts";

/** The names under which the bot and the player join the clock. */
const BOT = "bot";
const PLAYER = "player";
/** Polling intervals in real time: for a clock that runs at a scaled speed, and for a clock that waits for a client. */
const LOOK_MS = 20;
const STILL_LOOK_MS = 500;
/** Real time that a bot has to handle a signal if it cannot confirm it. */
const SIGNAL_PATIENCE_MS = 100;
/** Lab time that a bot has to exit after a signal, and the steps in which the clock advances meanwhile. */
const END_LAB_MS = 10_000;
const END_STEP_MS = 100;

export interface Pace {
  readonly isLockStep: boolean;
  /** The module that a Node bot imports first. */
  readonly preload: string | undefined;
  /** Called after the bot has started. */
  follow(bot: Bot): Promise<void>;
  /** Resolves to the current time once it has reached `toMs`. It may be later if the clock runs at a scaled speed. */
  until(toMs: number): Promise<number>;
  /** Ends the bot. Resolves when it has ended. A bot that does not exit in time is killed. */
  end(bot: Bot): Promise<void>;
}

export async function paceOf(scenario: Scenario, lab: RunningLab): Promise<Pace> {
  const patienceMs = scenario.bot.patience;
  if (scenario.clock.mode === "scaled") return new ScaledPace(lab, scenario.clock.speed);
  // The player acts first at each instant. The bot joins the clock before its process starts, so that the clock waits
  // for it from the beginning.
  const player = await lab.clock.join(PLAYER, { leads: true });
  await lab.clock.join(BOT);
  return new LockStepPace(lab, player, patienceMs);
}

class LockStepPace implements Pace {
  readonly isLockStep = true;
  readonly preload = new URL("../hold/hold.ts", import.meta.url).href;
  readonly #lab: RunningLab;
  readonly #player: ClockClient;
  readonly #patienceMs: number;
  #bot: Bot | undefined;

  constructor(lab: RunningLab, player: ClockClient, patienceMs: number) {
    [this.#lab, this.#player, this.#patienceMs] = [lab, player, patienceMs];
  }

  async follow(bot: Bot): Promise<void> {
    this.#bot = bot;
    // The clock must not wait for a bot that has ended.
    void bot.ended.then(() => this.#leave());
  }

  async until(toMs: number): Promise<number> {
    const { nowMs } = await this.#orStuck(this.#player.done({ untilMs: toMs }));
    await this.#awaitExit();
    return nowMs;
  }

  /**
   * Waits until the exit code is known. The clock continues as soon as the bot's connection closes, which is before its
   * process has ended.
   */
  async #awaitExit(): Promise<void> {
    const bot = this.#bot;
    if (bot === undefined || bot.end !== undefined) return;
    if ((await this.#lab.api.ask<readonly string[]>("GET", "/v1/lab/clock/clients")).includes(BOT)) return;
    this.#bot = undefined;
    await Promise.race([bot.ended, pause(STOP_PATIENCE_MS, undefined, { ref: false })]);
  }

  async end(bot: Bot): Promise<void> {
    // The bot has finished its work for the last instant, but its own clock may still show an earlier time.
    await this.until(await this.#lab.clock.now());
    if (bot.end !== undefined) return;
    bot.send("SIGTERM");
    const kill = setTimeout(() => bot.send("SIGKILL"), STOP_PATIENCE_MS);
    await Promise.race([bot.ended, bot.signaled ?? pause(SIGNAL_PATIENCE_MS)]);
    // The bot also needs lab time to shut down.
    let nowMs = await this.#lab.clock.now();
    const lastMs = nowMs + END_LAB_MS;
    do {
      nowMs = (await this.#player.done({ untilMs: nowMs + END_STEP_MS })).nowMs;
      await this.#awaitExit();
    } while (bot.end === undefined && nowMs < lastMs);
    bot.send("SIGKILL");
    await bot.ended;
    clearTimeout(kill);
  }

  async #leave(): Promise<void> {
    const path = `/v1/lab/clock/clients/${part(BOT)}`;
    // The bot may already have left the clock, or the lab may have ended.
    await this.#lab.api.send(path, { method: "DELETE" }).catch(() => {});
  }

  /** Rejects if the clock waits for the bot for longer than `patienceMs`. */
  async #orStuck<T>(moved: Promise<T>): Promise<T> {
    let isOver = false;
    const settled = moved.finally(() => (isOver = true));
    const watch = async (): Promise<never> => {
      let [lastMs, sinceMs] = [-1, performance.now()];
      for (;;) {
        await pause(STILL_LOOK_MS, undefined, { ref: false });
        if (isOver) return new Promise<never>(() => {});
        const nowMs = await this.#lab.clock.now();
        if (nowMs !== lastMs) [lastMs, sinceMs] = [nowMs, performance.now()];
        if (performance.now() - sinceMs > this.#patienceMs) throw new BotStandsStill(this.#patienceMs);
      }
    };
    return Promise.race([settled, watch()]);
  }
}

class ScaledPace implements Pace {
  readonly isLockStep = false;
  readonly preload = undefined;
  readonly #lab: RunningLab;
  readonly #speed: number;

  constructor(lab: RunningLab, speed: number) {
    [this.#lab, this.#speed] = [lab, speed];
  }

  async follow(): Promise<void> {
    await this.#lab.clock.set({ mode: "scaled", speed: this.#speed });
  }

  async until(toMs: number): Promise<number> {
    for (;;) {
      const nowMs = await this.#lab.clock.now();
      if (nowMs >= toMs) return nowMs;
      await pause(LOOK_MS);
    }
  }

  async end(bot: Bot): Promise<void> {
    bot.send("SIGTERM");
    const kill = setTimeout(() => bot.send("SIGKILL"), STOP_PATIENCE_MS);
    await bot.ended;
    clearTimeout(kill);
    await this.#lab.clock.set({ mode: "manual" });
  }
}

/** The bot did not report that it is done, so the clock waited for it for too long. */
class BotStandsStill extends Error {
  override readonly name = "BotStandsStill";

  constructor(patienceMs: number) {
    const how = "Run it with `node`, let it join the clock, or use clock: scaled";
    super(`The bot has not let the clock advance for ${patienceMs / 1000} s. ${how}`);
  }
}
