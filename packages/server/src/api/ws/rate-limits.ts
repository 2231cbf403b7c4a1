/** The use of each limit, read from the headers that HTTP would send. */
import type { HeaderList } from "../edge/limits/headers.ts";
import { headerName } from "../edge/limits/rule.ts";
import type { LimitRule } from "../edge/limits/rule.ts";

export class RateLimits {
  /** The text of an element up to its count, by header. */
  readonly #starts: ReadonlyMap<string, string>;

  constructor(rules: readonly LimitRule[]) {
    this.#starts = new Map(rules.flatMap((rule) => startOf(rule)));
  }

  /** A JSON array of the limits in the headers. */
  json(headers: HeaderList): string {
    const elements: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      const start = this.#starts.get(headers[i] as string);
      if (start !== undefined) elements.push(`${start}${headers[i + 1]}}`);
    }
    return `[${elements.join(",")}]`;
  }
}

function startOf(rule: LimitRule): [header: string, start: string][] {
  const { rateLimitType, interval, intervalNum, limit } = rule;
  const header = headerName(rule);
  if (header === undefined) return [];
  const start =
    `{"rateLimitType":"${rateLimitType}","interval":"${interval}",` +
    `"intervalNum":${intervalNum},"limit":${limit},"count":`;
  return [[header, start]];
}
