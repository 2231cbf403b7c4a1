/** Words and names that must not appear in texts for users, what to write instead, and the exceptions with a reason. */

/** Where a text appears. */
export type Surface = "document" | "page" | "command" | "api" | "setting" | "metric" | "email" | "log";

export interface ForbiddenWord {
  /** Phrases are searched in prose, ignoring case; names in the whole text, including code and URLs. */
  readonly pattern: RegExp;
  readonly instead: string;
  /** Only these surfaces; all if omitted. */
  readonly on?: readonly Surface[];
}

/** A path, and why the word may appear there. A path that ends with `/` is a folder. */
export interface Exception {
  readonly path: string;
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Ignores case and matches at word boundaries. */
function phrase(words: string, instead: string, on?: readonly Surface[]): ForbiddenWord {
  return { pattern: new RegExp(String.raw`\b(?:${words})\b`, "gi"), instead, ...(on === undefined ? {} : { on }) };
}

export const PHRASES: readonly ForbiddenWord[] = [
  phrase(String.raw`coins? of nobody|strays?|(?:unknown|stray) deposits?`, "unattributed deposit"),
  phrase(String.raw`acts? of (?:two|an operator|operators)|operators?[’'] acts?`, "dual approval, operator action"),
  phrase(String.raw`(?:a|the|no|another) second person|two persons`, "second approver, dual approval"),
  phrase(String.raw`proposals?`, "approval request"),
  phrase(String.raw`break(?:s|ing)? the glass|broken glass`, "emergency override"),
  phrase(String.raw`stops? of (?:the venue|trading|withdrawals|deposits|a coin|an asset|a network)`, "suspension"),
  phrase(String.raw`(?:trading|withdrawals|deposits|payments) (?:is|are|was|were) stopped`, "suspended"),
  phrase(
    String.raw`(?<!to )(?:a|the|this|that|our|your|its|each|no|every|one|another|such) letters?(?! or digit)`,
    "email",
  ),
  phrase(String.raw`letters (?:about|of|that|are|were|follow|from)`, "emails"),
  phrase(
    String.raw`(?<![/.-])mails?(?![-/]|\.\w| (?:server|relay|transfer|client|program))|mailed|mailing`,
    "email, emailed",
  ),
  phrase(String.raw`mail address(?:es)?`, "email address"),
  phrase(String.raw`lost passwords?`, "forgotten password"),
  phrase(
    String.raw`(?:freeze|freezes|freezing|froze|frozen) (?:an|the|your|its|his|their|that) accounts?`,
    "lock an account",
  ),
  phrase(String.raw`accounts? (?:is|are|was|were) frozen|frozen accounts?`, "locked account"),
  phrase(String.raw`binding list|bound to its addresses`, "withdrawal address allowlist"),
  phrase(String.raw`venue's own accounts?`, "house account"),
  phrase(String.raw`kept state`, "checkpoint state"),
  phrase(
    String.raw`(?:hold|holds|holding|held) (?:the|its|a) clock|clock (?:is|was) held|held clock`,
    "control the clock",
  ),
  phrase(String.raw`go(?:es|ing)? back to a (?:moment|checkpoint)`, "restore a checkpoint"),
  phrase(String.raw`move[sd]? house|moving house`, "migrate the journal"),
  phrase(String.raw`beg[iau]n(?:s|ning)? anew|set anew|made anew`, "again, new"),
  phrase(String.raw`anew|anyhow|likewise|whereof|at present`, "again, anyway, also, now; or nothing"),
  phrase(String.raw`whoever|whomever|somebody|nobody`, "name the person or program: client, operator, anyone, no one"),
  phrase(String.raw`that which|such as is|all that there is`, "a noun"),
  phrase(String.raw`neighbours?|behaviours?|colours?|licences?|cancelled|cancelling`, "American spelling"),
  phrase(String.raw`for ever`, "permanently, forever"),
  phrase(String.raw`editions? of the rules|rules? editions?|new edition`, "rules version"),
  phrase(
    String.raw`(?:is|are|was|were|be|been|being) told|told otherwise`,
    "is sent, is reported, unless configured otherwise",
  ),
  phrase(String.raw`spoil(?:t|ed)|tidings`, "malformed, ruined, status"),
  phrase(String.raw`worth, about|pay from nowhere|take blocks back|let something go wrong`, "see docs/glossary.md"),
  phrase(String.raw`careless(?:ly)? trad\w+|trad\w+ (?:too )?careless(?:ly)?`, "API trading rules"),
  phrase(String.raw`clocks? (?:that )?(?:leap|leaps|leapt|has leapt)`, "clock jump"),
];

/** Names of 0.2.0 that are deprecated, and names that were never released. */
export const NAMES: readonly ForbiddenWord[] = [
  { pattern: /\bunknown-deposits?\b/g, instead: "unattributed-deposit" },
  {
    pattern: /\bpricetime_(?:stops|unknown_deposits|mails_waiting|mail_failures_total|networks_troubled)\b/g,
    instead: "the metric's name in docs/operate/metrics.md",
  },
  {
    pattern: /\bpricetime_(?:role_\w+|network_payments_under_way|unread_bytes|sockets_unread_bytes)\b/g,
    instead: "the metric's name in docs/operate/metrics.md",
  },
  {
    pattern: /\/v1\/(?:stops|acts|proposals|break-glass|open-deposits|mails|venue)\b/g,
    instead: "the route's name in the admin API's OpenAPI document",
  },
  { pattern: /\/v1\/accounts\/[^/\s]+\/(?:freeze|time-line)\b/g, instead: "/lock, /timeline" },
  { pattern: /\/v1\/symbols\/[^/\s]+\/past\b/g, instead: "/backfilled-candles" },
  { pattern: /\/v1\/withdrawals\/[^/\s]+\/done\b/g, instead: "/complete" },
  {
    pattern: /\bpricetime (?:acts|venue|risks|preview-filters|break-glass)\b/g,
    instead: "audit-log, house-accounts, withdrawal risks, symbol preview-filters, emergency-override",
  },
  { pattern: /\bpricetime stop (?:list|set|lift)\b/g, instead: "pricetime suspension" },
  {
    pattern: /\bpricetime (?:mail|proposal) (?:list|show|send|create|change|approve|reject)\b/g,
    instead: "pricetime email, pricetime approval-request",
  },
  {
    pattern: /\bpricetime account (?:subs|allow|disallow|freeze|time-line)\b/g,
    instead: "sub-accounts, add-address, remove-address, lock, timeline",
  },
  {
    pattern:
      /\bpricetime (?:sandbox fail|withdrawal done|adjustment propose|cluster begin|cluster leave|journal copy)\b/g,
    instead: "inject-fault, complete, request, bootstrap, detach, migrate",
  },
  {
    pattern: /\bpricetime (?:me (?:codes|confirm-codes)|operator (?:remove-codes|open))\b/g,
    instead: "me two-factor, operator remove-two-factor, operator add",
  },
  {
    pattern: /\bpricetime lab (?:dismiss|take-back|heal|forget|play)\b/g,
    instead: "release, cancel, clear-faults, delete-checkpoint, run-scenario",
  },
  {
    pattern:
      /\b(?:paymentsUnderWay|maxUnreadBytesPerIp|noticeUnknownTokens|answerPatienceMs|readPatienceMs|confirmsByMail)\b/g,
    instead: "the setting's name in docs/operate/settings.md",
  },
  { pattern: /\b(?:NEEDS_TWO|UNKNOWN_DEPOSIT\w*)\b/g, instead: "NEEDS_APPROVAL, UNATTRIBUTED_DEPOSIT…" },
];

const INTERFACE = "texts of the trading interface do not change";
const OLD_NAMES = "it lists names of 0.2.0 with their replacements";
const STORED_NAMES = "it maps names that the journal stores";

export const EXCEPTIONS: readonly Exception[] = [
  {
    path: "docs/glossary.md",
    pattern: /^(?:mail|proposal|unknown deposit|likewise|edition)$/i,
    reason: "it lists words that we avoid",
  },
  { path: "docs/guides/upgrade.md", pattern: /./, reason: OLD_NAMES },
  {
    path: "CHANGELOG.md",
    pattern: /^(?:\/v1\/.*|pricetime_.*|unknown-deposits?|NEEDS_TWO|[a-z]+(?:[A-Z][a-z]+)+)$/,
    reason: OLD_NAMES,
  },
  { path: "docs/operate/metrics.md", pattern: /^pricetime_/, reason: OLD_NAMES },
  { path: "packages/server/src/people/admin/", pattern: /^(?:NEEDS_TWO|UNKNOWN_DEPOSIT)$/, reason: STORED_NAMES },
  { path: "docs/operate/settings.md", pattern: /^[a-z]+(?:[A-Z][a-z]+)+$/, reason: OLD_NAMES },
  { path: "packages/server/src/people/admin/deprecated-names.ts", pattern: /./, reason: OLD_NAMES },
  { path: "packages/server/src/program/cli/old-names.ts", pattern: /./, reason: OLD_NAMES },
  { path: "packages/server/src/platform/config/listing-schema.ts", pattern: /^confirmsByMail$/, reason: OLD_NAMES },
  { path: "packages/server/src/platform/config/config-file.ts", pattern: /./, reason: OLD_NAMES },
  { path: "packages/server/src/platform/observe/metrics.ts", pattern: /^pricetime_/, reason: OLD_NAMES },
  { path: "packages/server/src/api/wallet/status.ts", pattern: /^cancelled$/, reason: INTERFACE },
  { path: "deploy/prometheus/alerts.test.yml", pattern: /^mail$/, reason: "the task's name, as the journal stores it" },
];
