/** The addresses to which an account may withdraw while its list is enforced. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { addressKey } from "./coin-key.ts";
import type { AllowedAddress } from "../../entry/wallet-record.ts";

export class AllowLists {
  /** Addresses by account. */
  private readonly byAccount = new Map<number, Map<string, AllowedAddress>>();

  of(accountId: number): readonly AllowedAddress[] {
    return [...(this.byAccount.get(accountId)?.values() ?? [])];
  }
  /** Those whose list has an address. */
  accountIds(): Iterable<number> {
    return this.byAccount.keys();
  }
  size(accountId: number): number {
    return this.byAccount.get(accountId)?.size ?? 0;
  }
  get(accountId: number, network: string, address: string, tag: string): AllowedAddress | undefined {
    return this.byAccount.get(accountId)?.get(addressKey(network, address, tag));
  }

  add(accountId: number, allowed: AllowedAddress): void {
    let list = this.byAccount.get(accountId);
    if (list === undefined) {
      list = new Map();
      this.byAccount.set(accountId, list);
    }
    list.set(addressKey(allowed.network, allowed.address, allowed.tag), allowed);
  }

  /** False when the address was not on the list. */
  delete(accountId: number, network: string, address: string, tag: string): boolean {
    const list = this.byAccount.get(accountId);
    if (list === undefined || !list.delete(addressKey(network, address, tag))) return false;
    if (list.size === 0) this.byAccount.delete(accountId);
    return true;
  }

  /** Throws when an address is not found by what it is. */
  check(): void {
    for (const list of this.byAccount.values()) {
      for (const [key, { network, address, tag }] of list) {
        assert(key === addressKey(network, address, tag), "an allowed address is found");
      }
    }
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byAccount.size);
    for (const [accountId, list] of this.byAccount) {
      writer.uint(accountId);
      writer.text(JSON.stringify([...list.values()]));
    }
  }
  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const accountId = reader.uint();
      for (const allowed of JSON.parse(reader.text()) as AllowedAddress[]) this.add(accountId, allowed);
    }
  }
}
