/** The pages of both ports of a node. */
import { AdminSite } from "./admin-site.ts";
import type { Web } from "./port.ts";
import { Shelf } from "./shelf.ts";
import { Site } from "./site.ts";
import type { StartFacts } from "./start-page.ts";

export interface Sites {
  /** The pages for everybody, on the REST port. */
  readonly main: Web;
  /** The pages for operators. */
  readonly admin: Web;
}

/** `facts` returns the node's present facts for pages. Nothing is read before the first page is requested. */
export function openSites(version: string, facts: () => StartFacts): Sites {
  const shelf = new Shelf();
  return { main: new Site({ shelf, facts }), admin: new AdminSite(version, shelf) };
}
