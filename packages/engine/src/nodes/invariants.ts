import { assert } from "../assert.ts";
import { MAX_NODES, MAX_ROLES } from "../limits.ts";
import type { Nodes } from "../state/nodes/nodes.ts";

export function checkNodes(nodes: Nodes): void {
  assert(nodes.size <= MAX_NODES && nodes.roleCount <= MAX_ROLES, "nodes and roles are bounded");
  for (const { node, incarnation, number } of nodes.all()) {
    assert(nodes.get(node)?.number === number && number > 0, "a node's batches count from 1");
    assert(/^[0-9a-f]{16}$/.test(incarnation), "a node's process has a name of its own");
  }
  for (const { role, number } of nodes.roles()) {
    assert(nodes.role(role)?.number === number && number > 0, "grants of a role count from 1");
  }
}
