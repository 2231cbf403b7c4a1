/**
 * Records a venue's public streams of one symbol: trades, changes of the book after a snapshot, best prices. When the
 * connection is lost, it connects again, and marks the gap in the file.
 */
import { atMost, type Clock } from "../../../../platform/world/port.ts";
import { CommandFailed } from "../../session/failure.ts";
import { type Kept, RecordingFile } from "./recording-file.ts";
import { checkVenue, type Hearing, type Venue, VenueStreams, type Waiting } from "./venue-streams.ts";

export interface RecordTask extends Venue, Waiting, Pick<Clock, "nowMs"> {
  /** A new file. */
  readonly path: string;
  /** It ends when this resolves. */
  readonly until: Promise<unknown>;
  /** Tells whoever waits that the connection was lost, and that it is there again. */
  readonly note: (text: string) => void;
}

export interface Recorded extends Kept {
  readonly file: string;
  readonly symbol: string;
}

/** Before it connects again; twice as long each time, up to the longest, until something is heard. */
const FIRST_ABSENCE_MS = 1_000;
const LONGEST_ABSENCE_MS = 30_000;

/**
 * Resolves when it was told to end. Throws `CommandFailed` when the venue is not there at first, or lacks the symbol, and
 * when the file cannot be written.
 */
export async function recordMarket(task: RecordTask): Promise<Recorded> {
  const { path, symbol, rest, nowMs, note } = task;
  let file: RecordingFile | undefined;
  const hearing: Hearing = {
    heard: (stream, data) => file?.keep(nowMs(), stream, data),
    opened: () => {
      const gapMs = file?.goOn(nowMs()) ?? 0;
      if (gapMs > 0) note(`Connected again. ${gapMs / 1000} seconds are missing.`);
    },
  };
  await checkVenue(task);
  const first = new VenueStreams(task, hearing, task);
  try {
    const failed = await Promise.race([first.opened, first.over]);
    if (failed !== undefined) throw failed;
    file = await RecordingFile.create(path, rest, symbol);
    await listen(task, file, first, () => new VenueStreams(task, hearing, task));
    file.goOn(nowMs());
  } finally {
    first.close();
    await file?.close();
  }
  return { file: path, symbol, ...file.kept };
}

/** Listens until it is told to end, on one connection after the other. */
async function listen(
  { until, timers, nowMs, note }: RecordTask,
  file: RecordingFile,
  first: VenueStreams,
  connect: () => VenueStreams,
): Promise<void> {
  let isToEnd = false;
  const end = until.then(() => void (isToEnd = true));
  let pauseMs = FIRST_ABSENCE_MS;
  for (let streams = first; ; streams = connect()) {
    let why: CommandFailed | void;
    try {
      why = await Promise.race([end, streams.over, file.failed]);
    } finally {
      streams.close();
    }
    if (!(why instanceof CommandFailed)) return;
    if (file.lose(nowMs(), why.message)) note(`${why.message} Connecting again.`);
    if (streams.hasHeard) pauseMs = FIRST_ABSENCE_MS;
    await atMost(timers, pauseMs, end);
    if (isToEnd) return;
    pauseMs = Math.min(2 * pauseMs, LONGEST_ABSENCE_MS);
  }
}
