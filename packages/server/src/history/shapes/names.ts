/** Looks up the interface's names for the numbers in rows. */
export interface Names {
  symbol(symbolId: number): string;
  asset(assetId: number): string;
}
