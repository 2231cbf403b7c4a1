/** By what name things of a chain are known: one coin, address or transaction has one name, however it is written. */
import type { CoinId } from "../../entry/wallet-command.ts";

/** Hexadecimal, whose case says nothing; other encodings mean their case. */
const HEXADECIMAL = /^(0x)?[0-9a-f]{40,}$/i;

function folded(text: string): string {
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text;
}

/** No part holds a line break, so no two keys are taken for one. */
export function transactionKey(network: string, txId: string): string {
  return `${network}\n${folded(txId)}`;
}

export function coinKey({ network, txId, output }: CoinId): string {
  return `${transactionKey(network, txId)}\n${output}`;
}

export function addressKey(network: string, address: string, tag: string): string {
  return `${network}\n${folded(address)}\n${tag}`;
}
