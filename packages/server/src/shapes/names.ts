/** What rows know by number and the interface by name. */
export interface Names {
  symbol(symbolId: number): string;
  asset(assetId: number): string;
}
