/**
 * Plain puts to etcd: the baseline of the shared log. Bytes and frames are encoded here, by etcd's published protocol
 * and gRPC over HTTP/2, without code of the program.
 */
import assert from "node:assert/strict";
import { type ClientHttp2Session, connect } from "node:http2";

const PUT = { ":method": "POST", ":path": "/etcdserverpb.KV/Put", "content-type": "application/grpc", te: "trailers" };
const KEY_FIELD = 0x0a;
const VALUE_FIELD = 0x12;
const FRAME_HEAD_BYTES = 5;

export class BarePuts {
  readonly #session: ClientHttp2Session;

  /** `endpoint` is a URL such as `http://127.0.0.1:2379`. */
  constructor(endpoint: string) {
    this.#session = connect(endpoint);
  }

  /** Resolves when a quorum has stored it. */
  put(key: string, value: Uint8Array): Promise<void> {
    const message = Buffer.concat([field(KEY_FIELD, Buffer.from(key)), field(VALUE_FIELD, value)]);
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt32BE(message.length, 1);
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(PUT);
      let status: unknown;
      stream.on("trailers", (trailers) => (status = trailers["grpc-status"]));
      stream.on("error", reject);
      stream.on("close", () => {
        assert.equal(Number(status), 0, `etcd answered a put with ${String(status)}`);
        resolve();
      });
      stream.resume();
      stream.end(Buffer.concat([head, message]));
    });
  }
}

/** A bytes field, with its length as a varint. */
function field(tag: number, bytes: Uint8Array): Buffer {
  const head = [tag];
  let length = bytes.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), bytes]);
}
