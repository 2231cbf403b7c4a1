/** Which streams an address asks for. FACTS 3.1; the odd ones that clients use: CLIENTS, 'WebSocket behaviour'. */

export interface StreamAddress {
  readonly names: readonly string[];
  /** Events come as `{stream, data}`. */
  readonly isCombined: boolean;
}

const RAW = "/ws";
const COMBINED = "/stream";
/** ccxt numbers its connections: such a name is no stream. */
const BARE_NUMBER = /^[0-9]+$/;

/** `query` stands behind the `?`. Null when the path is none of streams; malformed escapes stay as they are. */
export function readStreamAddress(path: string, query: string): StreamAddress | null {
  if (path === COMBINED || path === `${COMBINED}/`) {
    return { names: namesIn(streamsParameter(query)), isCombined: true };
  }
  if (path === RAW) return { names: [], isCombined: false };
  if (!path.startsWith(`${RAW}/`)) return null;
  const names = namesIn(unescaped(path.slice(RAW.length + 1)));
  return { names: names.filter((name) => !BARE_NUMBER.test(name)), isCombined: false };
}

function streamsParameter(query: string): string {
  return query === "" ? "" : (new URLSearchParams(query).get("streams") ?? "");
}

function namesIn(list: string): string[] {
  return list.split("/").filter((name) => name !== "");
}

function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
