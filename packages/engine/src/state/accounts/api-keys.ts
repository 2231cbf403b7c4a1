/** The API keys of all accounts. */
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

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byKey.values()]));
  }

  load(reader: ByteReader): void {
    for (const key of JSON.parse(reader.text()) as ApiKey[]) this.add(key);
  }
}
