/** The projector's thread. It repeatedly advances the history to the state of the replica that serves requests. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { Progress } from "../../history/threads/progress.ts";
import { isDiskTrouble } from "../../platform/disk.ts";
import type { Projection, ProjectorMessage } from "../replica/projection.ts";
import { openProjection, type ProjectorData } from "./projection.ts";
import { MACHINE } from "../../platform/world/machine.ts";

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
const { memory, ...options } = workerData as ProjectorData;
const progress = new Progress(memory);
const tell = (message: ProjectorMessage): void => port.postMessage(message);

/**
 * Time for which a transaction collects entries while no query waits for the history. Many small transactions would
 * take disk time from the journal and write index pages repeatedly. With orders of 20,000 accounts, 100 ms cost a
 * quarter less than 50 ms. A query that arrives then waits for about 20 ms.
 */
const PACE_MS = 100;
/** Pause before the history is written again after a failure. It doubles with each failure. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

let projection: Projection | undefined;
for (let pauseMs = FIRST_PAUSE_MS; ; ) {
  try {
    projection ??= open();
    follow(projection, () => {
      if (pauseMs > FIRST_PAUSE_MS) tell({ part: "history", message: null });
      pauseMs = FIRST_PAUSE_MS;
    });
    break;
  } catch (error) {
    if (!isDiskTrouble(error)) throw error;
    tell({ part: "history", message: (error as Error).message });
    projection?.close();
    projection = undefined;
    // The next start adds the missing entries from the journal.
    if (progress.isStopping) break;
    pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}
if (options.snapshotEveryEntries > 0) projection?.snapshot();
projection?.close();

function open(): Projection {
  const opened = openProjection(options, (error) => tell({ part: "snapshots", message: error?.message ?? null }));
  progress.project(opened.seq);
  tell(null);
  return opened;
}

/** Advances the history until the node stops and all entries are written. */
function follow(current: Projection, onWritten: () => void): void {
  for (;;) {
    const { signals, isStopping, publishedSeq } = progress;
    const moved = current.advance(publishedSeq);
    if (moved) {
      progress.project(current.seq);
      onWritten();
    }
    // Check after the step: a query that began to wait meanwhile either has seen this step or is detected here.
    if (moved && progress.isAwaited) tell(null);
    if (moved) current.keepLogSmall();
    if (isStopping && !moved) return;
    const isBehind = current.seq < publishedSeq;
    if (!isBehind && !isStopping) progress.waitForSignal(signals, PACE_MS);
  }
}

/** Pauses. Returns early when the node stops. */
function pause(pauseMs: number): void {
  for (const endMs = MACHINE.steadyMs() + pauseMs; MACHINE.steadyMs() < endMs && !progress.isStopping; ) {
    progress.waitForSignal(progress.signals, Math.min(PACE_MS, pauseMs));
  }
}
