/** Puts to etcd and nothing else: the baseline of the shared log. Its bytes are made here, by etcd's published protocol. */
import { Client, credentials } from "@grpc/grpc-js";

const PUT = "/etcdserverpb.KV/Put";
const KEY_FIELD = 0x0a;
const VALUE_FIELD = 0x12;

export class BarePuts {
  readonly #client: Client;

  /** `endpoint`: `http://127.0.0.1:2379`. */
  constructor(endpoint: string) {
    this.#client = new Client(new URL(endpoint).host, credentials.createInsecure());
  }

  /** Resolves when a quorum has it. */
  put(key: string, value: Uint8Array): Promise<void> {
    const request = Buffer.concat([field(KEY_FIELD, Buffer.from(key)), field(VALUE_FIELD, value)]);
    const asIs = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(PUT, asIs, asIs, request, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** A field of bytes, with its length as a varint. */
function field(tag: number, bytes: Uint8Array): Buffer {
  const head = [tag];
  let length = bytes.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), bytes]);
}
