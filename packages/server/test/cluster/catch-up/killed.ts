/**
 * A node that catches up in a separate process, to be killed. Prints a line after each step. Arguments: the number of
 * steps before the kill, its journal, the other node's URL and token, and the position of the last batch of a log that
 * has no batches any more.
 */
import { catchUp } from "../../../src/cluster/catch-up/catch-up.ts";
import type { NodePosition } from "../../../src/cluster/port.ts";
import { EMPTY_HEAD, type JournalPlace, LogTrimmed } from "../../../src/journal/port.ts";
import { openCopy } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { reportSteps } from "./killed-process.ts";

const [killAfter = "", path = "", admin = "", token = "", told = ""] = process.argv.slice(2);
const place = JSON.parse(told) as JournalPlace;
const other: NodePosition = {
  ...{ node: "n1", admin, place, seq: place.seq, incarnation: "", eventDigest: "" },
  ...{ clockMs: 0, release: "test", bans: {} },
};
const store = {
  epoch: { epoch: place.epoch, baseSeq: 0, baseChainHash: EMPTY_HEAD.chainHash, priorEpoch: "" },
  lastNumber: async () => place.number,
  positions: async () => [other],
  isAt: async () => true,
  follow: () => ({ next: () => Promise.reject(new LogTrimmed("the rows are gone")), close: () => {} }),
};
const journal = openCopy(path);
const onStep = reportSteps(Number(killAfter));
await catchUp({ journal, store, node: "n2", token, world: MACHINE, stepRows: 1, onStep, holdPayments: () => {} });
journal.closeWhole();
