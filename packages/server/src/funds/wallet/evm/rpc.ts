/** The connection to a chain's node: it verifies that the node is of the right chain, and fails with one error only. */
import { BaseError, createPublicClient, http, type HttpTransport, type PublicClient } from "viem";
import { type Block, ChainUnreachable } from "../chain.ts";
import { DEFAULT_TIMEOUT_MS, type EvmSettings } from "./settings.ts";

// What is missing in an answer would be taken for a fact: an answer without a result for "no such block", a block
// without a number for block 0.

/** The node answered, but not what was asked. */
class AnswerIncomplete extends BaseError {}

/** As viem's transport; rejects when an answer has neither result nor error, as some have where a node's limits are. */
function answering(url: string, timeout: number): HttpTransport {
  const open = http(url, { timeout, retryCount: 0 });
  return (config) => {
    const { request, ...opened } = open(config);
    const ask = async (...question: Parameters<typeof request>): Promise<unknown> => {
      const result: unknown = await request(...question);
      if (result === undefined) throw new AnswerIncomplete("the node answered without a result");
      return result;
    };
    return { ...opened, request: ask as typeof request };
  };
}

/** Throws a `BaseError` unless the block says where it is. */
export function placeOf({ number, hash }: { readonly number: unknown; readonly hash: unknown }): Block {
  const height = typeof number === "bigint" ? Number(number) : -1;
  if (Number.isSafeInteger(height) && height >= 0 && typeof hash === "string") return { height, hash };
  throw new AnswerIncomplete("the node told of a block without its number or its hash");
}

/** What reading an answer throws that has other contents than it should: viem does not look at all of them. */
const UNREADABLE = [TypeError, SyntaxError, RangeError] as const;

export class EvmRpc {
  readonly #network: string;
  readonly #chainId: number;
  readonly #url: string;
  readonly #client: PublicClient;
  readonly #check: (client: PublicClient) => Promise<void>;
  /** Whether the node is of our chain. This is checked again after every failure: it may be another node then. */
  #verified: Promise<void> | undefined;
  #isClosed = false;

  /** `check` runs once the chain is known to be the right one; it throws `ChainUnreachable` when something is wrong. */
  constructor(settings: EvmSettings, check: (client: PublicClient) => Promise<void>) {
    this.#network = settings.network;
    this.#chainId = settings.chainId;
    this.#url = settings.rpcUrl;
    this.#check = check;
    const timeout = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#client = createPublicClient({ transport: answering(settings.rpcUrl, timeout), cacheTime: 0 });
  }

  /** Rejects with `ChainUnreachable` for everything that the node refuses or fails at. */
  ask<T>(question: (client: PublicClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#unreachable("closed"));
    this.#verified ??= this.#verify();
    const answer = this.#verified.then(() => question(this.#client));
    return answer.catch((error: unknown) => {
      const failure = this.#failureOf(error);
      if (failure === undefined) throw error;
      this.#verified = undefined;
      throw failure;
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Whatever it fails with, the next question verifies anew. */
  async #verify(): Promise<void> {
    try {
      const chainId = await this.#client.getChainId();
      if (chainId !== this.#chainId) {
        throw this.#unreachable(`the node is of chain ${chainId}, the network is chain ${this.#chainId}`);
      }
      await this.#check(this.#client);
    } catch (error) {
      this.#verified = undefined;
      throw error;
    }
  }

  /** Undefined: neither the node nor the way to it is to blame. */
  #failureOf(error: unknown): ChainUnreachable | undefined {
    if (error instanceof ChainUnreachable) return error;
    // No `cause`: the errors of the transport contain the URL, which may hold a key.
    if (error instanceof BaseError) return this.#unreachable(this.#story(error));
    if (!(error instanceof Error) || !UNREADABLE.some((kind) => error instanceof kind)) return undefined;
    return this.#unreachable(`what the node answered cannot be used: ${error.message}`, error);
  }

  #unreachable(why: string, cause?: Error): ChainUnreachable {
    return new ChainUnreachable(`${this.#network}: ${why}`, cause === undefined ? {} : { cause });
  }

  #story({ shortMessage, details }: BaseError): string {
    const told = details === undefined || details === "" ? shortMessage : `${shortMessage} ${details}`;
    return told.replaceAll(this.#url, "the node").replaceAll("\n", " ").slice(0, 300);
  }
}
