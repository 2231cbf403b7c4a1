/** The demo's listings and bots, for measuring its markets. */
export { DEMO_ACCOUNTS } from "../../lab/demo/accounts.ts";
export { AssetValues } from "../../lab/demo/bots/asset-values.ts";
export { openBotAccounts } from "../../lab/demo/bots/bot-accounts.ts";
export { Bots, carryOut } from "../../lab/demo/bots/bots.ts";
export { Random } from "../../lab/demo/bots/random.ts";
export type { MarketControl } from "../../lab/demo/bots/orders.ts";
export { LabAgents } from "../../lab/demo/agents/lab-agents.ts";
export { agentSchema, type AgentSettings } from "../../platform/config/lab-schema.ts";
export { LabBots, nextStepMs } from "../../lab/demo/lab-bots.ts";
export { STEP_MS, walkingAssets } from "../../lab/demo/bots/traders.ts";
export { moveFactor } from "../../lab/demo/bots/volatility.ts";
export { demoListing, isTrading, liveMarkets } from "../../lab/demo/listing.ts";
export { DEMO_MARKETS, type DemoMarket } from "../../lab/demo/markets.ts";
