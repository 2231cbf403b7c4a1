/** Whom an address stands for where clients are counted. */

const HEXTETS = 8;
/** A provider gives each customer at least a /64: 2^64 addresses of one client. */
const NETWORK_HEXTETS = 4;

/** An IPv4 address itself; of an IPv6 address, in its shortest form, the /64 that it is in: `2001:db8:0:1::/64`. */
export function networkOf(ip: string): string {
  const end = endOfNetwork(ip);
  if (end === NO_COLON) return ip;
  return `${end === SHORTENED ? networkOfShortened(ip) : ip.slice(0, end)}::/64`;
}

const NO_COLON = -1;
const SHORTENED = -2;

/** Where the fourth hextet ends; `SHORTENED` when `::` stands before that. On the way of every request. */
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

/** An address in dots at the end stands for two. */
function hextets(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((hextet) => (hextet.includes(".") ? [hextet, ""] : [hextet]));
}
