/** The addresses that an account's withdrawals may go to, when its list is enforced. */
import type { ByteReader, ByteWriter } from "../bytes.ts";
import { MAX_ALLOWED_ADDRESSES } from "../limits.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { addressKey } from "./coin-key.ts";
import type { AllowAddress, DisallowAddress, SetAddressList } from "./command.ts";
import type { AllowedAddress } from "./record.ts";

export class AllowLists {
  /** By account, then address. */
  private readonly byAccount = new Map<number, Map<string, AllowedAddress>>();

  of(accountId: number): readonly AllowedAddress[] {
    return [...(this.byAccount.get(accountId)?.values() ?? [])];
  }
  size(accountId: number): number {
    return this.byAccount.get(accountId)?.size ?? 0;
  }
  has(accountId: number, network: string, address: string, tag: string): boolean {
    return this.byAccount.get(accountId)?.has(addressKey(network, address, tag)) ?? false;
  }

  add(accountId: number, allowed: AllowedAddress): void {
    let list = this.byAccount.get(accountId);
    if (list === undefined) {
      list = new Map();
      this.byAccount.set(accountId, list);
    }
    list.set(addressKey(allowed.network, allowed.address, allowed.tag), allowed);
  }

  /** False: it was not on the list. */
  delete(accountId: number, network: string, address: string, tag: string): boolean {
    const list = this.byAccount.get(accountId);
    if (list === undefined || !list.delete(addressKey(network, address, tag))) return false;
    if (list.size === 0) this.byAccount.delete(accountId);
    return true;
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

export function allowAddress(state: ExchangeState, command: AllowAddress): RejectReason | null {
  const { accountId, network, address, tag, name } = command;
  const { allowed } = state.funds;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (allowed.has(accountId, network, address, tag)) return "ALREADY_EXISTS";
  if (allowed.size(accountId) >= MAX_ALLOWED_ADDRESSES) return "TOO_MANY";
  allowed.add(accountId, { network, address, tag, name });
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function disallowAddress(state: ExchangeState, command: DisallowAddress): RejectReason | null {
  const { accountId, network, address, tag } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!state.funds.allowed.delete(accountId, network, address, tag)) return "UNKNOWN_ADDRESS";
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function setAddressList(state: ExchangeState, command: SetAddressList): RejectReason | null {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  account.isAddressListEnforced = command.isEnforced;
  state.emit({ type: "accountChanged", accountId: command.accountId });
  return null;
}
