/** The origin of a request: the socket's address or, behind a trusted proxy, the one that the proxy reports. */
import { BlockList, isIP, SocketAddress } from "node:net";

const MAPPED_PREFIX = "::ffff:";

/** The canonical form of an address: IPv4-mapped IPv6 becomes IPv4, IPv6 its shortest form. "" when it is none. */
export function normaliseIp(address: string): string {
  const family = isIP(address);
  if (family === 0) return "";
  if (family === 4) return address;
  const short = new SocketAddress({ address, family: "ipv6" }).address.toLowerCase();
  if (!short.startsWith(MAPPED_PREFIX)) return short;
  const tail = short.slice(MAPPED_PREFIX.length);
  return isIP(tail) === 4 ? tail : short;
}

/** The common case: a socket's address is canonical already. */
export function socketIp(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return "";
  if (!remoteAddress.includes(":")) return remoteAddress;
  return normaliseIp(remoteAddress.split("%", 1)[0] as string);
}

/** Addresses (`10.0.0.1`) and subnets (`10.0.0.0/8`, `fd00::/8`) whose X-Forwarded-For is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** Throws a RangeError on an entry that is neither an address nor a subnet. */
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

  /** Whether the address is a trusted proxy, which sends requests of many clients. */
  trusts(ip: string): boolean {
    return !this.#isEmpty && ip !== "" && this.#list.check(ip, ip.includes(":") ? "ipv6" : "ipv4");
  }

  /**
   * The right-most address of the chain that is not a trusted proxy. An unreadable entry ends the walk: anyone can have
   * invented the entries to its left.
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
