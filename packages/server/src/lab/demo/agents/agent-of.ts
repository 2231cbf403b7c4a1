/** Which class each type of agent is. */
import type { AgentSettings } from "../../../platform/config/agent-schema.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import type { Agent, AgentParts } from "./agent.ts";
import { InformedTrader } from "./informed.ts";
import { NoiseTrader } from "./noise.ts";
import { StopHunter } from "./stop-hunter.ts";
import { TrendTaker } from "./trend-taker.ts";
import { WorkedOrder } from "./worked-order.ts";

export function agentOf(parts: AgentParts, settings: AgentSettings, kept?: KeptValue): Agent {
  switch (settings.type) {
    case "noise":
      return new NoiseTrader(parts, settings, kept);
    case "momentum":
    case "reversion":
      return new TrendTaker(parts, settings, kept);
    case "informed":
      return new InformedTrader(parts, settings, kept);
    case "worked":
      return new WorkedOrder(parts, settings, kept);
    case "stop-hunter":
      return new StopHunter(parts, settings, kept);
  }
}
