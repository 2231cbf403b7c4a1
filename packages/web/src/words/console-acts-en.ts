/** What the buttons of the admin API's routes say, by route, in English. */
export const consoleActs: Readonly<Record<string, string>> = {
  "GET /healthz": "Ask whether it is alive",
  "GET /readyz": "Ask whether it is ready",
  "GET /metrics": "Save the metrics",
  "GET /v1/cluster": "Show the cluster",
  "GET /v1/search": "Search in detail",

  "POST /v1/symbols": "List a market",
  "PUT /v1/exchange-filters": "Set the exchange's filters",
  "PUT /v1/symbols/{symbol}/status": "Set the status",
  "PUT /v1/symbols/{symbol}/filters": "Set the filters",
  "POST /v1/symbols/{symbol}/filters/preview": "Try filters",
  "POST /v1/symbols/{symbol}/past": "Import candles of its past",

  "POST /v1/assets": "List an asset",
  "PUT /v1/assets/{asset}/networks": "Set its networks",

  "POST /v1/accounts": "Open an account",
  "PATCH /v1/accounts/{account}": "Change rights and rates",
  "PUT /v1/accounts/{account}/status": "Set its status message",
  "POST /v1/accounts/{account}/keys": "Make an API key",
  "DELETE /v1/keys/{apiKey}": "Delete an API key",
  "POST /v1/accounts/{account}/totp": "Make a two-factor secret",
  "DELETE /v1/accounts/{account}/totp": "Take its two-factor secret away",
  "POST /v1/accounts/{account}/addresses": "Allow an address",
  "DELETE /v1/accounts/{account}/addresses": "Take an address off the list",
  "PUT /v1/accounts/{account}/addresses": "Bind it to its addresses",
  "POST /v1/accounts/{account}/deposit-addresses": "Show or make a deposit address",
  "GET /v1/accounts/{account}/fees/{symbol}": "Show its rates of a market",
  "PUT /v1/accounts/{account}/fees/{symbol}": "Set its rates of a market",
  "DELETE /v1/accounts/{account}/fees/{symbol}": "End its rates of a market",
  "DELETE /v1/accounts/{account}/api-trading/lock": "End the lock of its API trading",

  "POST /v1/networks/{network}/deposits": "Report a coin",
  "POST /v1/networks/{network}/deposits/drop": "Take a report back",

  "POST /v1/withdrawals/{withdrawal}/approve": "Approve",
  "POST /v1/withdrawals/{withdrawal}/reject": "Reject",
  "POST /v1/withdrawals/{withdrawal}/cancel": "Cancel for the customer",
  "POST /v1/withdrawals/{withdrawal}/raise-fee": "Raise the network fee",
  "POST /v1/withdrawals/{withdrawal}/done": "Say that it was paid",
  "POST /v1/withdrawals/{withdrawal}/fail": "Say that it cannot be paid",

  "POST /v1/networks/{network}/rescan": "Rescan from a height",
  "POST /v1/networks/{network}/sweep": "Sweep a deposit address",
  "POST /v1/networks/{network}/top-up": "Top up a deposit address",
  "GET /v1/networks/{network}/sandbox": "Show the sandbox",
  "POST /v1/networks/{network}/sandbox/mine": "Mine blocks",
  "POST /v1/networks/{network}/sandbox/faucet": "Pay from nowhere",
  "POST /v1/networks/{network}/sandbox/fault": "Let something go wrong",
  "POST /v1/networks/{network}/sandbox/reorg": "Take blocks back",

  "GET /v1/treasury": "Treasury of another moment",
  "POST /v1/deposits": "Pay in by hand",
  "POST /v1/debits": "Take out by hand",
  "POST /v1/dividends": "Pay a dividend",
  "POST /v1/proofs": "Make a proof of liabilities",
  "GET /v1/proofs/{seq}": "Save a public part",
  "GET /v1/proofs/{seq}/accounts/{account}": "Save a customer's part",

  "POST /v1/mails/{mail}/send": "Send it again",

  "GET /v1/journal/rows": "Save rows of the journal",
  "GET /v1/journal/snapshot": "Save the newest snapshot",

  "PUT /v1/maintenance": "Begin or end maintenance",
  "PUT /v1/dust-rules": "Set how dust is converted",
};
