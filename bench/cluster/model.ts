/**
 * Extrapolates the measured costs to more nodes. A request costs the main thread of the node that accepts it `own`, and
 * that of each other node, which applies the batch, `other`. A main thread has one second per second.
 */
import { table, thousands } from "../measure.ts";

const SIZES = [1, 3, 8, 32, 128];
const US_A_SECOND = 1_000_000;
const MEASURED_NODES = 3;

/** `one`, `three`: microseconds of all main threads together per request, in a cluster of one node and of three. */
export function model(one: number, three: number): string[] {
  const own = one;
  const other = (three - one) / (MEASURED_NODES - 1);
  const rows = SIZES.map((nodes) => {
    const perNode = (own + (nodes - 1) * other) / nodes;
    const rate = US_A_SECOND / perNode;
    const share = (rate * other * (nodes - 1)) / nodes / US_A_SECOND;
    return [nodes, thousands(rate), `${Math.round(share * 100)} %`];
  });
  return [
    `a request costs ${own.toFixed(1)} us on the main thread of its own node and ${other.toFixed(1)} us on that of each other node`,
    "",
    ...table(["nodes", "maximum orders/s of the main threads", "share spent on other nodes' orders"], rows),
    "",
    `limit for any number of nodes: ${thousands(US_A_SECOND / other)} orders/s, when a main thread only applies other nodes' orders`,
  ];
}
