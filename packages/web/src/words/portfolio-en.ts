/** The texts of portfolios and fees in English: what an account owns, its cost, its profit, and what trades cost. */
export const portfolioWords = {
  title: "Assets",
  summary: "Value and profit",
  totals: "Totals",
  account: "Account",
  own: "This account",
  columns: {
    asset: "Asset",
    quantity: "Quantity",
    averageCost: (asset: string): string => `Average cost (${asset})`,
    price: (asset: string): string => `Last price (${asset})`,
    cost: (asset: string): string => `Cost (${asset})`,
    value: (asset: string): string => `Value (${asset})`,
    unrealized: (asset: string): string => `Unrealized profit (${asset})`,
    realized: (asset: string): string => `Realized profit (${asset})`,
  },
  value: "Value",
  cost: "Cost",
  unrealized: "Unrealized profit",
  realized: "Realized profit",
  valueOverTime: (asset: string): string => `Value over time (${asset})`,
  period: "Period",
  ranges: { "30": "30 days", "90": "90 days", "365": "1 year" },
  now: "now",
  noDays: "The chart starts with the end of the first day (UTC).",
  withoutPrice: (assets: readonly string[]): string => `Without a price, and not included: ${assets.join(", ")}.`,
  incomplete: "Leaves out amounts whose cost is not known.",
  method:
    "Weighted average cost from all your trades, after fees. Deposits and other credits come in at the market price at " +
    "that time, withdrawals leave at average cost, and withdrawal fees and trading fees in a discount asset count as a " +
    "loss. The value of a day is that at its end (UTC).",
  none: "No assets yet. They appear here when you deposit or trade.",
  signInInstead:
    "You use an API key. Sign in with your email address and password to see average cost, profit and value over time.",
} as const;

export const customerFees = {
  own: "Your fee rates",
  title: "Fees by market",
  help: "An order that waits in the order book pays the maker fee; an order that executes immediately pays the taker fee.",
  discount: (asset: string): string => `Pay fees in ${asset}`,
  discountIsOn: (asset: string, percent: string): string =>
    `You pay trading fees in ${asset}, with a discount of ${percent}.`,
  discountIsOff: (asset: string, percent: string): string =>
    `Pay trading fees in ${asset} and save ${percent} of them.`,
  discountHelp: (asset: string): string =>
    `Each fee is converted at the average ${asset} price of the last five minutes and taken from your available ${asset}. If you have too little ${asset}, if it has no price in the asset that you receive, or if a market does not take part, you pay the full fee in the asset that you receive. Open orders are included.`,
  discountEnded: "The exchange no longer offers the discount. You pay fees in the asset that you receive.",
  discountOn: (asset: string): string => `Start paying fees in ${asset}`,
  discountOff: "Stop paying fees in another asset",
  discountIsSwitchedOn: (asset: string): string => `You now pay fees in ${asset} where possible.`,
  discountIsSwitchedOff: "You now pay fees in the asset that you receive.",
  none: "No markets yet. Fees are listed here once the exchange opens a market.",
  market: "Market",
  maker: "Maker",
  taker: "Taker",
} as const;
