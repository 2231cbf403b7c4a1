/**
 * This node's position in the store. It is written over what the node wrote last, and over nothing else: when that is
 * not there, the store has gone back, or another process has the node's name.
 */
import { createHash } from "node:crypto";
import { type NodePosition, StoreUnfit } from "../port.ts";
import { wentBack } from "./check-place.ts";
import type { EpochKeys } from "./keys.ts";
import type { Members } from "./members.ts";
import { numberOf, type KeyValue } from "./protocol.ts";

export class OwnPosition {
  readonly #members: Members;
  readonly #keys: EpochKeys;
  /** The revision of what this process wrote last; undefined: it has written nothing. */
  #revision: number | undefined;
  /** Digests of the attempts since then whose outcome is unknown: there may be many while the store takes no writes. */
  readonly #open = new Set<string>();

  constructor(members: Members, keys: EpochKeys) {
    this.#members = members;
    this.#keys = keys;
  }

  /** One call at a time. Rejects with `CallFailed` when no member answers, with `StoreUnfit` as described. */
  async tell(position: NodePosition): Promise<void> {
    const key = this.#keys.position(position.node);
    const value = Buffer.from(JSON.stringify(position));
    this.#revision ??= await this.#read(key);
    for (;;) {
      this.#open.add(digestOf(value));
      const { succeeded, header, responses } = await this.#members.call("KV/Txn", {
        compare: [{ result: "EQUAL", target: "MOD", key, modRevision: this.#revision }],
        success: [{ put: { key, value } }],
        failure: [{ range: { key } }],
      });
      if (succeeded) {
        this.#revision = numberOf(header.revision);
        this.#open.clear();
        return;
      }
      const found = responses[0]?.range?.kvs[0];
      this.#revision = this.#ownRevision(position, found);
      if (found?.value.equals(value) === true) return;
    }
  }

  async #read(key: Buffer): Promise<number> {
    const { kvs } = await this.#members.call("KV/Range", { key });
    return kvs[0] === undefined ? 0 : numberOf(kvs[0].modRevision);
  }

  /** The revision of an attempt that succeeded without an answer. Throws `StoreUnfit` when it is not one of ours. */
  #ownRevision(position: NodePosition, found: KeyValue | undefined): number {
    if (found !== undefined && this.#open.has(digestOf(found.value))) return numberOf(found.modRevision);
    const by = found === undefined ? undefined : (JSON.parse(found.value.toString("utf8")) as NodePosition);
    if (by !== undefined && by.incarnation !== position.incarnation)
      throw new StoreUnfit(
        `another node of the cluster is running with the name ${position.node}. Give each node a unique name`,
      );
    throw new StoreUnfit(wentBack(`the position of ${position.node} is not the one that it published`));
  }
}

function digestOf(value: Buffer): string {
  return createHash("sha256").update(value).digest("base64");
}
