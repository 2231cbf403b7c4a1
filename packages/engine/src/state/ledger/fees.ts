/** Commission: basis points of the amount received, rounded down to the asset's unit. Interface S.12. */

export const BPS_IN_WHOLE = 10_000n;

export function commissionOf(received: bigint, bps: number): bigint {
  return bps === 0 ? 0n : (received * BigInt(bps)) / BPS_IN_WHOLE;
}
