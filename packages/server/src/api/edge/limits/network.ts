/** Groups addresses by client. */

const HEXTETS = 8;
/** A provider gives each customer at least a /64, so its 2^64 addresses are one client. */
const NETWORK_HEXTETS = 4;

/** An IPv4 address itself; for an IPv6 address in its shortest form, its /64: `2001:db8:0:1::/64`. */
export function networkOf(ip: string): string {
  const end = endOfNetwork(ip);
  if (end === NO_COLON) return ip;
  return `${end === SHORTENED ? networkOfShortened(ip) : ip.slice(0, end)}::/64`;
}

const NO_COLON = -1;
const SHORTENED = -2;

/** End of the fourth hextet; `SHORTENED` when `::` stands before it. Runs for every request. */
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

/** A dotted address at the end stands for two hextets. */
function hextets(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((hextet) => (hextet.includes(".") ? [hextet, ""] : [hextet]));
}
