/** Keys for things of a chain: one coin, address or transaction has one key, however it is written. */
import type { CoinId } from "../../entry/wallet-command.ts";

/** Hexadecimal, in which case has no meaning; in other encodings it has. */
const HEXADECIMAL = /^(0x)?[0-9a-f]{40,}$/i;

function folded(text: string): string {
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text;
}

/** No part contains a line break, so different parts give different keys. */
export function transactionKey(network: string, txId: string): string {
  return `${network}\n${folded(txId)}`;
}

export function coinKey({ network, txId, output }: CoinId): string {
  return `${transactionKey(network, txId)}\n${output}`;
}

export function addressKey(network: string, address: string, tag: string): string {
  return `${network}\n${folded(address)}\n${tag}`;
}
