/**
 * The X-MBX headers: how much of each limit is used. Interface 8.2 and 8.4. In lower case, as the parent's front end
 * sends them today: some clients look them up by exact text.
 */
import type { WindowCounter } from "./counter.ts";
import type { IpRecord } from "./ip-limiter.ts";
import { headerName } from "./rule.ts";
import type { LimitRule } from "./rule.ts";

/** Header names and values in turn, as `ServerResponse.writeHead` takes them. */
export type HeaderList = string[];

/** The weight of one minute, under the name of 2019. */
const LEGACY_NAME = "x-mbx-used-weight";

export class LimitHeaders {
  /** Names by index in the IP limiter's rules; undefined for RAW_REQUESTS, which has no header. */
  readonly #weightNames: readonly (string | undefined)[];
  readonly #orderNames: readonly string[];
  /** Index of the rule in the legacy header without a suffix; -1: none. */
  readonly #legacy: number;

  constructor(ipRules: readonly LimitRule[], orderRules: readonly LimitRule[]) {
    this.#weightNames = ipRules.map(headerName);
    this.#orderNames = orderRules.map(headerName).filter((name) => name !== undefined);
    this.#legacy = this.#weightNames.indexOf(`${LEGACY_NAME}-1m`);
  }

  /** The names of all headers that may be sent. */
  get names(): string[] {
    const legacy = this.#legacy === -1 ? [] : [LEGACY_NAME];
    return [...legacy, ...this.#weightNames.filter((name) => name !== undefined), ...this.#orderNames];
  }

  pushWeights(headers: HeaderList, record: IpRecord, nowMs: number): void {
    for (let i = 0; i < this.#weightNames.length; i++) {
      const name = this.#weightNames[i];
      if (name === undefined) continue;
      const used = String((record.counters[i] as WindowCounter).used(nowMs));
      if (i === this.#legacy) headers.push(LEGACY_NAME, used);
      headers.push(name, used);
    }
  }

  /** `counts` is in the order of the order rules. */
  pushOrderCounts(headers: HeaderList, counts: readonly number[]): void {
    for (let i = 0; i < this.#orderNames.length; i++) {
      headers.push(this.#orderNames[i] as string, String(counts[i]));
    }
  }
}
