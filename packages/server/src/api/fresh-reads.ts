/**
 * What a node of a cluster owes its readers: either a state that includes all that any node has answered before, or how
 * old the state is. Decision 44. A node that is alone needs none of this.
 */
import type { KnownEndpoint } from "@pricetime/protocol";
import { checksKey, illegalCharacters, needsSignature, SERVER_BUSY } from "@pricetime/protocol";
import type { Freshness } from "../cluster/port.ts";
import type { HeaderList } from "./edge/rate-limits.ts";
import { Refused } from "./edge/refusals.ts";
import type { RequestHeaders } from "./edge/request.ts";

/** An answer names the last entry that the node had applied, a request the entry that it must have applied. */
const SEQ_HEADER = "X-PRICETIME-SEQ";
/** For how long the node has been cut off. */
const STALE_HEADER = "X-PRICETIME-STALE-MS";

const SEQ_FIELD = SEQ_HEADER.toLowerCase();
const SEQ = /^[0-9]{1,15}$/;
/** Their answers do not depend on the exchange's state. */
const TIMELESS: ReadonlySet<string> = new Set(["ping", "time"]);
/** A test order is judged by the state, as if it were an order, and changes nothing. */
const READS_BY_POST: ReadonlySet<string> = new Set(["order.test"]);

export interface FreshReadsOptions {
  readonly freshness: Freshness;
  /** Whether signed reads see all that any node has answered before. */
  readonly isLinearizable: boolean;
  /** A node that is cut off for longer refuses reads. */
  readonly maxStaleMs: number;
}

/** What a request asks for. */
interface Asked {
  readonly endpoint: KnownEndpoint;
  readonly headers: RequestHeaders;
  /** False while this node does not know the key that it came with: another may have it. */
  readonly isKeyKnown: () => boolean;
}

export class FreshReads {
  readonly #options: FreshReadsOptions;

  /** The headers of answers that scripts of other origins may read, */
  readonly answerHeaders: readonly string[] = [SEQ_HEADER, STALE_HEADER];
  /** and those that they may send. */
  readonly requestHeaders: readonly string[] = [SEQ_HEADER];

  constructor(options: FreshReadsOptions) {
    this.#options = options;
  }

  /** Calls `then` when this node may answer the request, now or later, or `refuse` with the refusal. */
  when(asked: Asked, then: () => void, refuse: (error: unknown) => void): void {
    try {
      const seq = seqOf(asked.headers);
      if (this.#mustWait(asked, seq)) {
        const answer = (staleMs: number): void => {
          const isKeyUnsure = staleMs > 0 && !asked.isKeyKnown() && checksKey(asked.endpoint);
          const refusal = isKeyUnsure ? busy() : this.#refusalOf(asked, seq);
          if (refusal === undefined) then();
          else refuse(refusal);
        };
        this.#options.freshness.latest().then(answer, refuse);
        return;
      }
      const refusal = this.#refusalOf(asked, seq);
      if (refusal !== undefined) throw refusal;
    } catch (error) {
      refuse(error);
      return;
    }
    then();
  }

  #mustWait({ endpoint, isKeyKnown }: Asked, seq: number): boolean {
    const { freshness, isLinearizable } = this.#options;
    if (!isKeyKnown() || seq > freshness.seq) return true;
    return isLinearizable && isRead(endpoint) && needsSignature(endpoint);
  }

  /** An entry that is not there by now is nobody's answer, or this node is cut off from it. */
  #refusalOf({ endpoint }: Asked, seq: number): Refused | undefined {
    const { freshness, maxStaleMs } = this.#options;
    const isTooOld = isRead(endpoint) && freshness.staleMs() > maxStaleMs;
    return isTooOld || seq > freshness.seq ? busy() : undefined;
  }

  pushHeaders(headers: HeaderList): void {
    const { freshness } = this.#options;
    headers.push(SEQ_HEADER, String(freshness.seq));
    const staleMs = freshness.staleMs();
    if (staleMs > 0) headers.push(STALE_HEADER, String(Math.ceil(staleMs)));
  }
}

function busy(): Refused {
  return new Refused(SERVER_BUSY, 1);
}

function isRead({ id, method }: KnownEndpoint): boolean {
  return method === "GET" ? !TIMELESS.has(id) : READS_BY_POST.has(id);
}

/** The entry that a request names; 0: none. Throws -1100. */
function seqOf(headers: RequestHeaders): number {
  const sent = headers[SEQ_FIELD];
  if (sent === undefined) return 0;
  if (typeof sent !== "string" || !SEQ.test(sent)) throw new Refused(illegalCharacters(SEQ_HEADER, SEQ.source));
  return Number(sent);
}
