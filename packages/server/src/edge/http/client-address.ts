/** Who a request comes from: the socket's address or, behind a trusted proxy, what the proxy says. */
import { BlockList, isIP, SocketAddress } from "node:net";

const MAPPED_PREFIX = "::ffff:";

/** One spelling for each address: IPv4-mapped IPv6 becomes IPv4, IPv6 its shortest form. "" when it is none. */
export function normaliseIp(address: string): string {
  const family = isIP(address);
  if (family === 0) return "";
  if (family === 4) return address;
  const short = new SocketAddress({ address, family: "ipv6" }).address.toLowerCase();
  if (!short.startsWith(MAPPED_PREFIX)) return short;
  const tail = short.slice(MAPPED_PREFIX.length);
  return isIP(tail) === 4 ? tail : short;
}

/** The common case: what a socket reports is canonical already. */
export function socketIp(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return "";
  if (!remoteAddress.includes(":")) return remoteAddress;
  return normaliseIp(remoteAddress.split("%", 1)[0] as string);
}

/** Addresses (`10.0.0.1`) and subnets (`10.0.0.0/8`, `fd00::/8`) whose X-Forwarded-For is believed. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** Throws a RangeError on an entry that is neither. */
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

  /** Is it one of them? Then what it sends comes from many. */
  trusts(ip: string): boolean {
    return !this.#isEmpty && ip !== "" && this.#list.check(ip, ip.includes(":") ? "ipv6" : "ipv4");
  }

  /**
   * The right-most address of the chain that is no trusted proxy. An unreadable entry ends the walk:
   * what stands left of it can be anyone's invention.
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
