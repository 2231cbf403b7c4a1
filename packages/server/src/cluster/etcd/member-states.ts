/** The state of each member of etcd: its version, its size, and its alarms. */
import type { Endpoint } from "./endpoint.ts";
import { CallFailed } from "./failure.ts";
import type { Members } from "./members.ts";
import { numberOf } from "./protocol.ts";

export interface MemberState {
  readonly endpoint: Endpoint;
  /** Undefined: it did not answer. */
  readonly version: string | undefined;
  /** The size of its file, and how much of that is in use: what is removed leaves room in the file. */
  readonly fileBytes: number;
  readonly usedBytes: number;
  readonly leads: boolean;
}

export async function statesOf(members: Members): Promise<readonly MemberState[]> {
  return Promise.all(members.endpoints.map((endpoint) => stateOf(members, endpoint)));
}

async function stateOf(members: Members, endpoint: Endpoint): Promise<MemberState> {
  try {
    const { version, dbSize, dbSizeInUse, leader, header } = await members.callAt(endpoint, "Maintenance/Status", {});
    const [fileBytes, usedBytes] = [numberOf(dbSize), numberOf(dbSizeInUse)];
    return { endpoint, version, fileBytes, usedBytes, leads: leader === header.memberId };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { endpoint, version: undefined, fileBytes: 0, usedBytes: 0, leads: false };
  }
}

/** The first patch of each line without known faults in what the nodes rely on: watches, leases, revisions, rights. */
const SUPPORTED = new Map([
  ["3.5", 33],
  ["3.6", 14],
  ["3.7", 1],
]);
const OLDEST = [3, 5] as const;
const SUPPORTED_TEXT = "3.5.33, 3.6.14 or newer";

/** One line for each thing that an operator should see to. */
export function warningsOf(states: readonly MemberState[]): string[] {
  return states.flatMap(({ endpoint: { url }, version }) => {
    if (version === undefined) return [`etcd ${url} does not answer`];
    return isSupported(version)
      ? []
      : [`etcd ${url} runs ${version}, which has known faults; supported is ${SUPPORTED_TEXT}`];
  });
}

export function isSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  const least = SUPPORTED.get(`${major}.${minor}`);
  if (least !== undefined) return patch >= least;
  return major > OLDEST[0] || (major === OLDEST[0] && minor > OLDEST[1]);
}
