/** How much runs of several nodes have tested. */
export type ClusterCounts = ReturnType<typeof newClusterCounts>;

export function newClusterCounts() {
  return {
    ...{ requests: 0, insideCommands: 0, ownCommands: 0, answers: 0, notAccepted: 0, unknown: 0 },
    ...{ reads: 0, staleReads: 0, refusedReads: 0, audits: 0, entries: 0, skippedRows: 0, trimmedRows: 0 },
    ...{ messages: 0, kills: 0, powerCuts: 0, fatals: 0, failedStarts: 0, leftBehind: 0, catchUps: 0 },
    ...{ pauses: 0, cuts: 0, silences: 0, leaderChanges: 0, allDowns: 0, clockJumps: 0, virtualMs: 0 },
    ...{ oldStores: 0, refusedStores: 0 },
  };
}

export function addClusterCounts(to: ClusterCounts, more: ClusterCounts): void {
  for (const name of Object.keys(to) as (keyof ClusterCounts)[]) to[name] += more[name];
}
