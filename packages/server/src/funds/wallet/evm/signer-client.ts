/** Sends requests to the signer process; the node itself has no spending key. */
import { connect } from "node:net";
import type { z } from "zod";
import type { Timers } from "../../../platform/world/port.ts";
import { ChainUnreachable, PaymentRefused } from "../chain.ts";
import { DEFAULT_TIMEOUT_MS, type EvmSettings } from "./settings.ts";
import {
  encodeFrame,
  type HelloAnswer,
  helloAnswer,
  MAX_FRAME_BYTES,
  refusedAnswer,
  type SignedAnswer,
  signedAnswer,
  type SignerRequest,
  type TransactionRequest,
} from "./signer/port.ts";

/** The signer rejected the request, but may accept it later. */
export class SignerRefused extends ChainUnreachable {}

export class SignerClient {
  readonly #network: string;
  readonly #socket: string;
  readonly #timeoutMs: number;
  readonly #timers: Timers;

  constructor({ network, signerSocket, timeoutMs }: EvmSettings, timers: Timers) {
    this.#timers = timers;
    this.#network = network;
    this.#socket = signerSocket;
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * Requests a signature. Rejects with `ChainUnreachable` if the signer does not answer, with `SignerRefused` if it may
   * accept the request later, or with `PaymentRefused` if it never will.
   */
  sign(request: TransactionRequest): Promise<SignedAnswer> {
    return this.#ask(request, signedAnswer);
  }

  hello(chainId: number): Promise<HelloAnswer> {
    return this.#ask({ type: "hello", chainId }, helloAnswer);
  }

  async #ask<T>(request: SignerRequest, shape: z.ZodType<T>): Promise<T> {
    const line = await this.#exchange(encodeFrame(request));
    let said: unknown;
    try {
      said = JSON.parse(line);
    } catch (error) {
      throw this.#unreachable("said what is not JSON", error);
    }
    const refused = refusedAnswer.safeParse(said);
    if (refused.success) {
      const why = `${this.#network}: the signer rejected the request: ${refused.data.refused}`;
      throw refused.data.isForGood ? new PaymentRefused(why) : new SignerRefused(why);
    }
    const answer = shape.safeParse(said);
    if (!answer.success) throw this.#unreachable("said what is no answer", answer.error);
    return answer.data;
  }

  #exchange(frame: string): Promise<string> {
    return new Promise((done, failed) => {
      let said = "";
      const socket = connect(this.#socket);
      const fail = (why: string, cause?: unknown): void => {
        socket.destroy();
        failed(this.#unreachable(why, cause));
      };
      // The timeout covers connection, request and answer, so that a slow signer cannot block the node.
      const cancel = this.#timers.after(this.#timeoutMs, () => fail("did not answer in time"));
      socket.setEncoding("utf8");
      socket.once("connect", () => socket.write(frame));
      socket.once("error", (error: NodeJS.ErrnoException) => fail(`cannot be reached (${error.code})`, error));
      socket.once("close", () => {
        cancel();
        fail("hung up");
      });
      socket.on("data", (text: string) => {
        said += text;
        if (said.length > MAX_FRAME_BYTES) fail("said too much");
        if (!said.includes("\n")) return;
        socket.destroy();
        done(said.slice(0, said.indexOf("\n")));
      });
    });
  }

  #unreachable(why: string, cause?: unknown): ChainUnreachable {
    return new ChainUnreachable(`${this.#network}: the signer ${why}`, cause === undefined ? {} : { cause });
  }
}
