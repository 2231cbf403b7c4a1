/** Names of browsers by the header `User-Agent`, for pages and emails. */

/** Browsers, by their names in the header `User-Agent`, the most specific first. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Version: "Safari" } as const;
const SYSTEMS = {
  ...{ Android: "Android", iPhone: "iPhone", iPad: "iPad", Windows: "Windows", "Mac OS X": "macOS" },
  ...{ CrOS: "ChromeOS", Linux: "Linux" },
} as const;

/** The browser and system of a session, such as `Chrome 140, Windows`; an unknown client as it was sent. */
export function showBrowser(client: string): string {
  const browser = Object.entries(BROWSERS).find(([name]) => client.includes(`${name}/`));
  const system = Object.entries(SYSTEMS).find(([name]) => client.includes(name));
  if (browser === undefined || system === undefined) return client;
  const [name, shown] = browser;
  const version = Number.parseInt(client.slice(client.indexOf(`${name}/`) + name.length + 1), 10);
  return `${shown}${Number.isNaN(version) ? "" : ` ${version}`}, ${system[1]}`;
}
