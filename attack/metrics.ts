/** What the node says of itself. */
import type { Exchange } from "@pricetime/testkit/venue";

export async function openConnections({ admin }: Pick<Exchange, "admin">): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const found = /^pricetime_open_connections (\d+)$/m.exec(text)?.[1];
  if (found === undefined) throw new Error("the node has no metric of its connections");
  return Number(found);
}
