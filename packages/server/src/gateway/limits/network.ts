/** Whom an address stands for where clients are counted. */

const HEXTETS = 8;
/** A provider gives each customer at least a /64: 2^64 addresses of one client. */
const NETWORK_HEXTETS = 4;

/** An IPv4 address itself; of an IPv6 address, in its shortest form, the /64 that it is in: `2001:db8:0:1::/64`. */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [left = "", right] = ip.split("::");
  const before = hextets(left);
  const after = hextets(right ?? "");
  const zeros = right === undefined ? 0 : HEXTETS - before.length - after.length;
  const all = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return `${all.slice(0, NETWORK_HEXTETS).join(":")}::/64`;
}

/** An address in dots at the end stands for two. */
function hextets(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((hextet) => (hextet.includes(".") ? [hextet, ""] : [hextet]));
}
