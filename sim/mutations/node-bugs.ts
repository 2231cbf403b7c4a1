/** Bugs of the node: durability, acknowledgments, and recovery. */
import type { Command } from "@pricetime/engine";
import {
  type Batch,
  checkedAfter,
  EMPTY_HEAD,
  HistoryWriter,
  type JournalHead,
  type JournalRows,
  type NewBatch,
} from "@pricetime/server/data-folder";
import { TradeRows } from "../../packages/server/src/history/writing/trading-rows.ts";
import { NotAccepted, OutcomeUnknown, type Sequencer } from "@pricetime/server/parts";
import { atSeams, inClass, type Mutation } from "./mutation.ts";

/** The object with some of its methods replaced. */
function changed<T extends object>(real: T, changes: Readonly<Record<string, unknown>>): T {
  return new Proxy(real, {
    get(target, name) {
      const value = changes[name as string] ?? Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function reading(rows: JournalRows, read: JournalRows["read"]): JournalRows {
  return { headAt: (seq) => rows.headAt(seq), read, after: (head) => checkedAfter(head, read(head.lastSeq + 1)) };
}

function without(rows: JournalRows, isSkipped: (row: Batch, at: number, rows: number) => boolean): JournalRows {
  return reading(rows, (fromSeq) => [...rows.read(fromSeq)].filter((row, at, all) => !isSkipped(row, at, all.length)));
}

const settling = (bug: (sequencer: Sequencer) => Sequencer["submit"]) => (real: Sequencer) =>
  changed(real, { submit: bug(real) });

/** True once in so many calls. */
function every(times: number): () => boolean {
  let calls = 0;
  return () => ++calls % times === 0;
}

export const NODE_BUGS: readonly Mutation[] = [
  atSeams("lost fsync: the disk is never told to keep anything", {
    journal: (real) => {
      real.disk.liesAboutSync = true;
      return real;
    },
  }),
  atSeams("answer before durable: a batch is told while it is being written", {
    journal: (real) => {
      let last: Promise<unknown> = Promise.resolve();
      const append = async (batch: NewBatch): Promise<JournalHead> => {
        last = last.then(() => real.append(batch)).catch(() => {});
        return EMPTY_HEAD;
      };
      return changed(real, { append });
    },
  }),
  atSeams("start without sync: what was found is shown before it is safe", { syncsAtStart: false }),
  atSeams("lost journal tail: the last row is not read at a start", {
    rows: (real) => without(real, (_row, at, rows) => at === rows - 1),
  }),
  atSeams("lost snapshot tail: nothing after a snapshot is replayed", {
    rows: (real) => reading(real, (from) => (from > 1 ? [] : real.read(from))),
  }),
  atSeams("skipped record: a row in the middle is not read", {
    rows: (real) => without(real, (_row, at) => at === 5),
  }),
  atSeams("double apply: a request whose outcome is unknown is submitted again", {
    sequencer: (real) => {
      const again: Command[] = [];
      return changed(real, {
        submit: ((command, settle) => {
          for (const lost of again.splice(0)) real.submit(lost, () => {});
          real.submit(command, (outcome) => {
            if (outcome instanceof OutcomeUnknown) again.push(command);
            settle(outcome);
          });
        }) satisfies Sequencer["submit"],
      });
    },
  }),
  atSeams("a request that waited too long is carried out", {
    sequencer: settling((real) => (command, settle) => real.submit(command, settle)),
  }),
  atSeams("unknown told as refused", {
    sequencer: settling((real) => (command, settle) => {
      real.submit(command, (outcome) =>
        settle(outcome instanceof OutcomeUnknown ? new NotAccepted(outcome.message) : outcome),
      );
    }),
  }),
  atSeams("lost request: one in forty is neither carried out nor answered", {
    sequencer: (real) => {
      const isIts = every(40);
      return changed(real, {
        submit: ((command, settle) => {
          if (!isIts()) real.submit(command, settle);
        }) satisfies Sequencer["submit"],
      });
    },
  }),
  atSeams("overtaking: one request in ten is held up behind the next", {
    sequencer: (real) => {
      const isIts = every(10);
      let held: (() => void) | undefined;
      return changed(real, {
        submit: ((command, settle) => {
          if (held === undefined && isIts()) {
            held = () => real.submit(command, settle);
            return;
          }
          real.submit(command, settle);
          held?.();
          held = undefined;
        }) satisfies Sequencer["submit"],
      });
    },
  }),
  atSeams("crossed answers: two requests of one batch get each other's", {
    sequencer: (real) => {
      let waiting: ((outcome: never) => void) | undefined;
      return changed(real, {
        submit: ((command, settle) => {
          const other = waiting;
          waiting = settle;
          real.submit(command, (outcome) => {
            if (waiting === settle) waiting = undefined;
            (other !== undefined && !(outcome instanceof Error) && outcome.seq % 20 === 0 ? other : settle)(
              outcome as never,
            );
          });
        }) satisfies Sequencer["submit"],
      });
    },
  }),
  atSeams("a clock that has leapt is believed", {
    clocks: ({ wallMs }) => ({ wallMs, steadyMs: wallMs, uptimeMs: wallMs }),
  }),
  atSeams("a machine that slept is taken for a clock that has leapt", {
    clocks: (real) => ({ ...real, uptimeMs: real.steadyMs }),
  }),
  atSeams("a start with a clock behind the journal is not refused", { refusesClockBehind: false }),
  atSeams("stale read: questions do not wait for history", { historyWaits: false }),
  inClass("history loses a trade", TradeRows.prototype, "add", function (real, args) {
    const [{ tradeId }] = args as unknown as [{ tradeId: number }];
    if (tradeId % 20 !== 7) real.apply(this, args);
  }),
  inClass("history forgets how an order ended", HistoryWriter.prototype, "recordEvent", function (real, args) {
    const [, event] = args as unknown as [unknown, { type: string; order: { orderId: number } }];
    if (event.type !== "orderEnded" || event.order.orderId % 5 !== 0) real.apply(this, args);
  }),
];
