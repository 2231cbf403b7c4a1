/** The streams that an address asks for. Interface 10.1, including the odd forms that clients use. */

export interface StreamAddress {
  readonly names: readonly string[];
  /** Events come as `{stream, data}`. */
  readonly isCombined: boolean;
  /** As sent; null when not sent. */
  readonly timeUnit: string | null;
}

const RAW = "/ws";
const COMBINED = "/stream";
/** ccxt numbers its connections: such a name is not a stream. */
const BARE_NUMBER = /^[0-9]+$/;

/** `query` is the text after the `?`. Null when the path is none of streams; malformed escapes stay as they are. */
export function readStreamAddress(path: string, query: string): StreamAddress | null {
  const parameters = new URLSearchParams(query);
  const timeUnit = parameters.get("timeUnit");
  if (path === COMBINED || path === `${COMBINED}/`) {
    return { names: namesIn(parameters.get("streams") ?? ""), isCombined: true, timeUnit };
  }
  if (path === RAW) return { names: [], isCombined: false, timeUnit };
  if (!path.startsWith(`${RAW}/`)) return null;
  const names = namesIn(unescaped(path.slice(RAW.length + 1)));
  return { names: names.filter((name) => !BARE_NUMBER.test(name)), isCombined: false, timeUnit };
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
