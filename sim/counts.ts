/** How much runs have tested. A simulation that no longer injects faults must be detected. */
export interface Counts {
  requests: number;
  insideCommands: number;
  answers: number;
  entries: number;
  notAccepted: number;
  unknown: number;
  audits: number;
  reads: number;
  ownCommands: number;
  messages: number;
  connections: number;
  deposits: number;
  payments: number;
  letters: number;
  notices: number;
  cookies: number;
  signIns: number;
  invitations: number;
  recoveries: number;
  freezes: number;
  locks: number;
  virtualMs: number;
  powerCuts: number;
  kills: number;
  fatals: number;
  failedStarts: number;
  historyLosses: number;
  clockJumps: number;
  leaps: number;
  sleeps: number;
  clocksBehind: number;
  slowTimes: number;
  fullErrors: number;
  syncErrors: number;
  flips: number;
  syncs: number;
  lostSectors: number;
  keptSectors: number;
  lostNames: number;
}

export function newCounts(): Counts {
  return {
    ...{ requests: 0, insideCommands: 0, answers: 0, entries: 0, notAccepted: 0, unknown: 0, audits: 0, reads: 0 },
    ...{ ownCommands: 0, messages: 0, connections: 0, deposits: 0, payments: 0, letters: 0, locks: 0 },
    ...{ notices: 0, cookies: 0, signIns: 0, invitations: 0, recoveries: 0, freezes: 0 },
    ...{
      virtualMs: 0,
      powerCuts: 0,
      kills: 0,
      fatals: 0,
      failedStarts: 0,
      historyLosses: 0,
      clockJumps: 0,
      leaps: 0,
      sleeps: 0,
    },
    ...{
      clocksBehind: 0,
      slowTimes: 0,
      fullErrors: 0,
      syncErrors: 0,
      flips: 0,
      syncs: 0,
      lostSectors: 0,
      keptSectors: 0,
      lostNames: 0,
    },
  };
}

export function addCounts(to: Counts, more: Counts): void {
  for (const name of Object.keys(to) as (keyof Counts)[]) to[name] += more[name];
}
