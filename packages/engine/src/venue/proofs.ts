/** Roots of proofs of liabilities in the journal: there all see the same one, and none is taken back. */
import type { RejectReason } from "../entry/reject.ts";
import type { PublishProof } from "../entry/venue-command.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function publishProof(state: ExchangeState, { name, seq, root }: PublishProof): RejectReason | null {
  const last = state.lastProof;
  if (seq >= state.seq) return "INVALID_VALUE";
  if (last !== null && (last.name === name || last.seq >= seq)) return "ALREADY_EXISTS";
  state.lastProof = { number: (last?.number ?? 0) + 1, name, seq, root, publishedMs: state.nowMs };
  state.emit({ type: "proofPublished", proof: state.lastProof });
  return null;
}
