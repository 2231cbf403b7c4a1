/** The demo's listing and bots, for those who measure the market that they make. */
export { DEMO_ACCOUNTS } from "../demo/accounts.ts";
export { AssetValues } from "../demo/bots/asset-values.ts";
export { openBotAccounts } from "../demo/bots/bot-accounts.ts";
export { Bots } from "../demo/bots/bots.ts";
export { Random } from "../demo/bots/random.ts";
export { carryOut } from "../demo/bots/carry-out.ts";
export type { MarketHand } from "../demo/bots/conditions.ts";
export { LabAgents } from "../demo/agents/lab-agents.ts";
export { agentSchema, type AgentSettings } from "../config/agent-schema.ts";
export { LabBots, nextStepMs } from "../demo/lab-bots.ts";
export { STEP_MS, walkingAssets } from "../demo/bots/traders.ts";
export { moveFactor } from "../demo/day-shape.ts";
export { demoListing, isTrading, liveMarkets } from "../demo/listing.ts";
export { DEMO_MARKETS, type DemoMarket } from "../demo/markets.ts";
