/** Texts of the operators' console in English: recording a deposit on a manual network. */
export const consoleRecordDeposit = {
  complete: "Complete deposit",
  network: "Network",
  noNetwork: "No manual network runs. Deposits on other networks are recorded without an operator.",
  noAsset: "No asset uses this network. On the Assets page, set the networks of an asset.",
  asset: "Asset",
  amount: "Amount",
  enterAmount: "Enter an amount.",
  customerHelp:
    "Type the payment reference, which is the customer's account number, or an email address or a name. Then select the customer.",
  txId: "Transaction ID",
  txIdHelp: "The bank's reference of this payment. The same ID is credited only once.",
  enterId: "Enter the transaction ID.",
  recorded: (amount: string, customer: string, status: string): string => `${amount} for ${customer}: ${status}.`,
  status: "Status",
  statuses: { success: "Received", credited: "Received, not withdrawable yet", pending: "Announced" },
  statusHelp: {
    success: "The customer can trade and withdraw the amount at once.",
    credited: "The customer can trade the amount, and withdraw it when you complete the deposit.",
    pending: "The customer sees a pending deposit. The amount is credited when you complete the deposit.",
  },
} as const;
