/**
 * The address of a market's page, such as `/trade/ETHUSDT`. The node's own URL may have a path, because a proxy can
 * serve the node below one.
 */

export interface MarketAddress {
  /** The node's URL without a trailing slash. */
  readonly base: string;
  /** The symbol in the address; null if the address is the terminal's root. */
  readonly symbol: string | null;
}

/** The path of a market's page below the node's URL. */
const FOLDER = "trade";
const MARKET_PAGE = /^(.*)\/trade\/([^/]+)$/;

/** Reads the address of the terminal. The root always ends with a slash, even if the proxy's path is `/trade/`. */
export function readMarketAddress(address: string): MarketAddress {
  const { origin, pathname } = new URL(address);
  const [, path, symbol] = MARKET_PAGE.exec(pathname) ?? [];
  if (path !== undefined && symbol !== undefined) return { base: origin + path, symbol: decoded(symbol) };
  return { base: origin + pathname.slice(0, pathname.lastIndexOf("/")), symbol: null };
}

export function marketAddress(base: string, symbol: string): string {
  return `${base}/${FOLDER}/${encodeURIComponent(symbol)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
