/** The pages of both ports of a node. */
import { AdminSite } from "./admin-site.ts";
import type { Web } from "./port.ts";
import { Shelf } from "./shelf.ts";
import { Site } from "./site.ts";
import type { StartFacts } from "./start-page.ts";

export interface Sites {
  /** For everybody, on the REST port. */
  readonly main: Web;
  /** For operators. */
  readonly admin: Web;
}

/** `facts`: what pages tell of the node, as of now. Nothing is read before the first page is asked for. */
export function openSites(version: string, facts: () => StartFacts): Sites {
  const shelf = new Shelf();
  return { main: new Site({ shelf, facts }), admin: new AdminSite(version, shelf) };
}
