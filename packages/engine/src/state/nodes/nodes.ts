/** The nodes that have written to the journal, and the roles that were granted. Both are empty where a node is alone. */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { NodeRecord, RoleRecord } from "../../view/nodes-view.ts";

export class Nodes {
  private readonly byName = new Map<string, NodeRecord>();
  private readonly byRole = new Map<string, RoleRecord>();

  get size(): number {
    return this.byName.size;
  }
  get roleCount(): number {
    return this.byRole.size;
  }

  get(node: string): NodeRecord | undefined {
    return this.byName.get(node);
  }
  all(): Iterable<NodeRecord> {
    return this.byName.values();
  }
  put(record: NodeRecord): void {
    this.byName.set(record.node, record);
  }

  role(role: string): RoleRecord | undefined {
    return this.byRole.get(role);
  }
  roles(): Iterable<RoleRecord> {
    return this.byRole.values();
  }
  putRole(record: RoleRecord): void {
    this.byRole.set(record.role, record);
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byName.values()]));
    writer.text(JSON.stringify([...this.byRole.values()]));
  }

  load(reader: ByteReader): void {
    for (const record of JSON.parse(reader.text()) as NodeRecord[]) this.put(record);
    for (const record of JSON.parse(reader.text()) as RoleRecord[]) this.putRole(record);
  }
}
