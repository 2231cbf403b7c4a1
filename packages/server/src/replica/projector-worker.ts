/** The projector's thread: takes history on to where the serving replica is, again and again. */
import { parentPort, workerData } from "node:worker_threads";
import { Progress } from "../history/progress.ts";
import { Projection } from "./projection.ts";
import type { ProjectorData } from "./projector.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");
const { memory, ...options } = workerData as ProjectorData;
const progress = new Progress(memory);
const projection = Projection.open(options);
progress.project(projection.seq);
port.postMessage(null);

/**
 * While nobody waits for history, a transaction collects for this long: many small ones would take
 * the disk's time from the journal.
 */
const PACE_MS = 50;

for (;;) {
  const { signals, isStopping, publishedSeq } = progress;
  const moved = projection.advance(publishedSeq);
  if (moved) progress.project(projection.seq);
  // Asked only now: whoever began to wait meanwhile has either seen this step or is seen here.
  if (moved && progress.isAwaited) port.postMessage(null);
  if (isStopping && !moved) break;
  const isBehind = projection.seq < publishedSeq;
  if (!isBehind && !isStopping) progress.waitForSignal(signals, PACE_MS);
}
if (options.snapshotEveryEntries > 0) projection.snapshot();
projection.close();
