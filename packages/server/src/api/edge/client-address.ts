/** Client addresses: read from the header of a trusted proxy, grouped by network, and counted. */
import { BlockList, isIP, SocketAddress } from "node:net";

const MAPPED_PREFIX = "::ffff:";

/**
 * The canonical form of an address: IPv4-mapped IPv6 becomes IPv4, other IPv6 its shortest form. Returns "" if it is
 * not an address.
 */
export function normaliseIp(address: string): string {
  const family = isIP(address);
  if (family === 0) return "";
  if (family === 4) return address;
  const short = new SocketAddress({ address, family: "ipv6" }).address.toLowerCase();
  if (!short.startsWith(MAPPED_PREFIX)) return short;
  const tail = short.slice(MAPPED_PREFIX.length);
  return isIP(tail) === 4 ? tail : short;
}

/** The normalized address of a socket, which is usually canonical already. */
export function socketIp(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return "";
  if (!remoteAddress.includes(":")) return remoteAddress;
  return normaliseIp(remoteAddress.split("%", 1)[0] as string);
}

/** Addresses (`10.0.0.1`) and subnets (`10.0.0.0/8`, `fd00::/8`) whose X-Forwarded-For header is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** Throws a RangeError if an entry is neither an address nor a subnet. */
  constructor(entries: readonly string[]) {
    this.#isEmpty = entries.length === 0;
    for (const entry of entries) this.#add(entry);
  }

  #add(entry: string): void {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const maxBits = family === "ipv6" ? 128 : 32;
    const isSubnet = bits !== undefined;
    const isValid = rest.length === 0 && (!isSubnet || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= maxBits));
    if (isIP(address) === 0 || !isValid) throw new RangeError(`trusted proxy '${entry}' is no address or subnet`);
    if (isSubnet) this.#list.addSubnet(address, Number(bits), family);
    else this.#list.addAddress(address, family);
  }

  /** Whether the address belongs to a trusted proxy, which forwards requests of many clients. */
  trusts(ip: string): boolean {
    return !this.#isEmpty && ip !== "" && this.#list.check(ip, ip.includes(":") ? "ipv6" : "ipv4");
  }

  /**
   * The right-most address of the chain that is not a trusted proxy. The search ends at an invalid entry, because a
   * client can forge the entries to its left.
   */
  clientIp(remoteAddress: string | undefined, forwardedFor: string | string[] | undefined): string {
    const peer = socketIp(remoteAddress);
    if (forwardedFor === undefined || !this.trusts(peer)) return peer;
    const chain = (Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor).split(",");
    let client = peer;
    for (let i = chain.length - 1; i >= 0; i--) {
      const hop = normaliseIp((chain[i] as string).trim());
      if (hop === "") return client;
      client = hop;
      if (!this.trusts(hop)) return hop;
    }
    return client;
  }
}

// Groups addresses by client.

const HEXTETS = 8;
/** Providers assign at least a /64 to each customer, so all addresses of a /64 count as one client. */
const NETWORK_HEXTETS = 4;

/** An IPv4 address unchanged; for an IPv6 address its /64 in the shortest form, such as `2001:db8:0:1::/64`. */
export function networkOf(ip: string): string {
  const end = endOfNetwork(ip);
  if (end === NO_COLON) return ip;
  return `${end === SHORTENED ? networkOfShortened(ip) : ip.slice(0, end)}::/64`;
}

const NO_COLON = -1;
const SHORTENED = -2;

/** The index of the end of the fourth hextet; `SHORTENED` if `::` comes before it. Called for every request. */
function endOfNetwork(ip: string): number {
  let at = ip.indexOf(":");
  if (at === -1) return NO_COLON;
  for (let hextet = 1; hextet < NETWORK_HEXTETS; hextet++) {
    const next = ip.indexOf(":", at + 1);
    if (next === at + 1 || next === -1) return SHORTENED;
    at = next;
  }
  return at;
}

function networkOfShortened(ip: string): string {
  const [left = "", right = ""] = ip.split("::");
  const before = hextets(left);
  const after = hextets(right);
  const zeros = Array.from({ length: HEXTETS - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].slice(0, NETWORK_HEXTETS).join(":");
}

/** The hextets of part of an address. A dotted IPv4 address at the end stands for two hextets. */
function hextets(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((hextet) => (hextet.includes(".") ? [hextet, ""] : [hextet]));
}

// Counts connections and requests per address. An IPv6 /64 is one address.

export class CountByNetwork {
  readonly #counts = new Map<string, number>();

  of(ip: string): number {
    return this.#counts.get(networkOf(ip)) ?? 0;
  }

  /** Adds one and returns the new count. */
  add(ip: string): number {
    const network = networkOf(ip);
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    return count;
  }

  /** Undoes one `add`. */
  remove(ip: string): void {
    const network = networkOf(ip);
    const left = (this.#counts.get(network) ?? 0) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
  }

  /** Number of addresses with a count. */
  get size(): number {
    return this.#counts.size;
  }
}
