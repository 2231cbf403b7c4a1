/** The API keys of all accounts. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { ApiKey } from "../../entry/api-key.ts";

export class ApiKeys {
  private readonly byKey = new Map<string, ApiKey>();
  private readonly byAccount = new Map<number, readonly ApiKey[]>();

  get(apiKey: string): ApiKey | undefined {
    return this.byKey.get(apiKey);
  }

  of(accountId: number): readonly ApiKey[] {
    return this.byAccount.get(accountId) ?? [];
  }

  add(key: ApiKey): void {
    this.byKey.set(key.apiKey, key);
    this.byAccount.set(key.accountId, [...this.of(key.accountId), key]);
  }

  delete(key: ApiKey): void {
    this.byKey.delete(key.apiKey);
    this.byAccount.set(
      key.accountId,
      this.of(key.accountId).filter((other) => other !== key),
    );
  }

  /** Throws when the indices are not those of the keys, or keys are of an account that there is not. */
  check(isAccount: (accountId: number) => boolean): void {
    let count = 0;
    for (const [accountId, keys] of this.byAccount) {
      assert(isAccount(accountId), "API keys are of accounts");
      for (const key of keys) {
        assert(key.accountId === accountId && this.byKey.get(key.apiKey) === key, "an API key is found either way");
        count++;
      }
    }
    assert(count === this.byKey.size, "no API key is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byKey.values()]));
  }

  load(reader: ByteReader): void {
    for (const key of JSON.parse(reader.text()) as ApiKey[]) this.add(key);
  }
}
