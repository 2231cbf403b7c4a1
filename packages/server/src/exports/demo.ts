/** The demo's listing and bots, for those who measure the market that they make. */
export { DEMO_ACCOUNTS } from "../demo/accounts.ts";
export { AssetValues } from "../demo/bots/asset-values.ts";
export { openBotAccounts } from "../demo/bots/bot-accounts.ts";
export { Bots, STEP_MS, walkingAssets } from "../demo/bots/bots.ts";
export { moveFactor } from "../demo/day-shape.ts";
export { demoListing, isTrading, liveMarkets } from "../demo/listing.ts";
export { DEMO_MARKETS } from "../demo/markets.ts";
