/** Commission: basis points of the amount received, rounded down to the asset's unit. Interface S.12. */

import { BPS_IN_WHOLE } from "../../limits.ts";

export function commissionOf(received: bigint, bps: number): bigint {
  return bps === 0 ? 0n : (received * BigInt(bps)) / BPS_IN_WHOLE;
}
