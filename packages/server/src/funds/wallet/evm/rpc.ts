/**
 * The connection to a chain's node. Verifies that the node belongs to the right chain. Rejects only with
 * `ChainUnreachable`.
 */
import { BaseError, createPublicClient, http, type HttpTransport, type PublicClient } from "viem";
import { type Block, ChainUnreachable } from "../chain.ts";
import { DEFAULT_TIMEOUT_MS, type EvmSettings } from "./settings.ts";

// Without the following checks, missing data in an answer would be misinterpreted: no result as "no such block", a
// block without a number as block 0.

/** The node's answer is incomplete. */
class AnswerIncomplete extends BaseError {}

/**
 * viem's transport, except that it rejects answers with neither result nor error, which some providers return at their
 * limits.
 */
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

/** The position of a block. Throws a `BaseError` if the block has no height or hash. */
export function placeOf({ number, hash }: { readonly number: unknown; readonly hash: unknown }): Block {
  const height = typeof number === "bigint" ? Number(number) : -1;
  if (Number.isSafeInteger(height) && height >= 0 && typeof hash === "string") return { height, hash };
  throw new AnswerIncomplete("the node told of a block without its number or its hash");
}

/** Errors thrown while a malformed answer is read; viem does not validate all answers. */
const UNREADABLE = [TypeError, SyntaxError, RangeError] as const;

export class EvmRpc {
  readonly #network: string;
  readonly #chainId: number;
  readonly #url: string;
  readonly #client: PublicClient;
  readonly #check: (client: PublicClient) => Promise<void>;
  /**
   * Verifies that the node belongs to our chain. Repeated after every failure, because the URL may then lead to another
   * node.
   */
  #verified: Promise<void> | undefined;
  #isClosed = false;

  /** `check` runs after the chain id is verified; it throws `ChainUnreachable` on errors. */
  constructor(settings: EvmSettings, check: (client: PublicClient) => Promise<void>) {
    this.#network = settings.network;
    this.#chainId = settings.chainId;
    this.#url = settings.rpcUrl;
    this.#check = check;
    const timeout = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#client = createPublicClient({ transport: answering(settings.rpcUrl, timeout), cacheTime: 0 });
  }

  /** Runs a request on the chain's node. Rejects with `ChainUnreachable` for all errors of the node. */
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

  /** Verifies the node again on the first request after a failure. */
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

  /** Returns undefined for errors that neither the node nor the connection caused. */
  #failureOf(error: unknown): ChainUnreachable | undefined {
    if (error instanceof ChainUnreachable) return error;
    // Set no `cause`: errors of the transport contain the URL, which may contain an API key.
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
