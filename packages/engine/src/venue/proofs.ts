/**
 * Publishes the roots of proofs of liabilities in the journal, where every reader sees the same roots and no root can
 * be withdrawn.
 */
import type { RejectReason } from "../entry/reject.ts";
import type { Command } from "../entry/command.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** The `previous` root of the first proof. */
const NO_ROOT = "0".repeat(64);

export function publishProof(state: ExchangeState, command: Command<"publishProof">): RejectReason | null {
  const { number, seq, root, previous } = command;
  const last = state.lastProof;
  if (seq >= state.seq || (number === 1) !== (previous === NO_ROOT)) return "INVALID_VALUE";
  if (last !== null && number <= last.number) return "ALREADY_EXISTS";
  // This proves for any two proofs that none between them was omitted or replaced.
  if (last !== null && (number !== last.number + 1 || previous !== last.root)) return "WRONG_STATUS";
  state.lastProof = { number, seq, root, previous, publishedMs: state.nowMs };
  state.emit({ type: "proofPublished", proof: state.lastProof });
  return null;
}
