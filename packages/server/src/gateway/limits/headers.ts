/** The X-MBX headers: how much of each limit is used. Interface 8.2 and 8.4. */
import type { WindowCounter } from "./counter.ts";
import type { IpRecord } from "./ip-limiter.ts";
import { intervalSuffix } from "./rule.ts";
import type { LimitRule } from "./rule.ts";

/** Header names and values in turn, as `ServerResponse.writeHead` takes them. */
export type HeaderList = string[];

export class LimitHeaders {
  /** By place in the IP limiter's rules; undefined for RAW_REQUESTS, which has no header. */
  readonly #weightNames: readonly (string | undefined)[];
  readonly #orderNames: readonly string[];
  /** The rule that the legacy header without a suffix shows; -1: none. */
  readonly #legacy: number;

  constructor(ipRules: readonly LimitRule[], orderRules: readonly LimitRule[]) {
    this.#weightNames = ipRules.map((rule) =>
      rule.rateLimitType === "REQUEST_WEIGHT" ? `X-MBX-USED-WEIGHT-${intervalSuffix(rule)}` : undefined,
    );
    this.#orderNames = orderRules.map((rule) => `X-MBX-ORDER-COUNT-${intervalSuffix(rule)}`);
    this.#legacy = this.#weightNames.indexOf("X-MBX-USED-WEIGHT-1M");
  }

  /** Of all headers that may be sent. */
  get names(): string[] {
    const legacy = this.#legacy === -1 ? [] : ["X-MBX-USED-WEIGHT"];
    return [...legacy, ...this.#weightNames.filter((name) => name !== undefined), ...this.#orderNames];
  }

  pushWeights(headers: HeaderList, record: IpRecord, nowMs: number): void {
    for (let i = 0; i < this.#weightNames.length; i++) {
      const name = this.#weightNames[i];
      if (name === undefined) continue;
      const used = String((record.counters[i] as WindowCounter).used(nowMs));
      if (i === this.#legacy) headers.push("X-MBX-USED-WEIGHT", used);
      headers.push(name, used);
    }
  }

  /** `counts`: in the order of the rules of orders. */
  pushOrderCounts(headers: HeaderList, counts: readonly number[]): void {
    for (let i = 0; i < this.#orderNames.length; i++) {
      headers.push(this.#orderNames[i] as string, String(counts[i]));
    }
  }
}
