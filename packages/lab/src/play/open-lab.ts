/** The lab of a scenario: its node, with the accounts and symbols that the file names. */
import type { Scenario } from "@pricetime/server/scenarios";
import { openAccount } from "../start/accounts.ts";
import { RunningLab } from "../start/exchange.ts";
import { startInProcess } from "../start/in-process.ts";
import type { NodeFlags } from "../start/node.ts";
import { keepSymbols } from "../start/symbols.ts";

/** Warnings are left out: a scenario causes troubles on purpose, and its report tells them. */
const LOG_LEVEL = "error";

/** `repeat`: the one command that plays it again. */
export async function openLab(scenario: Scenario, repeat: string): Promise<RunningLab> {
  const { seed, symbols, accounts, limits, market, start, timing, clock, latency, agents, replays } = scenario;
  const flags: NodeFlags = {
    // Bots begin on a clock that stands, whatever it does then.
    clock: "manual",
    seed,
    limits,
    bots: market === "bots" ? "on" : "off",
    // The time of a clock that goes by itself is known to nobody but to those who ask for it.
    timing: timing ?? (clock.mode === "scaled" ? "off" : "server"),
    ...(start !== undefined && { clockStart: start }),
  };
  const lab = new RunningLab(await startInProcess(flags, LOG_LEVEL), { seed, repeat });
  try {
    if (symbols !== undefined) await keepSymbols(lab.api, symbols);
    const opened = new Map(lab.accounts.map((account) => [account.name, account]));
    for (const wanted of accounts) opened.set(wanted.name, await openAccount(lab.api, wanted, []));
    lab.accounts = [...opened.values()];
    if (latency !== undefined) await lab.latency.set(latency);
    for (const agent of agents) await lab.agents.add(agent);
    for (const replay of replays) await lab.replays.play(replay);
    return lab;
  } catch (error) {
    await lab.stop();
    throw error;
  }
}
