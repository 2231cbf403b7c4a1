/** How far recorded markets reach into a lab. */
export const REPLAY_LIMITS = {
  /** Replays that are listed, those that are over among them. */
  maxReplays: 100,
  maxFiles: 1_000,
  maxPathLength: 1_000,
  /** File time in a unit of the lab's. */
  minSpeed: 1e-6,
  maxSpeed: 1e6,
  /** Rows of one step by hand. */
  maxStepRows: 1_000_000,
  /** Files that are together no larger are checked before the request is answered; larger ones after it. */
  maxBytesBeforeAnswer: 64 << 20,
  /** Commands that are sent together; a run of one taker may bring more. */
  maxCommandsAtATime: 800,
  /** Rows that are played before sockets have their turn, where a moment has not more. */
  maxRowsInTurn: 1_000,
  /** Quotes of a side between trades. */
  maxBandLevels: 100,
  /** So many rows decide the size of those quotes, unless it is given. */
  measuredRows: 1_000,
  /** Orders of messages that stand before the first, or are cut later: known before they are played. */
  maxKnownOrders: 2_000_000,
} as const;
