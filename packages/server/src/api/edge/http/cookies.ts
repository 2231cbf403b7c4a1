/** Cookies as browsers send them. RFC 6265, 5.4. */
import type { RequestHeaders } from "../request.ts";

/** The value of a cookie; undefined when it was not sent, or sent twice: a name with `__Host-` is there once. */
export function cookieOf(headers: RequestHeaders, name: string): string | undefined {
  const sent = headers["cookie"];
  if (typeof sent !== "string") return undefined;
  const start = `${name}=`;
  const values = sent.split(";").flatMap((pair) => {
    const text = pair.trim();
    return text.startsWith(start) ? [text.slice(start.length)] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
