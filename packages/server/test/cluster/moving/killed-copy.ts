/** Copies a journal out of a cluster in a process of its own, to be killed: prints a line after each step. */
import { copyOut } from "../../../src/cluster/moving/copy-out.ts";
import { MACHINE } from "../../../src/world/machine.ts";

const [dataFolder = "", url = "", token = ""] = process.argv.slice(2);
const onStep = (seq: number): void => void process.stdout.write(`${seq}\n`);
const peers = [{ node: "n1", url }];
const { fromSeq } = await copyOut({ dataFolder, peers, token, isFull: true, world: MACHINE, stepRows: 1, onStep });
process.stdout.write(`from ${fromSeq}\n`);
