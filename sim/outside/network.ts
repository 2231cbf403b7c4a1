/** The asset of the simulated network, and the accounts that hold it. */
import type { AssetSpec } from "@pricetime/engine";
import { networkOf } from "@pricetime/testkit/commands";

export const SANDBOX = "SBX";
const CREDIT_DEPTH = 2;
export const FINAL_DEPTH = 4;
export const WITHDRAW_FEE = "0.5";

const bounds = { withdrawFee: WITHDRAW_FEE, withdrawMin: "1", withdrawMax: "0" };
const depths = { creditConfirmations: CREDIT_DEPTH, finalConfirmations: FINAL_DEPTH };
const network = networkOf(SANDBOX, { ...bounds, ...depths });

/** Withdrawals of the first asset need an email confirmation. */
export const COINS: readonly AssetSpec[] = [
  { asset: "MAILED", name: "Mailed", precision: 8, networks: [{ ...network, confirmsByMail: true }] },
  { asset: "PROMPT", name: "Prompt", precision: 8, networks: [network] },
];
