/**
 * Helps a store that has no space left: it takes nothing any more, also once rows were removed. After removal and
 * compaction the members' files are rewritten, the leader's last, since it stands still meanwhile; then the alarm is
 * switched off.
 */
import { CallFailed } from "./failure.ts";
import type { EtcdLimits } from "./limits.ts";
import type { MemberState } from "./member-states.ts";
import type { Members } from "./members.ts";

export interface Alarms {
  readonly noSpace: boolean;
  readonly corrupt: boolean;
}

export async function alarmsOf(members: Members): Promise<Alarms> {
  const { alarms } = await members.call("Maintenance/Alarm", { action: "GET" });
  const has = (what: string): boolean => alarms.some(({ alarm }) => alarm === what);
  return { noSpace: has("NOSPACE"), corrupt: has("CORRUPT") };
}

/** Rows were removed and compacted before. Resolves to what an operator should know of it. */
export async function relieve(
  members: Members,
  states: readonly MemberState[],
  limits: Pick<EtcdLimits, "defragmentMs">,
): Promise<string[]> {
  const troubles: string[] = [];
  const leaderLast = states.toSorted((a, b) => Number(a.leads) - Number(b.leads));
  for (const { endpoint } of leaderLast) {
    try {
      await members.callAt(endpoint, "Maintenance/Defragment", {}, limits.defragmentMs);
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      troubles.push(`etcd could not make space: ${error.message}`);
    }
  }
  const { alarms } = await members.call("Maintenance/Alarm", { action: "GET" });
  for (const { memberId, alarm } of alarms) {
    if (alarm === "NOSPACE") await members.call("Maintenance/Alarm", { action: "DEACTIVATE", memberId, alarm });
  }
  return troubles;
}
