/** Texts of the operators' console in English: listing an asset. */
export const consoleListAsset = {
  title: "List asset",
  steps: { asset: "Asset", networks: "Networks", review: "Review" },
  code: "Asset code",
  codeHelp: "As clients see it, in capital letters: BTC, EUR.",
  badCode: "An asset code has 1 to 20 capital letters and digits.",
  taken: (asset: string): string => `${asset} is already listed.`,
  name: "Name",
  decimals: "Decimals of the ledger",
  decimalsHelp:
    "Permanent. Keep 8 in most cases, even for currencies with cents: fills are rounded to this unit. What a network can transfer is set per network.",
  badDecimals: "Enter a whole number from 0 to 8.",
  noNetworks:
    "This node runs no networks, so customers cannot deposit or withdraw the asset. Add networks to the configuration (wallet.networks) and restart the node. You can list the asset now and set its networks later.",
  networksHelp: "Choose the networks by which customers deposit and withdraw this asset.",
  kinds: {
    manual: "manual: operators record deposits and make payments",
    sandbox: "sandbox: simulated, for tests",
    evm: "EVM chain",
  } as Readonly<Record<string, string>>,
  fee: "Withdrawal fee",
  least: "Minimum withdrawal",
  step: "Smallest transferable unit",
  stepHelp: "For example 0.01 for a bank transfer in euros. Empty: the unit of the ledger.",
  approvalAbove: "Operator approval above",
  approvalHelp: "Withdrawals above this amount wait for an operator. Empty: none wait.",
  confirmations: "Confirmations until tradable",
  finality: "Confirmations until withdrawable",
  confirmationsHelp: "Empty: the default of the network.",
  onNetwork: (label: string, network: string): string => `${label}, ${network}`,
  use: (network: string, kind: string): string => `${network} (${kind})`,
  preview: "What customers see",
  deposit: (network: string): string => `Deposit by ${network}`,
  withdraw: (network: string): string => `Withdraw by ${network}`,
  creditedAfter: (count: string): string =>
    count === ""
      ? "credited after the network's confirmations"
      : `tradable after ${count} ${count === "1" ? "confirmation" : "confirmations"}`,
  byOperator: "credited when an operator records the payment",
  feeAnd: (fee: string, least: string, step: string, asset: string): string =>
    `Fee ${fee} ${asset}${least === "" ? "" : `, minimum ${least} ${asset}`}${step === "" ? "" : `, in steps of ${step} ${asset}`}`,
  approvals: "Withdrawals that wait for an operator",
  above: (amount: string, asset: string): string => `Above ${amount} ${asset}`,
  nothing: "Neither deposits nor withdrawals",
  warnings: {
    noNetwork: "Without a network, only operators can credit this asset.",
    noFee: (network: string): string => `${network}: withdrawals are free. The venue pays the network's fee.`,
    leastBelowFee: (network: string): string => `${network}: the minimum withdrawal is not above the fee.`,
    noApproval: (network: string): string =>
      `${network}: withdrawals of any size are paid without an operator's approval.`,
  },
  /** Names by asset code, suggested when the code is typed. */
  names: {
    ...{ BTC: "Bitcoin", ETH: "Ether", USDT: "Tether USD", USDC: "USD Coin", BNB: "BNB", SOL: "Solana", XRP: "XRP" },
    ...{ ADA: "Cardano", DOGE: "Dogecoin", LTC: "Litecoin", DOT: "Polkadot", LINK: "Chainlink", TRX: "TRON" },
    ...{ EUR: "Euro", USD: "US Dollar", GBP: "Pound Sterling", CHF: "Swiss Franc", JPY: "Japanese Yen" },
  } as Readonly<Record<string, string>>,
} as const;
