/** Why a proof of liabilities does not hold, in English. */
const of = (asset: string, what: string): string => (asset === "" ? what : `${asset}: ${what}`);

export const proofFaults = {
  form: (): string => "It is no proof: the file is not as a proof is written.",
  signature: (): string => "The signature of the public part is not of its key.",
  otherProof: (): string => "The two files are not of one proof.",
  unknownAsset: (asset: string): string => of(asset, "the public part has no such asset."),
  twice: (asset: string): string => of(asset, "it stands twice."),
  length: (asset: string): string => of(asset, "the way is not as long as the tree is high."),
  bounds: (asset: string): string => of(asset, "a sum is beyond all bounds."),
  root: (asset: string): string => of(asset, "the amount is not in the venue's total."),
  total: (asset: string): string => of(asset, "the sums lead to another total."),
  held: (asset: string): string => of(asset, "what is held is not what came in less what went out."),
  first: (): string => "The first proof alone has none before it.",
  order: (asset: string): string => of(asset, "it stands twice, or out of turn."),
  otherReserves: (): string => "The reserves stand beside another proof.",
  addressTwice: (asset: string): string => of(asset, "an address is counted twice in the reserves."),
  notPublished: (): string => "The proof that came is not the one that was published.",
  ofAnother: (): string => "The part that came is of another account.",
  leaving: (asset: string): string => of(asset, "more is leaving than customers have."),
} as const;
