/** Customers' accounts: identity, fee rates and permissions. */
import { assert, present } from "../assert.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import { foldedEmail } from "../entry/access.ts";
import { NO_TRADE_GROUP } from "../entry/order-record.ts";
import { FIRST_CUSTOMER_ACCOUNT } from "./ledger.ts";
import type { AccountView } from "../engine-view.ts";

export interface Rates {
  readonly makerBps: number;
  readonly takerBps: number;
}

export type Account = { -readonly [Field in keyof Omit<AccountView, "updateTimeMs">]: AccountView[Field] } & {
  /** Rates that differ from the account's default, by symbol id. */
  readonly symbolRates: Map<number, Rates>;
};

const NO_ACCOUNTS: readonly Account[] = [];

export class Accounts {
  private readonly byId: (Account | undefined)[] = [];
  /** Accounts by their address in lower case: one each, except for duplicates from before rules version 4. */
  private readonly byEmail = new Map<string, readonly Account[]>();
  /** Addresses in lower case that several accounts share. */
  private readonly shared = new Set<string>();
  /** Numbers of sub-accounts, by master. */
  private readonly byMaster = new Map<number, readonly number[]>();

  get size(): number {
    return Math.max(0, this.byId.length - FIRST_CUSTOMER_ACCOUNT);
  }

  get(accountId: number): Account | undefined {
    return this.byId[accountId];
  }
  /** The account with exactly this address. */
  getByEmail(email: string): Account | undefined {
    return this.sharing(email).find((account) => account.email === email);
  }
  /** The accounts whose addresses are equal to this one, ignoring case. */
  sharing(email: string): readonly Account[] {
    return this.byEmail.get(foldedEmail(email)) ?? NO_ACCOUNTS;
  }
  /** Addresses in lower case that several accounts share, oldest first. */
  sharedEmails(): Iterable<string> {
    return this.shared;
  }
  /**
   * The account for an address as typed by a user: the one with exactly this address, otherwise the one in lower case,
   * otherwise the only one.
   */
  named(email: string): Account | undefined {
    const accounts = this.sharing(email);
    const exact = accounts.find((account) => account.email === email);
    const folded = exact ?? accounts.find((account) => account.email === foldedEmail(email));
    return folded ?? (accounts.length === 1 ? accounts[0] : undefined);
  }
  /** All accounts, ascending by number. */
  *all(): Iterable<Account> {
    for (let i = 0; i < this.size; i++) {
      yield present(this.byId[FIRST_CUSTOMER_ACCOUNT + i], "accounts have numbers without gaps");
    }
  }

  subsOf(masterId: number): readonly number[] {
    return this.byMaster.get(masterId) ?? [];
  }
  /** The master of a sub-account. For any other account, the account itself. */
  masterOf(account: Account): number {
    return account.masterId ?? account.accountId;
  }

  /** The master whose accounts are one trade group with this account; `NO_TRADE_GROUP` if they are none. */
  tradeGroupOf(accountId: number): number {
    const account = this.byId[accountId];
    if (account === undefined) return NO_TRADE_GROUP;
    const masterId = this.masterOf(account);
    return this.byId[masterId]?.isTradeGroup === true ? masterId : NO_TRADE_GROUP;
  }

  open(email: string, name: string, rates: Rates, masterId: number | null, nowMs: number): Account {
    const account: Account = {
      accountId: FIRST_CUSTOMER_ACCOUNT + this.size,
      email,
      name,
      makerBps: rates.makerBps,
      takerBps: rates.takerBps,
      canTrade: true,
      canWithdraw: true,
      canDeposit: true,
      createdMs: nowMs,
      masterId,
      isEnabled: true,
      confirmsByMail: false,
      isAddressListEnforced: false,
      sealedTotp: null,
      statusMessage: "",
      statusObjs: [],
      symbolRates: new Map(),
    };
    this.put(account);
    return account;
  }

  /** The rates in force on a symbol. */
  rates(accountId: number, symbolId: number): Rates {
    const account = present(this.byId[accountId], "rates of an unknown account");
    if (account.symbolRates.size === 0) return account;
    return account.symbolRates.get(symbolId) ?? account;
  }

  private put(account: Account): void {
    this.byId[account.accountId] = account;
    this.index(account);
    if (account.masterId === null) return;
    this.byMaster.set(account.masterId, [...this.subsOf(account.masterId), account.accountId]);
  }

  /** Changes the address of the account. */
  move(account: Account, email: string): void {
    const key = foldedEmail(account.email);
    const others = this.sharing(key).filter((other) => other !== account);
    if (others.length === 0) this.byEmail.delete(key);
    else this.byEmail.set(key, others);
    if (others.length < 2) this.shared.delete(key);
    account.email = email;
    this.index(account);
  }

  private index(account: Account): void {
    const key = foldedEmail(account.email);
    const accounts = [...this.sharing(key), account].sort((a, b) => a.accountId - b.accountId);
    this.byEmail.set(key, accounts);
    if (accounts.length > 1) this.shared.add(key);
  }

  /** Throws if the indices do not match the accounts. */
  check(): void {
    let indexed = 0;
    for (const [key, accounts] of this.byEmail) {
      indexed += accounts.length;
      assert(this.shared.has(key) === accounts.length > 1, "a shared address is known as one");
      for (const account of accounts) {
        assert(foldedEmail(account.email) === key, "an account is found by its address");
        assert(this.byId[account.accountId] === account, "an account is found by its number");
      }
    }
    assert(indexed === this.size, "every account is found by its address");
    for (const key of this.shared) assert(this.byEmail.has(key), "a shared address is of accounts");
    const subs = [...this.all()].filter(({ masterId }) => masterId !== null).length;
    assert([...this.byMaster.values()].flat().length === subs, "sub-accounts are counted");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.size);
    for (const account of this.all()) {
      const { symbolRates, ...fields } = account;
      writer.text(JSON.stringify({ ...fields, symbolRates: [...symbolRates].sort((a, b) => a[0] - b[0]) }));
    }
  }

  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const fields = JSON.parse(reader.text());
      this.put({ ...fields, symbolRates: new Map(fields.symbolRates) });
    }
  }
}

export function isListEnforced(account: Account, nowMs: number): boolean {
  return account.isAddressListEnforced && nowMs < (account.addressListEndsMs ?? Infinity);
}
