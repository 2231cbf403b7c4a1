/** Published proofs in the model: each names the one before. */
import type { PublishProof, RejectReason } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import type { ModelAccess } from "../state.ts";

const NONE = "0".repeat(64);

export function publishProof(access: ModelAccess, command: PublishProof): Happening[] | RejectReason {
  const { number, seq, root, previous } = command;
  const { lastProof } = access;
  if (seq >= access.seq) return "INVALID_VALUE";
  if (number === 1 ? previous !== NONE : previous === NONE) return "INVALID_VALUE";
  if (lastProof !== null) {
    if (number <= lastProof.number) return "ALREADY_EXISTS";
    if (number > lastProof.number + 1 || previous !== lastProof.root) return "WRONG_STATUS";
  }
  access.lastProof = { number, seq, root, previous, publishedMs: access.exchange.nowMs };
  return [said(`proof ${number} of entry ${seq} published: ${root}`)];
}
