/** Customers' accounts: identity, rates and permissions. */
import { assert, present } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { FIRST_CUSTOMER_ACCOUNT } from "../ledger/posting.ts";
import type { AccountView } from "../../view/engine-view.ts";

export interface Rates {
  readonly makerBps: number;
  readonly takerBps: number;
}

export type Account = { -readonly [Field in keyof Omit<AccountView, "updateTimeMs">]: AccountView[Field] } & {
  /** Rates that differ from the account's own, by symbol id. */
  readonly symbolRates: Map<number, Rates>;
};

export class Accounts {
  private readonly byId: (Account | undefined)[] = [];
  private readonly byEmail = new Map<string, Account>();
  /** Numbers of sub-accounts, by master. */
  private readonly byMaster = new Map<number, readonly number[]>();

  get size(): number {
    return this.byEmail.size;
  }

  get(accountId: number): Account | undefined {
    return this.byId[accountId];
  }
  getByEmail(email: string): Account | undefined {
    return this.byEmail.get(email);
  }
  all(): Iterable<Account> {
    return this.byEmail.values();
  }

  subsOf(masterId: number): readonly number[] {
    return this.byMaster.get(masterId) ?? [];
  }
  /** The master of a sub-account; any other account itself. */
  masterOf(account: Account): number {
    return account.masterId ?? account.accountId;
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
    this.byEmail.set(account.email, account);
    if (account.masterId === null) return;
    this.byMaster.set(account.masterId, [...this.subsOf(account.masterId), account.accountId]);
  }

  /** Throws when the indices are not those of the accounts. */
  check(): void {
    for (const account of this.byEmail.values()) {
      assert(this.byEmail.get(account.email) === account, "an account is found by its address");
      assert(this.byId[account.accountId] === account, "an account is found by its number");
    }
    const subs = [...this.byEmail.values()].filter(({ masterId }) => masterId !== null).length;
    assert([...this.byMaster.values()].flat().length === subs, "sub-accounts are counted");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.size);
    for (const account of this.byEmail.values()) {
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
