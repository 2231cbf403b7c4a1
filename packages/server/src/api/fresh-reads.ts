/**
 * Read consistency in a cluster. A read waits until this node's state includes everything that any node has already
 * answered, or its response reports how stale the state is. Decision 44. Not used on a single node.
 */
import type { KnownEndpoint } from "@pricetime/protocol";
import { checksKey, illegalCharacters, needsSignature, SERVER_BUSY } from "@pricetime/protocol";
import type { Freshness } from "../cluster/port.ts";
import type { HeaderList } from "./edge/rate-limits.ts";
import { Refused } from "./edge/refusals.ts";
import type { RequestHeaders } from "./edge/request.ts";

/** In a response: the last entry that the node has applied. In a request: an entry that the node must have applied. */
const SEQ_HEADER = "X-PRICETIME-SEQ";
/** How long the node has been disconnected from the cluster, in milliseconds. */
const STALE_HEADER = "X-PRICETIME-STALE-MS";

const SEQ_FIELD = SEQ_HEADER.toLowerCase();
const SEQ = /^[0-9]{1,15}$/;
/** Endpoints whose responses do not depend on the state of the exchange. */
const TIMELESS: ReadonlySet<string> = new Set(["ping", "time"]);
/** A test order is checked against the state like a real order, but changes nothing. */
const READS_BY_POST: ReadonlySet<string> = new Set(["order.test"]);

export interface FreshReadsOptions {
  readonly freshness: Freshness;
  /** Whether signed reads wait for everything that any node has already answered. */
  readonly isLinearizable: boolean;
  /** A node that has been disconnected longer than this rejects reads. */
  readonly maxStaleMs: number;
}

/** The parts of a request that determine how fresh the state must be. */
interface Asked {
  readonly endpoint: KnownEndpoint;
  readonly headers: RequestHeaders;
  /** Whether this node has the request's API key. If not, another node may have it. */
  readonly isKeyKnown: () => boolean;
}

export class FreshReads {
  readonly #options: FreshReadsOptions;

  /** Response headers that scripts of other origins may read. */
  readonly answerHeaders: readonly string[] = [SEQ_HEADER, STALE_HEADER];
  /** Request headers that scripts of other origins may send. */
  readonly requestHeaders: readonly string[] = [SEQ_HEADER];

  constructor(options: FreshReadsOptions) {
    this.#options = options;
  }

  /** Calls `then` once this node may serve the request, or `refuse` with the error. */
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

  /**
   * The rejection if this node has been disconnected too long, or if the requested entry does not exist or has not
   * arrived yet.
   */
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

/** The entry that a request requires; 0 if it requires none. Throws -1100 if the header is invalid. */
function seqOf(headers: RequestHeaders): number {
  const sent = headers[SEQ_FIELD];
  if (sent === undefined) return 0;
  if (typeof sent !== "string" || !SEQ.test(sent)) throw new Refused(illegalCharacters(SEQ_HEADER, SEQ.source));
  return Number(sent);
}
