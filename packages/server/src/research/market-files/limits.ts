/** How far files of markets are followed. */
export const MARKET_FILE_LIMITS = {
  /** A line: a recorded snapshot of a whole book is one. */
  maxLineBytes: 4 << 20,
  /** What a ZIP may hold, unpacked: years of the busiest symbol. */
  maxUnpackedBytes: 2 ** 40,
  /** Deflate makes nothing smaller than by this factor: a ZIP that claims more lies about its size. */
  maxDeflateRatio: 1_032,
  /** So many trades of a file that all have takers of one side are told of. */
  leastDoubtedTrades: 500,
  /** So many candles of a file decide which interval it has. */
  measuredCandles: 100,
  /** What is read at a time. */
  chunkBytes: 256 << 10,
} as const;
