/** The venue's operators, by name. They are never removed: the journal names them. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { OperatorRecord } from "../../entry/access-record.ts";

export class Operators {
  private readonly byName = new Map<string, OperatorRecord>();

  get size(): number {
    return this.byName.size;
  }
  get(name: string): OperatorRecord | undefined {
    return this.byName.get(name);
  }
  all(): Iterable<OperatorRecord> {
    return this.byName.values();
  }
  put(operator: OperatorRecord): void {
    this.byName.set(operator.name, operator);
  }

  /** Those with all rights, whose accounts are in use. */
  get adminCount(): number {
    return [...this.byName.values()].filter(({ role, isEnabled }) => isEnabled && role === "admin").length;
  }

  check(): void {
    for (const [name, operator] of this.byName) assert(operator.name === name, "an operator is found by name");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byName.values()]));
  }
  load(reader: ByteReader): void {
    for (const operator of JSON.parse(reader.text()) as OperatorRecord[]) this.put(operator);
  }
}
