/** What the console says of acts of several and of the whole venue, in English: proposals, stops, adjustments, coins of nobody. */
const apart = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();

const ACTS: Readonly<Record<string, string>> = {
  approveWithdrawal: "Approve a withdrawal",
  rejectWithdrawal: "Reject a withdrawal",
  settleUnknownDeposit: "Settle a coin of nobody",
  adjust: "Adjust a balance",
  invite: "Invite",
  deposit: "Pay in by hand",
  debit: "Take out by hand",
};

/** `setApprovalRules` is "Set approval rules". */
function actName(type: string): string {
  const text = ACTS[type] ?? apart(type);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const consoleProposals = {
  title: "Proposals",
  proposal: "Proposal",
  queue: "Acts that wait for others",
  none: "Nothing waits for a second person.",
  act: "The act",
  actName,
  wouldDo: "What it would do",
  age: "Waits",
  what: "What",
  said: "In detail",
  why: "Why",
  author: "By",
  version: "Version",
  approvals: "Approved",
  approvedBy: (count: number, needed: number): string => `${count} of ${needed}`,
  nobodyYet: "nobody yet",
  until: "Over at",
  created: "Proposed",
  changed: "Changed",
  ownProposal: "You wrote of it, so others must approve it.",
  otherRole: (right: string): string => `Whoever approves it must have the right "${right}", which your role lacks.`,
  tokenCannot:
    "It needs two persons, and the admin token stands for none: sign in by your name and password to propose it.",
  openProposal: "Open the proposal",
  proposedBy: (authors: string, approvals: string): string =>
    approvals === "" ? `proposed by ${authors}` : `proposed by ${authors}, approved by ${approvals}`,
  // A refusal that can be proposed.
  needsTwo: (count: number): string =>
    count === 1
      ? "Nothing was done: this needs a second person. Propose it, and another operator approves it."
      : `Nothing was done about ${count} of them: these need a second person. Propose them, and another operator approves them.`,
  whyAsked: "Why, for whoever approves it",
  proposeIt: "Propose it",
  proposed: (count: number): string =>
    count === 1 ? "Proposed: it waits for another operator." : `Proposed: ${count} acts wait for another operator.`,
  // Rules.
  rules: "Rules of approval",
  approvalsNeeded: "Approvals besides the author's",
  withdrawalsAbove: "Withdrawals above",
  noLimit: "no limit: one person approves any",
  actsOfTwo: "Acts of two persons",
  noActs: "none but those below",
  always: "Always",
  alwaysTwo: "adjustments, and coins of nobody that are credited or kept",
  // Breaking the glass.
  glass: "Breaking the glass",
  glassWhole: "The rules stand.",
  glassHelp:
    "For a venue whose second person is gone: a day after it is announced, the rules of approval end. All operators get a letter, and each of them can stop it.",
  glassBroken: (moment: string, left: string): string =>
    `The rules of approval end at ${moment}${left === "" ? "" : `, in ${left}`}.`,
  glassBy: (by: string, why: string): string => `Announced by ${by}: ${why}`,
  stopGlass: "Stop it",
} as const;

const SCOPES: Readonly<Record<string, string>> = {
  trading: "all trading",
  placing: "new orders (cancels are taken)",
  withdrawals: "all withdrawals",
};

function scopeName(scope: string): string {
  const [kind = "", name = ""] = scope.split(":");
  if (kind === "asset") return `the asset ${name}`;
  return kind === "network" ? `the network ${name}` : (SCOPES[scope] ?? scope);
}

export const consoleStops = {
  title: "Stops",
  stopped: "Stopped:",
  none: "Nothing is stopped.",
  scope: "Stopped",
  scopeName,
  why: "Why",
  by: "By",
  since: "Since",
  until: "Until",
  untilLifted: "it is lifted",
  stop: { trading: "Stop all trading", placing: "Cancel-only", withdrawals: "Stop withdrawals" },
  lift: "Lift",
  liftOne: (what: string): string => `Lift the stop of ${what}`,
  lookAt: "Look",
} as const;

export const consoleAdjustments = {
  none: "Nothing was adjusted.",
  time: "Time",
  account: "Account",
  amount: "Amount",
  asset: "Asset",
  house: "Against",
  category: "Category",
  why: "Why",
  reference: "Reference",
  by: "By",
} as const;

export const consoleUnknownDeposits = {
  title: "Coins of nobody",
  none: "No coin of nobody is there.",
  shown: { seen: "Those that wait", all: "All" },
  age: "Seen",
  network: "Network",
  amount: "Amount",
  coin: "Coin",
  reason: "Why it is nobody's",
  reasons: {
    unknownAddress: "address unknown",
    unknownAsset: "asset not listed",
    noTag: "no tag",
    wrongNetwork: "wrong network",
    other: "other",
  } as Readonly<Record<string, string>>,
  address: "Address",
  txId: "Transaction",
  status: "Status",
  statuses: {
    seen: "waits",
    credit: "credited",
    keep: "kept by the treasury",
    dismiss: "dismissed",
    deposit: "a customer's after all",
  } as Readonly<Record<string, string>>,
  account: "Account",
  why: "Why",
  settle: "Settle",
  settleOne: (amount: string, coin: string): string => `Settle ${amount} ${coin}`,
} as const;
