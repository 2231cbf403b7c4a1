/** The projector's thread: sleeps until the serving replica has applied more, then takes history on. */
import { parentPort, workerData } from "node:worker_threads";
import { Progress } from "../history/progress.ts";
import { Projection } from "./projection.ts";
import type { ProjectorData } from "./projector.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");
const { memory, ...options } = workerData as ProjectorData;
const progress = new Progress(memory);
const projection = new Projection(options);
progress.project(projection.seq);
port.postMessage(null);

for (;;) {
  const { signals, isStopping } = progress;
  if (projection.advance(progress.publishedSeq)) {
    progress.project(projection.seq);
    if (progress.isAwaited) port.postMessage(null);
  } else if (isStopping) {
    break;
  } else {
    progress.waitForSignal(signals);
  }
}
if (options.snapshotEveryEntries > 0) projection.snapshot();
projection.close();
