/** The texts of portfolios in English: what an account owns, its cost and its profit. */
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
    "that time, withdrawals leave at average cost, and withdrawal fees count as a loss. The value of a day is that at its " +
    "end (UTC).",
  none: "No assets yet. They appear here when you deposit or trade.",
  signInInstead:
    "You use an API key. Sign in with your email address and password to see average cost, profit and value over time.",
} as const;
