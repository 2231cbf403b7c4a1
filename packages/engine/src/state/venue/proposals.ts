/** Acts that wait for a second person, and the rules that say which acts need one. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { ProposalRecord } from "../../entry/proposal-record.ts";
import type { ApprovalRules, BreakGlassRecord } from "../../entry/venue-record.ts";

/** One person besides the author, and no act but those that need two always. */
export const NO_APPROVAL_RULES: ApprovalRules = { approvals: 1, withdrawalsAbove: [], acts: [] };

export class Proposals {
  rules: ApprovalRules = NO_APPROVAL_RULES;
  /** Null: nobody has announced the end of the rules. */
  breakGlass: BreakGlassRecord | null = null;
  private readonly byId = new Map<string, ProposalRecord>();

  get size(): number {
    return this.byId.size;
  }
  get(proposalId: string): ProposalRecord | undefined {
    return this.byId.get(proposalId);
  }
  all(): Iterable<ProposalRecord> {
    return this.byId.values();
  }
  /** How many wait that the operator has written, or changed. */
  countOf(author: string): number {
    let count = 0;
    for (const { authors } of this.byId.values()) if (authors.includes(author)) count++;
    return count;
  }
  put(proposal: ProposalRecord): void {
    this.byId.set(proposal.proposalId, proposal);
  }
  remove(proposalId: string): void {
    this.byId.delete(proposalId);
  }

  /** Whether the rules name any act. */
  get isAny(): boolean {
    return this.rules.acts.length > 0 || this.rules.withdrawalsAbove.length > 0;
  }
  /** When the next one ends by itself, or the rules do; Infinity: never. */
  nextDueMs(): number {
    let dueMs = this.breakGlass?.fromMs ?? Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.byId.values()) if (untilMs < dueMs) dueMs = untilMs;
    return dueMs;
  }

  check(): void {
    for (const [id, { proposalId, authors, approvals }] of this.byId) {
      assert(id === proposalId && authors.length > 0, "a proposal is found by its number");
      assert(!approvals.some((name) => authors.includes(name)), "nobody approves what is their own");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify({ rules: this.rules, breakGlass: this.breakGlass }));
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    Object.assign(this, JSON.parse(reader.text()));
    for (const proposal of JSON.parse(reader.text()) as ProposalRecord[]) this.put(proposal);
  }
}
