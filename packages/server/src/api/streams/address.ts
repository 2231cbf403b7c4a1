/** The streams that an address asks for. Interface 10.1, including the odd forms that clients use. */

export interface StreamAddress {
  readonly names: readonly string[];
  /** Events come as `{stream, data}`. */
  readonly isCombined: boolean;
  /** As sent; null when not sent. */
  readonly timeUnit: string | null;
}

/** The parameters that name streams, at either path: a name in a place where nobody looked would stay silent. */
const NAMING: readonly string[] = ["streams", "stream"];
const RAW = "/ws";
const COMBINED = "/stream";
/** ccxt numbers its connections: such a name is not a stream. */
const BARE_NUMBER = /^[0-9]+$/;

/** `query` is the text after the `?`. Null when the path is none of streams; malformed escapes stay as they are. */
export function readStreamAddress(path: string, query: string): StreamAddress | null {
  const parameters = new URLSearchParams(query);
  const timeUnit = parameters.get("timeUnit");
  const inQuery = [...parameters].flatMap(([name, list]) => (NAMING.includes(name) ? namesIn(list) : []));
  if (path === COMBINED || path === `${COMBINED}/`) return { names: inQuery, isCombined: true, timeUnit };
  if (path !== RAW && !path.startsWith(`${RAW}/`)) return null;
  const inPath = namesIn(unescaped(path.slice(RAW.length + 1))).filter((name) => !BARE_NUMBER.test(name));
  return { names: [...inPath, ...inQuery], isCombined: false, timeUnit };
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
