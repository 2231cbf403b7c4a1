/** Listen keys: the open user streams, one an account. Interface 3.7, 4.4. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { LISTEN_KEY_LIFE_MS } from "../../limits.ts";

export interface ListenKey {
  readonly listenKey: string;
  readonly accountId: number;
  expiresMs: number;
}

export class ListenKeys {
  /** In the order of expiry: every extension moves a key to the back. */
  private readonly byKey = new Map<string, ListenKey>();
  private readonly byAccount = new Map<number, ListenKey>();

  get(listenKey: string): ListenKey | undefined {
    return this.byKey.get(listenKey);
  }
  of(accountId: number): ListenKey | undefined {
    return this.byAccount.get(accountId);
  }

  open(accountId: number, listenKey: string, nowMs: number): ListenKey {
    const key = { listenKey, accountId, expiresMs: nowMs + LISTEN_KEY_LIFE_MS };
    this.put(key);
    return key;
  }

  extend(key: ListenKey, nowMs: number): void {
    key.expiresMs = nowMs + LISTEN_KEY_LIFE_MS;
    this.byKey.delete(key.listenKey);
    this.byKey.set(key.listenKey, key);
  }

  close(key: ListenKey): void {
    this.byKey.delete(key.listenKey);
    this.byAccount.delete(key.accountId);
  }

  /** The key that expires first, if any. */
  first(): ListenKey | undefined {
    return this.byKey.values().next().value;
  }

  private put(key: ListenKey): void {
    this.byKey.set(key.listenKey, key);
    this.byAccount.set(key.accountId, key);
  }

  /** Throws when the indices are not those of the keys, or these are not in the order of expiry. */
  check(): void {
    let expiresMs = 0;
    for (const [listenKey, key] of this.byKey) {
      const isFound = key.listenKey === listenKey && this.byAccount.get(key.accountId) === key;
      assert(isFound, "a listen key is found either way");
      assert(key.expiresMs >= expiresMs, "the first listen key expires first");
      expiresMs = key.expiresMs;
    }
    assert(this.byAccount.size === this.byKey.size, "no listen key is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byKey.values()]));
  }

  load(reader: ByteReader): void {
    for (const key of JSON.parse(reader.text()) as ListenKey[]) this.put(key);
  }
}
