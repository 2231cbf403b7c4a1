/** The parts and ports of a cluster: as at its last start, unless changed by options or in use. */
import { randomBytes } from "node:crypto";
import { DEFAULTS, UsageError, type Settings } from "./arguments.ts";
import type { Layout, MemberPorts, NodePorts } from "./folder.ts";
import { FreePorts, isFree } from "./ports.ts";

const MEMBERS = 3;
/** Above the clients' port, and above the admin port of an exchange that runs on the same machine. */
const PORTS_ABOVE = 100;

const names = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);

/** Throws `UsageError` if a port that cannot be changed is in use. */
export async function layoutFor(kept: Layout | undefined, given: Partial<Settings>): Promise<Layout> {
  const settings = { ...DEFAULTS, ...kept?.settings, ...given };
  if (settings.port !== 0 && !(await isFree(settings.port))) {
    throw new UsageError(`port ${settings.port} is already in use. Choose another with --port (0: any free port)`);
  }
  const known = [...(kept?.etcd ?? []), ...(kept?.nodes ?? [])].flatMap((ports) => Object.values(ports));
  const free = new FreePorts(
    settings.port === 0 ? undefined : settings.port + PORTS_ABOVE,
    known.filter((port) => typeof port === "number"),
  );
  const still = async (port: number | undefined): Promise<number> =>
    port !== undefined && (await isFree(port)) ? port : free.take();
  const etcd: MemberPorts[] = [];
  for (const name of names("e", MEMBERS)) etcd.push(await memberPorts(name, kept, still, free));
  const nodes: NodePorts[] = [];
  for (const name of names("n", settings.nodes)) {
    const before = kept?.nodes.find((each) => each.name === name);
    nodes.push({ name, rest: await still(before?.rest), admin: await still(before?.admin) });
  }
  const proxy = settings.port === 0 ? await still(kept?.proxy) : settings.port;
  return { settings, token: kept?.token ?? randomBytes(8).toString("hex"), proxy, etcd, nodes };
}

/** The peer ports of members are stored in their data and cannot be changed. */
async function memberPorts(
  name: string,
  kept: Layout | undefined,
  still: (port: number | undefined) => Promise<number>,
  free: FreePorts,
): Promise<MemberPorts> {
  const before = kept?.etcd.find((each) => each.name === name);
  if (before !== undefined && !(await isFree(before.peer))) {
    throw new UsageError(`port ${before.peer}, the peer port of ${name}, is already in use by another program`);
  }
  return { name, client: await still(before?.client), peer: before?.peer ?? (await free.take()) };
}
