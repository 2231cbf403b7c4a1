/** How the time of a scenario passes: in lock step with its bot, or by itself. */
import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "@pricetime/server/scenarios";
import { part } from "../client/admin.ts";
import type { RunningLab } from "../start/exchange.ts";
import type { ClockClient } from "../types.ts";
import { type Bot, STOP_PATIENCE_MS } from "./bot.ts";

/** The name of the bot and of the player at the clock. */
const BOT = "bot";
const PLAYER = "player";
/** How often to look at a clock that runs by itself, and at one that stands because a client works; machine time. */
const LOOK_MS = 20;
const STILL_LOOK_MS = 500;
/** Time that a bot gets to notice a signal that it cannot confirm; machine time. */
const HEARD_PATIENCE_MS = 100;
/** Time of the lab that a bot gets after it was told to end, and the steps in which it passes. */
const END_LAB_MS = 10_000;
const END_STEP_MS = 100;

export interface Pace {
  readonly isLockStep: boolean;
  /** What a bot of Node's imports first. */
  readonly preload: string | undefined;
  /** The bot has been started. */
  follow(bot: Bot): Promise<void>;
  /** Resolves when it is `toMs`, or later where the clock goes by itself: to the time. */
  until(toMs: number): Promise<number>;
  /** Resolves when the bot has ended; it is killed when it does not. */
  end(bot: Bot): Promise<void>;
}

export async function paceOf(scenario: Scenario, lab: RunningLab): Promise<Pace> {
  const patienceMs = scenario.bot.patience;
  if (scenario.clock.mode === "scaled") return new ByItself(lab, scenario.clock.speed);
  // The player acts first at each moment. The bot's place is held before the bot is there.
  const player = await lab.clock.join(PLAYER, { leads: true });
  await lab.clock.join(BOT);
  return new InLockStep(lab, player, patienceMs);
}

class InLockStep implements Pace {
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
    // The clock does not wait for a bot that has ended.
    void bot.ended.then(() => this.#leave());
  }

  async until(toMs: number): Promise<number> {
    const { nowMs } = await this.#orStuck(this.#player.done({ untilMs: toMs }));
    await this.#hearOut();
    return nowMs;
  }

  /** The clock goes on as soon as a bot's connection ends, which it does before the bot has: how it ended is heard first. */
  async #hearOut(): Promise<void> {
    const bot = this.#bot;
    if (bot === undefined || bot.end !== undefined) return;
    if ((await this.#lab.api.ask<readonly string[]>("GET", "/v1/lab/clock/clients")).includes(BOT)) return;
    this.#bot = undefined;
    await Promise.race([bot.ended, pause(STOP_PATIENCE_MS, undefined, { ref: false })]);
  }

  async end(bot: Bot): Promise<void> {
    // The last moment is the bot's, too: what it does then it has done, and its time is not that of its last one.
    await this.until(await this.#lab.clock.now());
    if (bot.end !== undefined) return;
    bot.send("SIGTERM");
    const kill = setTimeout(() => bot.send("SIGKILL"), STOP_PATIENCE_MS);
    await Promise.race([bot.ended, bot.heard ?? pause(HEARD_PATIENCE_MS)]);
    // A bot's last acts need time of the lab's clock, too.
    let nowMs = await this.#lab.clock.now();
    const lastMs = nowMs + END_LAB_MS;
    do {
      nowMs = (await this.#player.done({ untilMs: nowMs + END_STEP_MS })).nowMs;
      await this.#hearOut();
    } while (bot.end === undefined && nowMs < lastMs);
    bot.send("SIGKILL");
    await bot.ended;
    clearTimeout(kill);
  }

  async #leave(): Promise<void> {
    const path = `/v1/lab/clock/clients/${part(BOT)}`;
    // It may have left by itself, or the lab has ended.
    await this.#lab.api.send(path, { method: "DELETE" }).catch(() => {});
  }

  /** Rejects when the clock has stood for longer than a bot is waited for. */
  async #orStuck<T>(moved: Promise<T>): Promise<T> {
    let isOver = false;
    const settled = moved.finally(() => (isOver = true));
    const watch = async (): Promise<never> => {
      let [standsAtMs, sinceMs] = [-1, performance.now()];
      for (;;) {
        await pause(STILL_LOOK_MS, undefined, { ref: false });
        if (isOver) return new Promise<never>(() => {});
        const nowMs = await this.#lab.clock.now();
        if (nowMs !== standsAtMs) [standsAtMs, sinceMs] = [nowMs, performance.now()];
        if (performance.now() - sinceMs > this.#patienceMs) throw new BotStandsStill(this.#patienceMs);
      }
    };
    return Promise.race([settled, watch()]);
  }
}

class ByItself implements Pace {
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

/** The clock waits for a bot that does not say that it is done. */
class BotStandsStill extends Error {
  override readonly name = "BotStandsStill";

  constructor(patienceMs: number) {
    const how = "Run it with `node`, let it join the clock, or use clock: scaled";
    super(`The bot has not let the clock advance for ${patienceMs / 1000} s. ${how}`);
  }
}
