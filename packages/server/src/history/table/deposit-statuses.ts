/** The words of deposits' statuses, by their code on the wire. Interface 2.10. */
import type { DepositStatus } from "@pricetime/engine";
import type { DepositStatusCode } from "../shapes/wallet-rows.ts";

const WORDS: Readonly<Record<DepositStatusCode, DepositStatus>> = { 0: "pending", 6: "credited", 1: "success" };

export function depositStatus(code: number): DepositStatus {
  return WORDS[code as DepositStatusCode];
}
