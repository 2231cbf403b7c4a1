/** Texts of the operators' console in English: forms of tasks, fees, invitations and the setup checklist. */
export const consoleSteps = {
  next: "Next",
  back: "Back",
  stepOf: (number: number, count: number, name: string): string => `Step ${number} of ${count}: ${name}`,
  steps: "Steps",
  advanced: "Advanced",
  route: "API route",
  missing: (label: string): string => `Enter a value: ${label}.`,
  notNumber: (label: string): string => `Enter a number, such as 0.01: ${label}.`,
  notPercent: (label: string): string => `Enter a percentage from 0 to 100 with at most two decimals: ${label}.`,
} as const;

export const consoleFees = {
  title: "Change fees",
  account: "Customer (email or account number)",
  customer: "Customer",
  noAccount: "Enter the customer's email address or account number.",
  noSuchAccount: "No account found.",
  markets: "Markets",
  allMarkets: "All markets",
  onlyMarket: (symbol: string): string => `Only ${symbol}`,
  maker: "Maker fee (%)",
  taker: "Taker fee (%)",
  current: "Current",
  changed: "New",
  fee: "Fee",
  makerName: "Maker",
  takerName: "Taker",
  affects: (who: string): string => `Applies to ${who}, to all trades from now on, including those of open orders.`,
  except: "Markets for which this customer has own fees keep those.",
  onlyHere: (symbol: string): string => `On ${symbol} only. It replaces the customer's general fees there.`,
  same: "Change at least one fee.",
  venue: "Fees of new accounts",
  venueHelp:
    "From the configuration (fees.makerBps and fees.takerBps), applied after a restart to accounts that are opened from then on. Existing accounts keep their fees; change them on the page of the account.",
} as const;

export const consoleInvite = {
  customer: "Invite customer",
  operator: "Invite operator",
  email: "Email",
  badEmail: "Enter an email address.",
  name: "Name",
  noName: "Enter the customer's name.",
  operatorName: "Name for signing in",
  operatorNameHelp:
    "Lower-case letters, digits, and . _ - after the first letter. The journal records actions under this name.",
  badOperatorName: "Start with a lower-case letter, and use only lower-case letters, digits, and . _ -",
  role: "Role",
  fees: (maker: string, taker: string): string => `Fees: maker ${maker}, taker ${taker}`,
  theyGet: "What happens next",
  customerGets: (life: string): string =>
    `The customer gets a link that is valid for ${life}, chooses a password and can then sign in. The account opens at that moment.`,
  operatorGets: (life: string): string =>
    `The operator gets a link that is valid for ${life}, chooses a password and can then sign in to this console.`,
  byEmail: "We send the link by email. You see it once as well.",
  noMail: "No mail server is configured, so no email is sent. You see the link once: send it over a private channel.",
  opensAt: (url: string): string => `The link opens ${url}. Customers must be able to reach this address (publicUrl).`,
  linkByHand: "Shown only once. Anyone with this link can choose the password: send it over a private channel.",
} as const;

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

export const consoleSetup = {
  title: "Set up your venue",
  progress: (done: number, count: number): string => `${done} of ${count} done`,
  done: "done",
  open: "open",
  invited: "invited",
  count: (present: number, needed: number): string => `${present} of ${needed}`,
  optional: "optional",
  show: (page: string): string => `Show ${page}`,
  steps: {
    operator: {
      title: "Invite operators",
      help: "Two or more, so that they do not share the admin token and one can approve what another requests.",
    },
    network: {
      title: "Run a network",
      help: "Networks are in the configuration (wallet.networks): manual for banks, sandbox for tests, EVM chains.",
    },
    asset: { title: "List assets", help: "A market needs two, for example BTC and EUR." },
    assetNetwork: {
      title: "Let customers deposit an asset",
      help: "Choose the networks of an asset, with fee and limits.",
    },
    market: { title: "List a market", help: "Choose two assets and type a price; all other values are suggested." },
    mail: {
      title: "Configure a mail server",
      help: "In the configuration (email.smtp). Without one, emails are stored here: customers confirm withdrawals by links that you send them.",
    },
    approvals: {
      title: "Set approval rules",
      help: "Which withdrawals and actions need two operators. Networks have a limit above which one operator approves.",
    },
    customer: {
      title: "Invite a customer",
      help: "The customer chooses a password and signs in at the account pages.",
    },
    deposit: {
      title: "Receive the first deposit",
      help: "Record a bank transfer, or wait for the first one of a chain.",
    },
  },
} as const;
