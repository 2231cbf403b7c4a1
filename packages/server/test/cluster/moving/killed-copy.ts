/**
 * Copies a journal out of a cluster in a separate process, to be killed. Prints a line after each step. Arguments: the
 * number of steps before the kill, the folder of the copy, and the node's URL and token.
 */
import { copyOut } from "../../../src/cluster/moving/copy-out.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { reportSteps } from "../catch-up/killed-process.ts";

const [killAfter = "", dataFolder = "", url = "", token = ""] = process.argv.slice(2);
const onStep = reportSteps(Number(killAfter));
const peers = [{ node: "n1", url }];
const { fromSeq } = await copyOut({ dataFolder, peers, token, isFull: true, world: MACHINE, stepRows: 1, onStep });
process.stdout.write(`from ${fromSeq}\n`);
