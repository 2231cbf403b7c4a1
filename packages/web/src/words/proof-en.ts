/**
 * Texts about proofs of liabilities in English: the account page that verifies a proof, and the reasons why a proof is
 * invalid.
 */
export const customerProof = {
  title: "Proof of liabilities",
  again: "Check again",
  checking: "Checking …",
  none: "The exchange has not published a proof yet.",
  ofSubAccount: (email: string, fault: string): string => `Sub-account ${email}: ${fault}`,
  holds: (count: number, accounts: number): string =>
    `The proof is valid. It includes ${count} ${count === 1 ? "balance" : "balances"} of ${accounts === 1 ? "your account" : `your ${accounts} accounts`}.`,
  partOf: (email: string): string => `Included balances of ${email}`,
  nothing: "According to the exchange, this account has no balances.",
  number: "Proof number",
  time: "Time",
  digest: "Digest",
  publicKey: "Public key",
  reserves: "Reserves and liabilities",
  noReserves:
    "The exchange has published no reserves with this proof. The proof shows what the exchange owes, not what it holds.",
  noneShown: "Not published",
  asset: "Asset",
  owed: "Owed to customers",
  held: "Reserves",
  surplus: "Reserves minus liabilities",
  reservesAre: (signed: number, said: number): string =>
    `Reserve addresses signed with their own key: ${signed}. Reserve addresses declared by the operator without a signature: ${said}. Your browser has verified the exchange's signature and the totals. The script below verifies the signatures of the addresses. What an address holds can be checked on its blockchain.`,
  reservesDigest: "Digest of the reserves",
  savePublic: "Download public part",
  saveOwn: (email: string): string => `Download the part of ${email}`,
  checked:
    "Your browser has verified this proof. Compare its digest with other customers: everyone who sees the same digest sees the same totals. If an asset is missing from your list, the exchange states that it owes you none of it.",
  script: "Download script (proof_check.py)",
  scriptHelp:
    "To verify the files without this page and without the exchange, run the script. It requires only Python 3 and shares no code with the exchange's software.",
  notChecked: "Nothing has been verified.",
  limits: "What a proof does not show",
  limitsAre: [
    "Debts outside the ledger: a loan to the exchange, or a deposit that it never recorded, is in no proof.",
    "Who owns the reserves: assets can be borrowed for the moment of the proof, or pledged to others.",
    "That reserves exist, if none are published or no address has signed.",
    "That you will be paid: a proof describes a single moment.",
    "That other customers are included: it shows that you are, and each customer has to check their own part.",
  ],
} as const;

const ofAsset = (asset: string, text: string): string => (asset === "" ? text : `${asset}: ${text}`);

/** The reasons why a proof of liabilities is invalid. */
export const proofFaults = {
  form: (): string => "The file is not a valid proof.",
  signature: (): string => "The signature does not match the public key in the file.",
  otherProof: (): string => "The public part and your part belong to different proofs.",
  unknownAsset: (asset: string): string => ofAsset(asset, "the asset is missing from the public part."),
  twice: (asset: string): string => ofAsset(asset, "the asset is listed twice."),
  length: (asset: string): string => ofAsset(asset, "the length of the path does not match the height of the tree."),
  bounds: (asset: string): string => ofAsset(asset, "a total exceeds the allowed range."),
  root: (asset: string): string => ofAsset(asset, "your amount is not included in the exchange's total."),
  total: (asset: string): string => ofAsset(asset, "the amounts do not add up to the published total."),
  held: (asset: string): string => ofAsset(asset, "the balances do not equal deposits minus withdrawals."),
  first: (): string => "The proof number does not match the previous proof.",
  order: (asset: string): string => ofAsset(asset, "the asset is listed twice or out of order."),
  otherReserves: (): string => "The reserves belong to a different proof.",
  addressTwice: (asset: string): string => ofAsset(asset, "an address is counted twice in the reserves."),
  notPublished: (): string => "The proof received is not the one that the exchange published.",
  ofAnother: (): string => "The part received belongs to another account.",
  leaving: (asset: string): string => ofAsset(asset, "pending withdrawals exceed what is owed to customers."),
} as const;
