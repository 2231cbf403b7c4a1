/** How much runs have tested. A simulation that no longer injects faults must be detected. */
export type Counts = ReturnType<typeof newCounts>;
/** The same for runs of several nodes. */
export type ClusterCounts = ReturnType<typeof newClusterCounts>;

const REQUESTS = { requests: 0, insideCommands: 0, ownCommands: 0, answers: 0, notAccepted: 0, unknown: 0, reads: 0 };

export function newCounts() {
  return {
    ...REQUESTS,
    ...{ entries: 0, audits: 0, messages: 0, connections: 0, deposits: 0, payments: 0, letters: 0, locks: 0 },
    ...{ notices: 0, cookies: 0, signIns: 0, invitations: 0, recoveries: 0, freezes: 0 },
    ...{ virtualMs: 0, powerCuts: 0, kills: 0, fatals: 0, failedStarts: 0, historyLosses: 0, clockJumps: 0 },
    ...{ leaps: 0, sleeps: 0, clocksBehind: 0, slowTimes: 0, fullErrors: 0, syncErrors: 0, flips: 0 },
    ...{ syncs: 0, lostSectors: 0, keptSectors: 0, lostNames: 0 },
  };
}

export function newClusterCounts() {
  return {
    ...REQUESTS,
    ...{ staleReads: 0, refusedReads: 0, audits: 0, entries: 0, skippedRows: 0, trimmedRows: 0 },
    ...{ messages: 0, kills: 0, powerCuts: 0, fatals: 0, failedStarts: 0, leftBehind: 0, catchUps: 0 },
    ...{ pauses: 0, cuts: 0, silences: 0, leaderChanges: 0, allDowns: 0, clockJumps: 0, virtualMs: 0 },
    ...{ oldStores: 0, refusedStores: 0 },
  };
}

export function addCounts<C extends Record<string, number>>(to: C, more: C): void {
  for (const name of Object.keys(to) as (keyof C & string)[]) Object.assign(to, { [name]: to[name]! + more[name]! });
}
