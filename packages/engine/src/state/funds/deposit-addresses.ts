/** Deposit addresses: one for each account and network; each belongs to one account. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { addressKey } from "./coin-key.ts";
import type { DepositAddress } from "../../entry/wallet-record.ts";

export class DepositAddresses {
  private readonly byKey = new Map<string, DepositAddress>();
  /** Addresses by network, then by account. */
  private readonly byNetwork = new Map<string, Map<number, DepositAddress>>();

  get(accountId: number, network: string): DepositAddress | undefined {
    return this.byNetwork.get(network)?.get(accountId);
  }
  owner(network: string, address: string, tag: string): number | undefined {
    return this.byKey.get(addressKey(network, address, tag))?.accountId;
  }
  of(network: string): Iterable<DepositAddress> {
    return this.byNetwork.get(network)?.values() ?? [];
  }
  all(): Iterable<DepositAddress> {
    return this.byKey.values();
  }

  add(address: DepositAddress): void {
    this.byKey.set(addressKey(address.network, address.address, address.tag), address);
    const ofNetwork = this.byNetwork.get(address.network);
    if (ofNetwork === undefined) this.byNetwork.set(address.network, new Map([[address.accountId, address]]));
    else ofNetwork.set(address.accountId, address);
  }

  /** Throws when the indices are not those of the addresses. */
  check(): void {
    for (const [key, deposit] of this.byKey) {
      const { network, address, tag, accountId } = deposit;
      assert(key === addressKey(network, address, tag), "an address is found by what it is");
      assert(this.get(accountId, network) === deposit, "an account has one address on a network");
    }
    const count = [...this.byNetwork.values()].reduce((sum, { size }) => sum + size, 0);
    assert(count === this.byKey.size, "no address is left over");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byKey.size);
    for (const address of this.byKey.values()) writer.text(JSON.stringify(address));
  }
  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) this.add(JSON.parse(reader.text()));
  }
}
