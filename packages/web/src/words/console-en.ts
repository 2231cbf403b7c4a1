/** What stands around the pages of the console, in English. */
import { consoleStops } from "./console-desk-en.ts";

export const consoleSays = {
  console: "Console",
  acts: "Acts",
  act: "Act",
  dismissed: "The node does not know you any more: the session is over, or the token is another. Sign in again.",
  actsCarry: "What you do here carries this name in the journal",
  // The search.
  search: "Search",
  searchHint: "Id, address, transaction, mail, client order id",
  searching: "Searching …",
  nothingFound: (text: string): string => `Nothing is called ${text}.`,
  searchCut: "There is more: say it more exactly.",
  // The state of the node.
  ready: "Serving",
  notReady: "Not serving",
  inMaintenance: "Maintenance",
  notReached: "Not reached",
  awaiting: (count: number): string => `${count} await approval`,
  // Requests.
  noJson: (status: number): string => `HTTP ${status}, and no answer of the admin API.`,
  unreachable: "The node cannot be reached.",
  // Lists.
  all: "All",
  firstPage: "First page",
  nextPage: "Next page",
  close: "Close",
  yes: "Yes",
  no: "No",
} as const;

export const consolePages = {
  overview: "Overview",
  markets: "Markets",
  assets: "Assets",
  accounts: "Accounts",
  deposits: "Deposits",
  withdrawals: "Withdrawals",
  networks: "Networks",
  treasury: "Treasury",
  proposals: "Proposals",
  operators: "Operators",
  mail: "Mail",
  journal: "Journal",
  acts: "Acts",
  venue: "Venue",
  me: "You",
} as const;

const apart = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
/** What the words of a name stand for, where that is not the word itself. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/ bps$/, " (bps)"],
  [/ ms$/, " (ms)"],
  [/\bip\b/, "IP"],
  [/\bapi\b/, "API"],
  [/\btx id\b/, "transaction id"],
];

function fieldName(name: string): string {
  const text = UNITS.reduce((said, [form, unit]) => said.replace(form, unit), apart(name));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Objects as confirmations name them. */
export const consoleSubjects = {
  account: (email: string, name: string, number: string): string =>
    email === "" ? number : `${email}${name === "" ? "" : `, ${name}`} (${number})`,
  asset: (asset: string, name: string): string => (name === "" ? asset : `${asset}, ${name}`),
  market: "Market",
  status: "Status",
  to: "To",
  subject: "Subject",
} as const;

export const consoleForms = {
  /** `makerBps` is "Maker (bps)". */
  fieldName,
  /** `filters.priceFilter.tickSize` is "Filters › Price filter › Tick size". */
  placeName: (at: string): string => at.split(".").map(fieldName).join(" › "),
  /** A value that is one of several, as it is chosen. */
  choiceName: (field: string, value: string): string => (field === "scope" ? consoleStops.scopeName(value) : value),
  asking: "Loading …",
  optional: (first: string): string => (first === "" ? "optional" : `optional: ${first}`),
  notSent: "not sent",
  yes: "Yes",
  no: "No",
  none: "–",
  empty: "empty",
  asJson: "As JSON.",
  oneALine: "One a line.",
  row: (number: number): string => `Row ${number}`,
  takeAway: (number: number): string => `Take row ${number} away`,
  add: "Add a row",
  more: (count: number): string => `and ${count} more`,
  missing: "Missing.",
  notWhole: "A whole number.",
  atLeast: (least: number): string => `At least ${least}.`,
  atMost: (most: number): string => `At most ${most}.`,
  tooLong: (most: number): string => `At most ${most} characters.`,
  notLike: (example: string): string =>
    example === "" ? "Not of the right form." : `Not of the right form, such as ${example}.`,
  // Buttons.
  cancel: "Cancel",
  back: "Back",
  look: "Review",
  done: (what: string, warnings: string): string => `Done: ${what}.${warnings === "" ? "" : ` ${warnings}`}`,
  found: (count: number): string =>
    count === 1
      ? "It found 1 coin that was passed over."
      : `It found ${count === 0 ? "no coin that was" : `${count} coins that were`} passed over.`,
  // The confirmation.
  by: "Carried out by",
  typeName: (name: string): string => `Type ${name} to go on`,
  changes: "Changes",
  what: "What",
  before: "Now",
  after: "Then",
  notThere: "not there",
  goes: "goes",
  noChange: "This changes nothing.",
  preview: "What it would refuse",
  previewing: "Asking what it would refuse …",
  wouldRefuse: (refused: number, open: number, accounts: number): string =>
    refused === 0
      ? `Of ${open} open orders it would refuse none, were they placed now.`
      : `Of ${open} open orders it would refuse ${refused}, of ${accounts} accounts, were they placed now. They stay in the book.`,
  byReason: (reason: string, count: number): string => `${count} by ${reason}`,
  overCount: (filter: string, accounts: number): string =>
    `${accounts} accounts have more open orders than ${filter} allows.`,
  // Secrets.
  onceOnly: "Shown only once. Copy it now and send it over a private channel.",
  linkSent: (email: string): string =>
    `Anyone who has this link can choose the password: send it over a private channel. The email to ${email}, listed under Mail, contains the same link.`,
  iHaveIt: "I have it",
  copy: "Copy",
  copyName: (name: string): string => `Copy: ${name}`,
  isCopied: "Copied",
} as const;
