/** The pages of both ports of a node. */
import { AdminSite } from "./admin-site.ts";
import type { Visitor, Web } from "./port.ts";
import { Shelf } from "./shelf.ts";
import { Site } from "./site.ts";
import { MAX_SYMBOLS_SHOWN, type PublicAccount, type SiteFacts } from "./start-page.ts";

export interface Sites {
  /** The pages for everybody, on the REST port. */
  readonly main: Web;
  /** The pages for operators. */
  readonly admin: Web;
}

/** What pages tell of the node; functions are asked whenever a page is. */
export interface SiteSources {
  readonly version: string;
  /** Where clients are told to connect. */
  readonly publicUrl: () => string;
  /** The names of all listed symbols. */
  readonly symbols: () => readonly string[];
  /** Null: it is no demo. */
  readonly demoAccounts: readonly PublicAccount[] | null;
  /** The operator has named a public address, so a proxy may not claim to ask for somebody else. */
  readonly isPublic: boolean;
  /** Whether what clients send is limited. */
  readonly ratesLimited: boolean;
  /** The token by which the terminal controls the lab; null: the node is no lab. */
  readonly labToken: string | null;
}

/** Nothing is read before the first page is asked for. */
export function openSites(sources: SiteSources): Sites {
  const shelf = new Shelf();
  const facts = (visitor: Pick<Visitor, "isOnOwnMachine">): SiteFacts => factsOf(sources, visitor);
  return { main: new Site({ shelf, facts }), admin: new AdminSite(sources.version, shelf) };
}

function factsOf(
  { version, publicUrl, symbols, demoAccounts, isPublic, ratesLimited, labToken }: SiteSources,
  { isOnOwnMachine }: Pick<Visitor, "isOnOwnMachine">,
): SiteFacts {
  const all = symbols();
  return {
    version,
    rest: publicUrl(),
    symbols: all.slice(0, MAX_SYMBOLS_SHOWN),
    moreSymbols: Math.max(0, all.length - MAX_SYMBOLS_SHOWN),
    isDemo: demoAccounts !== null,
    demoAccounts: isOnOwnMachine && !isPublic ? demoAccounts : null,
    ratesLimited,
    labToken: isOnOwnMachine && !isPublic ? labToken : null,
  };
}
