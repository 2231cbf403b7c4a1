/**
 * What a node's answers must have. What is missing would be taken for a fact: an answer without a result for "no such
 * block", a block without a number for block 0.
 */
import { BaseError, http, type HttpTransport } from "viem";
import type { Block } from "../chain.ts";

/** The node answered, but not what was asked. */
class AnswerIncomplete extends BaseError {}

/** As viem's transport; rejects when an answer has neither result nor error, as some have where a node's limits are. */
export function answering(url: string, timeout: number): HttpTransport {
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
