/** The part of the history port that operators ask: what happened to an account, and whose something is. */

export const TIME_LINE_KINDS = ["order", "trade", "money", "key", "access", "act"] as const;
export type TimeLineKind = (typeof TIME_LINE_KINDS)[number];

/** A place in a time line. Things of one moment are told apart by their list, its symbol and their id in it. */
export interface TimeLinePlace {
  readonly timeMs: number;
  readonly list: number;
  readonly symbolId: number;
  readonly id: number;
}

export interface TimeLineQuestion {
  readonly kinds: readonly TimeLineKind[];
  /** Only what comes after this place, which is what happened before it. */
  readonly before?: TimeLinePlace | undefined;
  readonly limit: number;
}

/** Something that happened; other fields are those of its kind. */
export interface TimeLineRow {
  readonly timeMs: number;
  readonly kind: TimeLineKind;
  readonly what: string;
  readonly id: number | string;
  readonly [field: string]: unknown;
}

export interface TimeLine {
  /** Newest first. */
  readonly rows: readonly TimeLineRow[];
  /** The place of the last row; null: nothing comes after it. */
  readonly last: TimeLinePlace | null;
}

export interface FindQuestion {
  readonly text: string;
  readonly limit: number;
}

/** What has that id, address or transaction. */
export interface Found {
  readonly kind: "order" | "orderList" | "trade" | "deposit" | "withdrawal" | "unknownDeposit" | "act";
  readonly id: string;
  /** Null: a trade is of two, an act may concern nobody, and a coin may be nobody's. */
  readonly accountId: number | null;
  readonly label: string;
  readonly timeMs: number;
  readonly symbol?: string;
  readonly asset?: string;
  readonly network?: string;
  readonly status?: string;
}

/** A withdrawal of which an operator wants to know what went before it. */
export interface PastQuestion {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

export interface WithdrawalPast {
  readonly withdrawalId: string;
  /** Completed withdrawals of the account, counted up to `VENUE_LIMITS.maxCounted`, and those of them to that address. */
  readonly completed: number;
  readonly completedToAddress: number;
  /** When a chain showed the account's newest deposit; null: none ever did. */
  readonly newestDepositMs: number | null;
}

export const VENUE_LIMITS = {
  /** The newest deposits, withdrawals, and coins of nobody, that are searched for what no index finds. */
  maxSearched: 100_000,
  /** The newest acts that are searched for those on keys and withdrawals of an account. */
  maxActsSearched: 100_000,
  /** The completed withdrawals of an account that are counted. */
  maxCounted: 1000,
} as const;

export interface VenueHistory {
  /** Returns what happened to an account, newest first. */
  timeLine(seq: number, accountId: number, question: TimeLineQuestion): Promise<TimeLine>;
  /** Returns what has the text as its id, address or transaction; at most `limit` of each kind. */
  find(seq: number, question: FindQuestion): Promise<readonly Found[]>;
  /** Returns them in the order of the questions. */
  withdrawalPasts(seq: number, withdrawals: readonly PastQuestion[]): Promise<readonly WithdrawalPast[]>;
}
