/** The connection to a chain's node: it verifies that the node is of the right chain, and fails with one error only. */
import { BaseError, type PublicClient, createPublicClient, http } from "viem";
import { ChainUnreachable } from "../chain.ts";
import { DEFAULT_TIMEOUT_MS, type EvmSettings } from "./settings.ts";

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
    this.#client = createPublicClient({ transport: http(settings.rpcUrl, { timeout, retryCount: 0 }), cacheTime: 0 });
  }

  /** Rejects with `ChainUnreachable` for everything that the node refuses or fails at. */
  ask<T>(question: (client: PublicClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#unreachable("closed"));
    this.#verified ??= this.#verify();
    const answer = this.#verified.then(() => question(this.#client));
    // No `cause`: the errors of the transport contain the URL, which may hold a key.
    return answer.catch((error: unknown) => {
      if (!(error instanceof BaseError || error instanceof ChainUnreachable)) throw error;
      this.#verified = undefined;
      throw error instanceof BaseError ? this.#unreachable(this.#story(error)) : error;
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #verify(): Promise<void> {
    const chainId = await this.#client.getChainId();
    if (chainId !== this.#chainId) {
      throw this.#unreachable(`the node is of chain ${chainId}, the network is chain ${this.#chainId}`);
    }
    await this.#check(this.#client);
  }

  #unreachable(why: string): ChainUnreachable {
    return new ChainUnreachable(`${this.#network}: ${why}`);
  }

  #story({ shortMessage, details }: BaseError): string {
    const told = details === undefined || details === "" ? shortMessage : `${shortMessage} ${details}`;
    return told.replaceAll(this.#url, "the node").replaceAll("\n", " ").slice(0, 300);
  }
}
